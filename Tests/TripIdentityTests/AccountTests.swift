import Crypto
import Foundation
import GRDB
import Synchronization
import Testing

@testable import TripIdentity

/// What a log would be told.
final class HeardFaults: Sendable {
    private let state = Mutex<[String]>([])

    var codes: [String] { state.withLock { $0 } }

    func note(_ fault: IdentityFault) { state.withLock { $0.append(fault.code) } }
}

/// What people do to their own account.
@Suite struct AccountTests {
    private let under: AuthorityUnderTest
    private var authority: Authority { under.authority }
    private static let newPassword = "yet another way to the river"

    init() async throws {
        under = try await AuthorityUnderTest()
        try await under.add("someone")
        try await authority.setEmail("someone@b.test", of: try AccountName("someone"))
    }

    private func owner(
        _ password: String = AuthorityUnderTest.password
    ) async throws -> Authority.SignedIn? {
        guard case .accepted(let owner) = try await authority.signIn("someone", password) else {
            return nil
        }
        return owner
    }

    private func ticket() async throws -> String {
        let owner = try #require(try await owner())
        return authority.ticket(for: owner)
    }

    @Test func aTicketIsGoodForTenMinutes() async throws {
        let ticket = try await ticket()
        #expect(try await authority.holder(of: ticket)?.account.name.text == "someone")
        under.clock.advance(by: 599)
        #expect(try await authority.holder(of: ticket) != nil)
        under.clock.advance(by: 1)
        #expect(try await authority.holder(of: ticket) == nil)
    }

