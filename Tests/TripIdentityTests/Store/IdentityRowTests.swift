import Foundation
import GRDB
import Testing

@testable import TripIdentity

@Suite struct IdentityRowTests {
    private static let damaged = IdentityFault.store(code: 11)

    private func row(_ value: String) throws -> IdentityRow {
        let row = try DatabaseQueue().read {
            try IdentityRow.fetchOne($0, sql: "SELECT \(value) AS value")
        }
        return try #require(row)
    }

    /// These values may be in a damaged file, whatever the type of the column.
    @Test(arguments: ["NULL", "'text'", "1.5", "x'01'", "9007199254740992", "1 << 63"])
    func aValueThatIsNoNumberIsAFault(value: String) throws {
        let row = try row(value)
        #expect(throws: Self.damaged) { try row["value"] as Int64 }
        #expect(throws: Self.damaged) { try row["value"] as Int }
        #expect(throws: Self.damaged) { try row["value"] as Bool }
    }

    @Test(arguments: ["NULL", "1", "1.5", "x'41'"])
    func aValueThatIsNoTextIsAFault(value: String) throws {
        let row = try row(value)
        #expect(throws: Self.damaged) { try row["value"] as String }
    }

    @Test(arguments: ["NULL", "1", "1.5", "'text'"])
    func aValueThatIsNoBytesIsAFault(value: String) throws {
        let row = try row(value)
        #expect(throws: Self.damaged) { try row["value"] as [UInt8] }
    }

    @Test func aMissingColumnIsAFault() throws {
        let row = try row("1")
        #expect(throws: Self.damaged) { try row["other"] as Int64 }
        #expect(throws: Self.damaged) { try row["other"] as Int64? }
    }

    @Test func aFlagIsZeroOrOne() throws {
        #expect(try (row("0")["value"] as Bool) == false)
        #expect(try (row("1")["value"] as Bool) == true)
        let odd = try row("2")
        #expect(throws: Self.damaged) { try odd["value"] as Bool }
    }

    @Test func storedValuesAreReadBack() throws {
        let least = try row("-9007199254740991")
        #expect(try (least["value"] as Int64) == -9_007_199_254_740_991)
        #expect(try (row("'text'")["value"] as String) == "text")
        #expect(try (row("x'0041'")["value"] as [UInt8]) == [0, 0x41])
        #expect(try (row("NULL")["value"] as String?) == nil)
        #expect(try (row("'text'")["value"] as String?) == "text")
        let number = try row("1")
        #expect(throws: Self.damaged) { try number["value"] as String? }
    }

    // MARK: Damaged accounts

    /// One flipped bit that ended the server once: the flag's type says that there is no value.
    @Test func aMissingFlagIsAFaultOfItsAccountAlone() async throws {
        let accounts = try await DamagedAccounts()
        try await accounts.under.add("other")
        var bytes = try accounts.bytes()
        let texts = Array("\(DamagedAccounts.name)\(DamagedAccounts.email)$scrypt$".utf8)
        // The types of a row's values come before the values: the type of the flag, a 0, is the
        // third from the end.
        let offset = try #require(bytes.firstRange(of: texts)).lowerBound - 3
        try #require(bytes[offset] == 8)
        bytes[offset] = 0
        let authentication = try await accounts.opened(with: bytes)
        await #expect(throws: Self.damaged) {
            _ = try await authentication.signIn(
                DamagedAccounts.name,
                AuthenticationServiceUnderTest.password
            )
        }
        await #expect(throws: Self.damaged) { _ = try await authentication.accounts() }
        guard
            case .accepted = try await authentication.signIn(
                "other",
                AuthenticationServiceUnderTest.password
            )
        else {
            Issue.record("an account with an intact row signs in")
            return
        }
    }

    /// The types of a row's values come before its key; type 0 says that there is no value.
    @Test func noMissingValueEndsTheProgram() async throws {
        let accounts = try await DamagedAccounts()
        let whole = try accounts.bytes()
        let offsets: [Int] = accounts.keys.flatMap { key in
            whole.ranges(of: Array(key.utf8)).flatMap { max(0, $0.lowerBound - 12)..<$0.lowerBound }
        }
        var faults: [IdentityFault] = []
        for offset in Set(offsets).sorted() where whole[offset] != 0 {
            var bytes = whole
            bytes[offset] = 0
            faults += try await accounts.faults(with: bytes)
        }
        #expect(faults.contains(Self.damaged))
        #expect(try await accounts.faults(with: whole) == [])
    }

    @Test func noFlippedBitEndsTheProgram() async throws {
        let accounts = try await DamagedAccounts()
        let whole = try accounts.bytes()
        // Where the file has only zeros, nothing is read.
        let offsets = whole.indices.filter { whole[$0] != 0 }
        var (state, faultCount) = (UInt64(7), 0)
        for _ in 0..<240 {
            // The upper half of Knuth's generator: the same offsets in every run.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var bytes = whole
            bytes[offsets[Int(state >> 36) % offsets.count]] ^= 1 << UInt8(state >> 33 & 7)
            faultCount += try await accounts.faults(with: bytes).count
        }
        #expect(faultCount > 0)
        #expect(try await accounts.faults(with: whole) == [])
    }
}

