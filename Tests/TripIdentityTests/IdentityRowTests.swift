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

    /// As they may lie in a damaged file, whatever its table says.
    @Test(arguments: ["NULL", "'text'", "1.5", "x'01'", "9007199254740992", "1 << 63"])
    func whatIsNoNumberIsAFault(value: String) throws {
        let row = try row(value)
        #expect(throws: Self.damaged) { try row["value"] as Int64 }
        #expect(throws: Self.damaged) { try row["value"] as Int }
        #expect(throws: Self.damaged) { try row["value"] as Bool }
    }

    @Test(arguments: ["NULL", "1", "1.5", "x'41'"])
    func whatIsNoTextIsAFault(value: String) throws {
        let row = try row(value)
        #expect(throws: Self.damaged) { try row["value"] as String }
    }

    @Test(arguments: ["NULL", "1", "1.5", "'text'"])
    func whatAreNoBytesIsAFault(value: String) throws {
        let row = try row(value)
        #expect(throws: Self.damaged) { try row["value"] as [UInt8] }
    }

    @Test func aColumnThatIsNotThereIsAFault() throws {
        let row = try row("1")
        #expect(throws: Self.damaged) { try row["other"] as Int64 }
        #expect(throws: Self.damaged) { try row["other"] as Int64? }
    }

    @Test func aFlagIsNothingButZeroOrOne() throws {
        #expect(try (row("0")["value"] as Bool) == false)
        #expect(try (row("1")["value"] as Bool) == true)
        let odd = try row("2")
        #expect(throws: Self.damaged) { try odd["value"] as Bool }
    }

    @Test func whatIsStoredComesOut() throws {
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

    /// The one bit that would end the server: the flag's type says that nothing is there.
    @Test func aFlagThatIsGoneIsAFaultOfItsAccountAlone() async throws {
        let accounts = try await DamagedAccounts()
        try await accounts.under.add("other")
        var bytes = try accounts.bytes()
        let texts = Array("\(DamagedAccounts.name)\(DamagedAccounts.email)$scrypt$".utf8)
        // The types of a row's values stand before them: the flag's, of a 0, is the last but two.
        let place = try #require(bytes.firstRange(of: texts)).lowerBound - 3
        try #require(bytes[place] == 8)
        bytes[place] = 0
        let authority = try await accounts.opened(with: bytes)
        await #expect(throws: Self.damaged) {
            _ = try await authority.signIn(DamagedAccounts.name, AuthorityUnderTest.password)
        }
        await #expect(throws: Self.damaged) { _ = try await authority.accounts() }
        guard case .accepted = try await authority.signIn("other", AuthorityUnderTest.password)
        else {
            Issue.record("whoever's row is whole signs in")
            return
        }
    }

    /// The types of a row's values stand before its key; 0 says that nothing is there.
    @Test func noValueThatIsGoneEndsTheProgram() async throws {
        let accounts = try await DamagedAccounts()
        let whole = try accounts.bytes()
        let places: [Int] = accounts.keys.flatMap { key in
            whole.ranges(of: Array(key.utf8)).flatMap { max(0, $0.lowerBound - 12)..<$0.lowerBound }
        }
        var faults: [IdentityFault] = []
        for place in Set(places).sorted() where whole[place] != 0 {
            var bytes = whole
            bytes[place] = 0
            faults += try await accounts.faults(with: bytes)
        }
        #expect(faults.contains(Self.damaged))
        #expect(try await accounts.faults(with: whole) == [])
    }

    @Test func noBitEndsTheProgramWhereverItIsFlipped() async throws {
        let accounts = try await DamagedAccounts()
        let whole = try accounts.bytes()
        // Where nothing is written, nothing is read.
        let places = whole.indices.filter { whole[$0] != 0 }
        var (state, faultCount) = (UInt64(7), 0)
        for _ in 0..<240 {
            // The upper half of Knuth's generator: the same places in every run.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var bytes = whole
            bytes[places[Int(state >> 36) % places.count]] ^= 1 << UInt8(state >> 33 & 7)
            faultCount += try await accounts.faults(with: bytes).count
        }
        #expect(faultCount > 0)
        #expect(try await accounts.faults(with: whole) == [])
    }
}

/// Accounts with something in every table, whose file is opened with other bytes in it.
private struct DamagedAccounts {
    static let name = "someone"
    static let email = "someone@triptych.test"
    private static let passkey = "a-device-of-theirs"

