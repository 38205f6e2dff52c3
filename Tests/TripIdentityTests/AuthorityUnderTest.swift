import Foundation
import Synchronization
import Testing

@testable import TripIdentity

/// A time that stands still until a test moves it.
final class TestClock: Sendable {
    private let state = Mutex<Int64>(1_793_513_640)

    var now: Int64 { state.withLock { $0 } }

    func advance(by seconds: Int64) { state.withLock { $0 += seconds } }
}

/// An authority of one test's own, in a folder that is removed when the test is over.
final class AuthorityUnderTest: Sendable {
    let folder: IdentityFolder
    let clock = TestClock()
    let authority: Authority

    static let password = "a long way to the river"
    static let wrongPassword = "another way to the river"
    static let redirectURI = "https://dashboard.test/"

    init() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-identity-" + UUID().uuidString).path
        folder = IdentityFolder(path: path)
        authority = try await Self.open(folder, clock)
    }

    deinit { folder.remove() }

    /// The same accounts, as another process has them.
    func otherProcess() async throws -> Authority { try await Self.open(folder, clock) }

    /// The same accounts, whose new passwords are held against a list of stolen ones.
    func otherProcess(
        holdingAgainst list: WrittenFile,
        telling heard: HeardFaults
    ) async throws -> Authority {
        try await Self.open(
            folder,
            clock,
            rules: PasswordRules(breached: try BreachedPasswords(path: list.path)),
            failing: { heard.note($0) }
        )
    }

    private static func open(
        _ folder: IdentityFolder,
        _ clock: TestClock,
        rules: PasswordRules = PasswordRules(),
        failing: @escaping @Sendable (IdentityFault) -> Void = { _ in }
    ) async throws -> Authority {
        try await Authority(
            folder,
            issuer: "https://triptych.test",
            rules: rules,
            failing: failing,
            isDemo: true
        ) { clock.now }
    }

    /// Adds an account.
    func add(_ name: String, _ role: Role = .administrator) async throws {
        try await authority.add(
            try AccountName(name),
            password: Self.password,
            access: Access(roles: [role])
        )
    }

    /// Signs in and hands in the code.
    func grant(_ name: String, client: String = "dashboard") async throws -> Authority.Grant {
        let verifier = RandomText.secret()
        let code = try await code(name, verifier: verifier, client: client)
        return try #require(try await redeem(code, verifier: verifier, client: client))
    }

    /// A code for whoever signs in.
    func code(
        _ name: String,
        verifier: String,
        client: String = "dashboard"
    ) async throws -> String {
        guard case .accepted(let signedIn) = try await authority.signIn(name, Self.password) else {
            throw IdentityFault.noSuchAccount(name)
        }
        let request = AuthorizationRequest(
            clientID: client,
            redirectURI: Self.redirectURI,
            challenge: RandomText.mark(verifier)
        )
        let code = try await authority.code(try #require(request), for: signedIn)
        return try #require(code)
    }

    /// What a code is good for; nil where nothing.
    func redeem(
        _ code: String,
        verifier: String,
        client: String = "dashboard",
        redirectURI: String = AuthorityUnderTest.redirectURI
    ) async throws -> Authority.Grant? {
        let redemption = CodeRedemption(
            code: code,
            clientID: client,
            redirectURI: redirectURI,
            verifier: verifier
        )
        guard case .granted(let grant) = try await authority.redeem(redemption) else { return nil }
        return grant
    }

    /// What a refresh token is good for; nil where nothing.
    func refresh(_ token: String, client: String = "dashboard") async throws -> Authority.Grant? {
        guard case .granted(let grant) = try await authority.refresh(token, clientID: client) else {
            return nil
        }
        return grant
    }

    /// Whether a token opens anything.
    func isGood(_ token: String) async throws -> Bool {
        try await authority.session(of: token) != nil
    }
}