/// Accounts with rows in every table, whose file is opened with changed bytes.
private struct DamagedAccounts {
    static let name = "someone"
    static let email = "someone@triptych.test"
    private static let passkey = "a-device-of-theirs"

    let under: AuthenticationServiceUnderTest
    private let grant: AuthenticationService.Grant
    private let code: String
    private let verifier = RandomText.secret()
    private let link: AuthenticationService.PasswordResetEmail

    init() async throws {
        under = try await AuthenticationServiceUnderTest()
        let authentication = under.authentication
        try await authentication.add(
            try AccountName(Self.name),
            email: Self.email,
            password: AuthenticationServiceUnderTest.password,
            access: Access(roles: [.administrator], regions: ["VISN 01", "VISN 02"])
        )
        grant = try await under.grant(Self.name)
        code = try await under.code(Self.name, verifier: verifier)
        link = try #require(try await authentication.passwordResetEmail(for: Self.name))
        _ = try await authentication.signIn("nobody", AuthenticationServiceUnderTest.wrongPassword)
        let now = under.clock.now
        try await authentication.store.changing { db in
            try db.execute(
                sql: "INSERT INTO passkey SELECT ?, account_id, x'a0', 0, 1, ?, ?, 1 FROM account",
                arguments: [Self.passkey, now, now]
            )
        }
    }

    /// The texts that the rows begin with.
    var keys: [String] {
        [
            Self.name, grant.session.id, RandomText.mark(grant.refreshToken),
            RandomText.mark(code), RandomText.mark(link.token), Self.passkey,
            under.authentication.mark(ofText: Self.name),
            under.authentication.mark(ofText: "nobody"),
        ]
    }

    /// The accounts' file as it is.
    func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: under.folder.accountsPath)))
    }

    /// The accounts, opened with other bytes in their file.
    func opened(with bytes: [UInt8]) async throws -> AuthenticationService {
        let path = under.folder.accountsPath
        unlink(path + "-journal")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let authentication = try await under.otherProcess()
        try hurry(authentication.store)
        return authentication
    }

    /// Does not wait for the disk, since the file is thrown away.
    private func hurry(_ store: IdentityStore) throws {
        do {
            try store.queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA synchronous = OFF")
            }
        } catch {
            throw IdentityFault(error)
        }
    }

    /// Does with a changed file what a server does.
    ///
    /// - Returns: The faults that occurred; an error of another type is a test failure.
    func faults(with bytes: [UInt8]) async throws -> [IdentityFault] {
        let authentication: AuthenticationService
        do {
            authentication = try await opened(with: bytes)
        } catch let fault as IdentityFault {
            return [fault]
        }
        var faults: [IdentityFault] = []
        for step in steps {
            do {
                try await step(authentication)
            } catch let fault as IdentityFault {
                faults.append(fault)
            } catch {
                Issue.record("another error than ours: \(type(of: error))")
            }
        }
        return faults
    }

    private var steps: [@Sendable (AuthenticationService) async throws -> Void] {
        let (grant, link, code, verifier) = (grant, link, code, verifier)
        return [
            { _ = try await $0.accounts() },
            { try await Self.signIn($0) },
            { authentication in
                let wrong = AuthenticationServiceUnderTest.wrongPassword
                guard case .accepted = try await authentication.signIn(Self.name, wrong) else {
                    return
                }
                Issue.record("a wrong password was accepted")
            },
            { authentication in
                let redemption = CodeRedemption(
                    code: code,
                    clientID: "dashboard",
                    redirectURI: AuthenticationServiceUnderTest.redirectURI,
                    verifier: verifier
                )
                _ = try await authentication.redeem(redemption)
                // The code is used again, which ends its session.
                _ = try await authentication.redeem(redemption)
            },
            { _ = try await $0.session(of: grant.accessToken) },
            { _ = try await $0.refresh(grant.refreshToken, clientID: "dashboard") },
            { _ = try await $0.refresh(grant.refreshToken, clientID: "dashboard") },
            { _ = try await $0.isOpen(link.token) },
            { _ = try await $0.passwordResetEmail(for: Self.name) },
            { _ = try await $0.store.passkey(Self.passkey) },
            { _ = try await $0.store.proofs(ofNumber: grant.session.account.id) },
        ]
    }

    /// Signs in, opens the account's page and requests a code.
    private static func signIn(_ authentication: AuthenticationService) async throws {
        let password = AuthenticationServiceUnderTest.password
        guard case .accepted(let owner) = try await authentication.signIn(Self.name, password)
        else {
            return
        }
        _ = try await authentication.passkeys(of: owner.account)
        let request = AuthorizationRequest(
            clientID: "dashboard",
            redirectURI: AuthenticationServiceUnderTest.redirectURI,
            challenge: RandomText.mark("verifier")
        )
        _ = try await authentication.code(try #require(request), for: owner)
    }
}
