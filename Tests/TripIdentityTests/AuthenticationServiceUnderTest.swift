import Foundation
import Synchronization
import Testing

@testable import TripIdentity

/// A clock that only moves when a test advances it.
final class TestClock: Sendable {
    private let state = Mutex<Int64>(1_793_513_640)

    var now: Int64 { state.withLock { $0 } }

    func advance(by seconds: Int64) { state.withLock { $0 += seconds } }
}

/// An authentication service of one test, in a folder that is removed after the test.
final class AuthenticationServiceUnderTest: Sendable {
    let folder: IdentityFolder
    let clock = TestClock()
    let authentication: AuthenticationService

    static let password = "a long way to the river"
    static let wrongPassword = "another way to the river"
    static let redirectURI = "https://dashboard.test/"

    init() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-identity-" + UUID().uuidString).path
        folder = IdentityFolder(path: path)
        authentication = try await Self.open(folder, clock)
    }

    deinit { folder.remove() }

    /// The same accounts, opened as by another process.
    func otherProcess() async throws -> AuthenticationService { try await Self.open(folder, clock) }

    /// The same accounts, with new passwords checked against a list of stolen passwords.
    func otherProcess(
        holdingAgainst list: WrittenFile,
        telling heard: CollectedFaults
    ) async throws -> AuthenticationService {
        try await Self.open(
            folder,
            clock,
            rules: PasswordRules(breached: try BreachedPasswords(path: list.path)),
            onPasswordCheckFault: { heard.note($0) }
        )
    }

    private static func open(
        _ folder: IdentityFolder,
        _ clock: TestClock,
        rules: PasswordRules = PasswordRules(),
        onPasswordCheckFault: @escaping @Sendable (IdentityFault) -> Void = { _ in }
    ) async throws -> AuthenticationService {
        try await AuthenticationService(
            folder,
            issuer: "https://triptych.test",
            rules: rules,
            onPasswordCheckFault: onPasswordCheckFault,
            isDemo: true
        ) { clock.now }
    }

    /// Adds an account.
    func add(_ name: String, _ role: Role = .administrator) async throws {
        try await authentication.add(
            try AccountName(name),
            password: Self.password,
            access: Access(roles: [role])
        )
    }

    /// Signs in and redeems the code.
    func grant(
        _ name: String,
        client: String = "dashboard"
    ) async throws -> AuthenticationService.Grant {
        let verifier = RandomText.secret()
        let code = try await code(name, verifier: verifier, client: client)
        return try #require(try await redeem(code, verifier: verifier, client: client))
    }

    /// A code for a sign-in.
    func code(
        _ name: String,
        verifier: String,
        client: String = "dashboard"
    ) async throws -> String {
        guard case .accepted(let signedIn) = try await authentication.signIn(name, Self.password)
        else {
            throw IdentityFault.noSuchAccount(name)
        }
        let request = AuthorizationRequest(
            clientID: client,
            redirectURI: Self.redirectURI,
            challenge: RandomText.mark(verifier)
        )
        let code = try await authentication.code(try #require(request), for: signedIn)
        return try #require(code)
    }

    /// The tokens for a code; nil where it is refused.
    func redeem(
        _ code: String,
        verifier: String,
        client: String = "dashboard",
        redirectURI: String = AuthenticationServiceUnderTest.redirectURI
    ) async throws -> AuthenticationService.Grant? {
        let redemption = CodeRedemption(
            code: code,
            clientID: client,
            redirectURI: redirectURI,
            verifier: verifier
        )
        guard case .granted(let grant) = try await authentication.redeem(redemption) else {
            return nil
        }
        return grant
    }

    /// The tokens for a refresh token; nil where it is refused.
    func refresh(
        _ token: String,
        client: String = "dashboard"
    ) async throws -> AuthenticationService.Grant? {
        guard case .granted(let grant) = try await authentication.refresh(token, clientID: client)
        else {
            return nil
        }
        return grant
    }

    /// Whether an access token is accepted.
    func isGood(_ token: String) async throws -> Bool {
        try await authentication.session(of: token) != nil
    }
}

/// A file of one test, which is removed after the test.
final class WrittenFile: Sendable {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("triptych-written-" + UUID().uuidString).path

    deinit { unlink(path) }

    /// Replaces the content of the file.
    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