    @Test func everyByteOfATicketCounts() async throws {
        let bytes = try #require(Base64URL.bytes(try await ticket()))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(try await authority.holder(of: Base64URL.text(changed)) == nil)
        }
        for text in ["", "A", Base64URL.text(bytes.dropLast()), Base64URL.text(bytes + [0])] {
            #expect(try await authority.holder(of: text) == nil)
        }
    }

    @Test func aPasswordDoesNotExpireByItself() async throws {
        under.clock.advance(by: 20 * 365 * 86_400)
        #expect(try await owner() != nil)
    }

    @Test func aTicketEndsWithItsPasswordAndItsAccount() async throws {
        let ticket = try await ticket()
        let name = try AccountName("someone")
        try await authority.setDisabled(true, name)
        #expect(try await authority.holder(of: ticket) == nil)
        try await authority.setDisabled(false, name)
        // Whoever had it before signs in again.
        #expect(try await authority.holder(of: ticket) == nil)
        let later = try await self.ticket()
        let owner = try #require(try await authority.holder(of: later))
        let grant = try await under.grant("someone")
        guard case .done = try await authority.setPassword(Self.newPassword, for: owner) else {
            Issue.record("an owner sets a password")
            return
        }
        #expect(try await authority.holder(of: later) == nil)
        #expect(try await !under.isGood(grant.accessToken))
        #expect(try await self.owner() == nil)
        #expect(try await self.owner(Self.newPassword) != nil)
        guard case .weak = try await authority.setPassword("short", for: owner) else {
            Issue.record("a short password is weak")
            return
        }
    }

    /// Whoever signed in with a password that is gone sets none, also where the ticket was looked at before it went.
    @Test func whoSignedInWithAnotherPasswordSetsNone() async throws {
        let stale = try #require(try await owner())
        let name = try AccountName("someone")
        try await authority.setPassword(Self.newPassword, of: name)
        guard case .closed = try await authority.setPassword("one more way to the sea", for: stale)
        else {
            Issue.record("a password was overwritten")
            return
        }
        #expect(try await owner(Self.newPassword) != nil)
        let disabled = try #require(try await owner(Self.newPassword))
        try await authority.setDisabled(true, name)
        guard
            case .closed = try await authority.setPassword("one more way to the sea", for: disabled)
        else {
            Issue.record("a disabled account's password was set")
            return
        }
        let record = try String(
            contentsOfFile: under.folder.path + "/access-record",
            encoding: .utf8
        )
        // What was not done is not recorded: the operator's alone is.
        #expect(record.ranges(of: "\tpassword_set\t").count == 1)
    }

    /// Whoever chose it reads that it cannot be looked up; the log is told why.
    @Test func noPasswordIsSetThatWasStolenOrCannotBeLookedUp() async throws {
        let (list, heard) = (WrittenFile(), HeardFaults())
        // SHA-1 of the new password.
        let hash = Insecure.SHA1.hash(data: Array(Self.newPassword.utf8))
        try list.write(Array(hash.map { String(format: "%02X", $0) }.joined().utf8))
        let other = try await under.otherProcess(holdingAgainst: list, telling: heard)
        let owner = try #require(try await owner())
        let name = try AccountName("someone")
        guard case .weak(.stolen) = try await other.setPassword(Self.newPassword, for: owner) else {
            Issue.record("a stolen password was set")
            return
        }
        await #expect(throws: IdentityFault.weakPassword(.stolen)) {
            try await other.setPassword(Self.newPassword, of: name)
        }
        unlink(list.path)
        guard case .weak(.notLookedUp) = try await other.setPassword(Self.newPassword, for: owner)
        else {
            Issue.record("a password was set that was not looked up")
            return
        }
        await #expect(throws: IdentityFault.self) {
            try await other.setPassword(Self.newPassword, of: name)
        }
        #expect(heard.codes == ["identity_password_file"])
        #expect(try await self.owner() != nil)
    }

    @Test func aLetterOpensAWayOnce() async throws {
        let letter = try #require(try await authority.resetLetter(for: "someone"))
        #expect(letter.email == "someone@b.test")
        #expect(try await authority.isOpen(letter.token))
        let grant = try await under.grant("someone")
        guard case .weak = try await authority.reset(letter.token, to: "short"),
            case .done = try await authority.reset(letter.token, to: Self.newPassword),
            case .closed = try await authority.reset(letter.token, to: Self.newPassword + "s")
        else {
            Issue.record("a way is open until it is used")
            return
        }
        #expect(try await owner(Self.newPassword) != nil)
        #expect(try await !under.isGood(grant.accessToken))
    }

    @Test func theWayClosesAfterHalfAnHour() async throws {
        let letter = try #require(try await authority.resetLetter(for: "someone"))
        under.clock.advance(by: IdentityStore.resetLifetime - 1)
        #expect(try await authority.isOpen(letter.token))
        under.clock.advance(by: 1)
        #expect(try await !authority.isOpen(letter.token))
        guard case .closed = try await authority.reset(letter.token, to: Self.newPassword) else {
            Issue.record("an old way is closed")
            return
        }
    }

    /// Whoever asks for another letter closes nobody's way, and using one way closes all.
    @Test func everyLetterIsGoodUntilOneIsUsed() async throws {
        let first = try #require(try await authority.resetLetter(for: "someone"))
        #expect(try await authority.resetLetter(for: "someone") == nil)
        under.clock.advance(by: 300)
        let second = try #require(try await authority.resetLetter(for: "someone"))
        #expect(try await authority.isOpen(first.token))
        guard case .done = try await authority.reset(first.token, to: Self.newPassword) else {
            Issue.record("the first letter is good")
            return
        }
        #expect(try await !authority.isOpen(second.token))
    }

    /// What is written of a name tells nothing of whether somebody has it.
    @Test func theSameIsWrittenOfEveryName() async throws {
        try await under.add("silent")
        func counts() async throws -> [Int] {
            try await authority.store.looking { db in
                try ["password_reset", "password_reset_ask"].map {
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0
                }
            }
        }
        for (number, name) in ["someone", "silent", "nobody", "Not A Name"].enumerated() {
            _ = try await authority.resetLetter(for: name)
            #expect(try await counts() == [number + 1, number + 1])
        }
        // What is over is forgotten.
        under.clock.advance(by: 86_400)
        _ = try await authority.resetLetter(for: "someone")
        #expect(try await counts() == [1, 1])
    }

    @Test func nobodysLetterBoxIsFilled() async throws {
        var count = 0
        for _ in 0..<100 {
            if try await authority.resetLetter(for: "someone") != nil { count += 1 }
            under.clock.advance(by: 300)
        }
        // Twenty-five thousand seconds of a day's.
        // Twelve within an hour, and one an hour from then on.
        #expect(count == IdentityStore.quickResetCountMax + 7)
        under.clock.advance(by: 86_400)
        #expect(try await authority.resetLetter(for: "someone") != nil)
    }

    @Test func aChangeOfPasswordOrAddressClosesTheWay() async throws {
        let name = try AccountName("someone")
        let letter = try #require(try await authority.resetLetter(for: "someone"))
        try await authority.setEmail("other@b.test", of: name)
        #expect(try await !authority.isOpen(letter.token))
        under.clock.advance(by: 300)
        let second = try #require(try await authority.resetLetter(for: "someone"))
        try await authority.setPassword(Self.newPassword, of: name)
        #expect(try await !authority.isOpen(second.token))
    }

    @Test func thereAreNoLettersForOthers() async throws {
        try await under.add("silent")
        let name = try AccountName("someone")
        for text in ["silent", "nobody", "", "Not A Name"] {
            #expect(try await authority.resetLetter(for: text) == nil)
        }
        try await authority.setDisabled(true, name)
        #expect(try await authority.resetLetter(for: "someone") == nil)
    }

    @Test func aClosedNameIsOpenAgainAfterAReset() async throws {
        for _ in 0..<100 {
            _ = try await owner(AuthorityUnderTest.wrongPassword)
            under.clock.advance(by: 1000)
        }
        #expect(try await owner() == nil)
        let letter = try #require(try await authority.resetLetter(for: "someone"))
        _ = try await authority.reset(letter.token, to: Self.newPassword)
        #expect(try await owner(Self.newPassword) != nil)
    }

    @Test func anAddressThatIsNoneIsRefused() async throws {
        let name = try AccountName("someone")
        await #expect(throws: IdentityFault.badEmail("a@b.test\nBcc: x")) {
            try await authority.setEmail("a@b.test\nBcc: x", of: name)
        }
    }
}
