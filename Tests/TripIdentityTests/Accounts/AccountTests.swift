import Crypto
import Foundation
import GRDB
import Synchronization
import Testing

@testable import TripIdentity

/// Keeps the faults that a log would receive.
final class CollectedFaults: Sendable {
    private let state = Mutex<[String]>([])

    var codes: [String] { state.withLock { $0 } }

    func note(_ fault: IdentityFault) { state.withLock { $0.append(fault.code) } }
}

/// The changes that owners make to their own accounts.
@Suite struct AccountTests {
    private let under: AuthenticationServiceUnderTest
    private var authentication: AuthenticationService { under.authentication }
    private static let newPassword = "yet another way to the river"

    init() async throws {
        under = try await AuthenticationServiceUnderTest()
        try await under.add("someone")
        try await authentication.setEmail("someone@b.test", of: try AccountName("someone"))
    }

    private func owner(
        _ password: String = AuthenticationServiceUnderTest.password
    ) async throws -> AuthenticationService.SignedIn? {
        guard case .accepted(let owner) = try await authentication.signIn("someone", password)
        else {
            return nil
        }
        return owner
    }

    private func ticket() async throws -> String {
        let owner = try #require(try await owner())
        return authentication.ticket(for: owner)
    }

    @Test func aTicketIsGoodForTenMinutes() async throws {
        let ticket = try await ticket()
        #expect(try await authentication.holder(of: ticket)?.account.name.text == "someone")
        under.clock.advance(by: 599)
        #expect(try await authentication.holder(of: ticket) != nil)
        under.clock.advance(by: 1)
        #expect(try await authentication.holder(of: ticket) == nil)
    }

    @Test func everyByteOfATicketIsChecked() async throws {
        let bytes = try #require(Base64URL.bytes(try await ticket()))
        for offset in bytes.indices {
            var changed = bytes
            changed[offset] ^= 1
            #expect(try await authentication.holder(of: Base64URL.text(changed)) == nil)
        }
        for text in ["", "A", Base64URL.text(bytes.dropLast()), Base64URL.text(bytes + [0])] {
            #expect(try await authentication.holder(of: text) == nil)
        }
    }

    @Test func aPasswordDoesNotExpireByItself() async throws {
        under.clock.advance(by: 20 * 365 * 86_400)
        #expect(try await owner() != nil)
    }

    @Test func aTicketEndsWithItsPasswordAndItsAccount() async throws {
        let ticket = try await ticket()
        let name = try AccountName("someone")
        try await authentication.setDisabled(true, name)
        #expect(try await authentication.holder(of: ticket) == nil)
        try await authentication.setDisabled(false, name)
        // A person with an earlier ticket must sign in again.
        #expect(try await authentication.holder(of: ticket) == nil)
        let later = try await self.ticket()
        let owner = try #require(try await authentication.holder(of: later))
        let grant = try await under.grant("someone")
        guard case .done = try await authentication.setPassword(Self.newPassword, for: owner) else {
            Issue.record("an owner sets a password")
            return
        }
        #expect(try await authentication.holder(of: later) == nil)
        #expect(try await !under.isGood(grant.accessToken))
        #expect(try await self.owner() == nil)
        #expect(try await self.owner(Self.newPassword) != nil)
        guard case .weak = try await authentication.setPassword("short", for: owner) else {
            Issue.record("a short password is weak")
            return
        }
    }

    /// This includes a ticket that was checked before the password was replaced.
    @Test func aSignInWithAReplacedPasswordSetsNone() async throws {
        let stale = try #require(try await owner())
        let name = try AccountName("someone")
        try await authentication.setPassword(Self.newPassword, of: name)
        guard
            case .closed = try await authentication.setPassword(
                "one more way to the sea",
                for: stale
            )
        else {
            Issue.record("a password was overwritten")
            return
        }
        #expect(try await owner(Self.newPassword) != nil)
        let disabled = try #require(try await owner(Self.newPassword))
        try await authentication.setDisabled(true, name)
        guard
            case .closed = try await authentication.setPassword(
                "one more way to the sea",
                for: disabled
            )
        else {
            Issue.record("a disabled account's password was set")
            return
        }
        let record = try String(
            contentsOfFile: under.folder.path + "/access-record",
            encoding: .utf8
        )
        // A change that was not made is not recorded; only the operator's change is.
        #expect(record.ranges(of: "\tpassword_set\t").count == 1)
    }