    let under: AuthorityUnderTest
    private let grant: Authority.Grant
    private let code: String
    private let verifier = RandomText.secret()
    private let letter: Authority.ResetLetter

    init() async throws {
        under = try await AuthorityUnderTest()
        let authority = under.authority
        try await authority.add(
            try AccountName(Self.name),
            email: Self.email,
            password: AuthorityUnderTest.password,
            access: Access(roles: [.administrator], regions: ["VISN 01", "VISN 02"])
        )
        grant = try await under.grant(Self.name)
        code = try await under.code(Self.name, verifier: verifier)
        letter = try #require(try await authority.resetLetter(for: Self.name))
        _ = try await authority.signIn("nobody", AuthorityUnderTest.wrongPassword)
        let now = under.clock.now
        try await authority.store.changing { db in
            try db.execute(
                sql: "INSERT INTO passkey SELECT ?, account_id, x'a0', 0, 1, ?, ?, 1 FROM account",
                arguments: [Self.passkey, now, now]
            )
        }
    }

    /// What the rows begin with.
    var keys: [String] {
        [
            Self.name, grant.session.id, RandomText.mark(grant.refreshToken),
            RandomText.mark(code), RandomText.mark(letter.token), Self.passkey,
            under.authority.mark(ofText: Self.name), under.authority.mark(ofText: "nobody"),
        ]
    }

    /// The accounts' file as it is.
    func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: under.folder.accountsPath)))
    }

    /// The accounts as a program has them that finds other bytes there.
    func opened(with bytes: [UInt8]) async throws -> Authority {
        let path = under.folder.accountsPath
        unlink(path + "-journal")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let authority = try await under.otherProcess()
        try hurry(authority.store)
        return authority
    }

    /// Waits for no disk: what is written here is thrown away.
    private func hurry(_ store: IdentityStore) throws {
        do {
            try store.queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA synchronous = OFF")
            }
        } catch {
            throw IdentityFault(error)
        }
    }

    /// Does with other bytes in the file what a server does.
    ///
    /// - Returns: The faults that came of it; an error that is none of ours is an issue.
    func faults(with bytes: [UInt8]) async throws -> [IdentityFault] {
        let authority: Authority
        do {
            authority = try await opened(with: bytes)
        } catch let fault as IdentityFault {
            return [fault]
        }
        var faults: [IdentityFault] = []
        for step in steps {
            do {
                try await step(authority)
            } catch let fault as IdentityFault {
                faults.append(fault)
            } catch {
                Issue.record("another error than ours: \(type(of: error))")
            }
        }
        return faults
    }

    private var steps: [@Sendable (Authority) async throws -> Void] {
        let (grant, letter, code, verifier) = (grant, letter, code, verifier)
        return [
            { _ = try await $0.accounts() },
            { try await Self.signIn($0) },
            { authority in
                let wrong = AuthorityUnderTest.wrongPassword
                guard case .accepted = try await authority.signIn(Self.name, wrong) else { return }
                Issue.record("a wrong password lets somebody in")
            },
            { authority in
                let redemption = CodeRedemption(
                    code: code,
                    clientID: "dashboard",
                    redirectURI: AuthorityUnderTest.redirectURI,
                    verifier: verifier
                )
                _ = try await authority.redeem(redemption)
                // It comes again: what came of it ends.
                _ = try await authority.redeem(redemption)
            },
            { _ = try await $0.session(of: grant.accessToken) },
            { _ = try await $0.refresh(grant.refreshToken, clientID: "dashboard") },
            { _ = try await $0.refresh(grant.refreshToken, clientID: "dashboard") },
            { _ = try await $0.isOpen(letter.token) },
            { _ = try await $0.resetLetter(for: Self.name) },
            { _ = try await $0.store.passkey(Self.passkey) },
            { _ = try await $0.store.proofs(ofNumber: grant.session.account.id) },
        ]
    }

    /// Signs in, looks at the account and asks for a code.
    private static func signIn(_ authority: Authority) async throws {
        let password = AuthorityUnderTest.password
        guard case .accepted(let owner) = try await authority.signIn(Self.name, password) else {
            return
        }
        _ = try await authority.passkeys(of: owner.account)
        let request = AuthorizationRequest(
            clientID: "dashboard",
            redirectURI: AuthorityUnderTest.redirectURI,
            challenge: RandomText.mark("verifier")
        )
        _ = try await authority.code(try #require(request), for: owner)
    }
}