    /// The user reads that the password cannot be checked; the log receives the reason.
    @Test func noPasswordIsSetThatWasStolenOrCannotBeChecked() async throws {
        let (list, heard) = (WrittenFile(), CollectedFaults())
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
        guard case .weak(.notChecked) = try await other.setPassword(Self.newPassword, for: owner)
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

    @Test func aLinkSetsAPasswordOnce() async throws {
        let link = try #require(try await authentication.passwordResetEmail(for: "someone"))
        #expect(link.email == "someone@b.test")
        #expect(try await authentication.isOpen(link.token))
        let grant = try await under.grant("someone")
        guard case .weak = try await authentication.reset(link.token, to: "short"),
            case .done = try await authentication.reset(link.token, to: Self.newPassword),
            case .closed = try await authentication.reset(link.token, to: Self.newPassword + "s")
        else {
            Issue.record("a way is open until it is used")
            return
        }
        #expect(try await owner(Self.newPassword) != nil)
        #expect(try await !under.isGood(grant.accessToken))
    }

    @Test func aLinkExpiresAfterHalfAnHour() async throws {
        let link = try #require(try await authentication.passwordResetEmail(for: "someone"))
        under.clock.advance(by: IdentityStore.resetLifetime - 1)
        #expect(try await authentication.isOpen(link.token))
        under.clock.advance(by: 1)
        #expect(try await !authentication.isOpen(link.token))
        guard case .closed = try await authentication.reset(link.token, to: Self.newPassword) else {
            Issue.record("an old way is closed")
            return
        }
    }

    /// A request for another link does not invalidate earlier links, and using one invalidates all.
    @Test func everyLinkIsValidUntilOneIsUsed() async throws {
        let first = try #require(try await authentication.passwordResetEmail(for: "someone"))
        #expect(try await authentication.passwordResetEmail(for: "someone") == nil)
        under.clock.advance(by: 300)
        let second = try #require(try await authentication.passwordResetEmail(for: "someone"))
        #expect(try await authentication.isOpen(first.token))
        guard case .done = try await authentication.reset(first.token, to: Self.newPassword) else {
            Issue.record("the first link is good")
            return
        }
        #expect(try await !authentication.isOpen(second.token))
    }

    /// The rows written for a name do not show whether an account has it.
    @Test func theSameRowsAreWrittenForEveryName() async throws {
        try await under.add("silent")
        func counts() async throws -> [Int] {
            try await authentication.store.reading { db in
                try ["password_reset", "password_reset_ask"].map {
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0
                }
            }
        }
        for (number, name) in ["someone", "silent", "nobody", "Not A Name"].enumerated() {
            _ = try await authentication.passwordResetEmail(for: name)
            #expect(try await counts() == [number + 1, number + 1])
        }
        // Expired rows are deleted.
        under.clock.advance(by: 86_400)
        _ = try await authentication.passwordResetEmail(for: "someone")
        #expect(try await counts() == [1, 1])
    }

    @Test func theNumberOfEmailsIsLimited() async throws {
        var count = 0
        for _ in 0..<100 {
            if try await authentication.passwordResetEmail(for: "someone") != nil { count += 1 }
            under.clock.advance(by: 300)
        }
        // In thirty thousand seconds there are twelve e-mails within the first hour, and one per
        // hour from then on.
        #expect(count == IdentityStore.quickResetCountMax + 7)
        under.clock.advance(by: 86_400)
        #expect(try await authentication.passwordResetEmail(for: "someone") != nil)
    }

    @Test func aChangeOfPasswordOrAddressInvalidatesTheLink() async throws {
        let name = try AccountName("someone")
        let link = try #require(try await authentication.passwordResetEmail(for: "someone"))
        try await authentication.setEmail("other@b.test", of: name)
        #expect(try await !authentication.isOpen(link.token))
        under.clock.advance(by: 300)
        let second = try #require(try await authentication.passwordResetEmail(for: "someone"))
        try await authentication.setPassword(Self.newPassword, of: name)
        #expect(try await !authentication.isOpen(second.token))
    }

    @Test func noEmailIsSentForOtherNames() async throws {
        try await under.add("silent")
        let name = try AccountName("someone")
        for text in ["silent", "nobody", "", "Not A Name"] {
            #expect(try await authentication.passwordResetEmail(for: text) == nil)
        }
        try await authentication.setDisabled(true, name)
        #expect(try await authentication.passwordResetEmail(for: "someone") == nil)
    }

    @Test func aResetReopensAClosedName() async throws {
        for _ in 0..<100 {
            _ = try await owner(AuthenticationServiceUnderTest.wrongPassword)
            under.clock.advance(by: 1000)
        }
        #expect(try await owner() == nil)
        let link = try #require(try await authentication.passwordResetEmail(for: "someone"))
        _ = try await authentication.reset(link.token, to: Self.newPassword)
        #expect(try await owner(Self.newPassword) != nil)
    }

    @Test func anInvalidAddressIsRefused() async throws {
        let name = try AccountName("someone")
        await #expect(throws: IdentityFault.badEmail("a@b.test\nBcc: x")) {
            try await authentication.setEmail("a@b.test\nBcc: x", of: name)
        }
    }
}
