import Foundation
import GRDB
import Testing

@testable import TripIdentity

@Suite struct IdentityFaultTests {
    /// What the system says, its word, and what an operator reads.
    @Test(
        arguments: [
            (ENOSPC, "identity_disk_full", "the disk is full"),
            (EDQUOT, "identity_disk_full", "the disk is full"),
            (EACCES, "identity_no_permission", "this user may not"),
            (EPERM, "identity_no_permission", "this user may not"),
            (EROFS, "identity_no_permission", "mounted for reading alone"),
            (ENOENT, "identity_not_there", "is not there"),
            (EIO, "identity_folder", "error 5 of the system"),
        ] as [(Int32, String, String)]
    )
    func aFolderThatCannotBeUsedSaysWhy(number: Int32, code: String, words: String) {
        let fault = IdentityFault.folder("/accounts", errno: number)
        #expect(fault.code == code)
        #expect(fault.description.contains(words))
        #expect(fault.description.contains("/accounts"))
    }

    /// Extended codes of SQLite among them, which say where it happened.
    @Test(
        arguments: [
            (13, "identity_disk_full", "the disk is full"),
            (5, "identity_locked", "another process"),
            (517, "identity_locked", "another process"),
            (8, "identity_no_permission", "may not"),
            (1544, "identity_no_permission", "may not"),
            (11, "identity_damaged", "from its safe copy"),
            (26, "identity_damaged", "from its safe copy"),
            (9, "identity_interrupted", "Ask again"),
            (14, "identity_folder", "cannot be opened"),
            (778, "identity_store", "SQLite code 778"),
            (1, "identity_store", "SQLite code 1"),
        ] as [(Int32, String, String)]
    )
    func aStoreThatCannotBeUsedSaysWhy(result: Int32, code: String, words: String) {
        let fault = IdentityFault.store(code: result)
        #expect(fault.code == code)
        #expect(fault.description.contains(words))
    }

    /// Another secret would void every sign-in: nobody is told to make one.
    @Test func aMissingSecretIsPutBack() async throws {
        let under = try await AuthorityUnderTest()
        let path = under.folder.secretPath
        unlink(path)
        let fault = IdentityFault.folder(path, errno: ENOENT)
        await #expect(throws: fault) { _ = try await under.otherProcess() }
        #expect(fault.code == "identity_not_there")
        #expect(fault.description.contains("Put it back from its copy"))
    }

    /// Cases that mean one thing have one word each, and no other case has it.
    @Test func everyCaseHasAWordOfItsOwn() {
        let faults: [IdentityFault] = [
            .openToOthers(""), .notOurs(""), .noAccounts(""), .laterVersion(9), .malformed(""),
            .foreignKeys(""), .noSigningKey, .noSuchAccount(""), .nameTaken(""), .badName(""),
            .weakPassword(.common), .passwordFile("", .empty), .noSuchRole(""), .badEmail(""),
            .noSuchPasskey(""),
            .passwordsDiffer, .folder("", errno: EIO), .folder("", errno: ENOSPC),
            .folder("", errno: EACCES), .folder("", errno: ENOENT), .store(code: 1),
            .store(code: 5), .store(code: 9), .store(code: 11),
        ]
        let words = IdentityFault.Code.allCases.map(\.rawValue)
        #expect(Set(faults.map(\.code)) == Set(words))
        #expect(faults.count == words.count)
        #expect(words.allSatisfy { $0.hasPrefix("identity_") })
    }

    /// A driver's words quote rows; none of them comes out, by whatever way it was asked.
    @Test func aDriversWordsAreLeftOut() async throws {
        let under = try await AuthorityUnderTest()
        let store = under.authority.store
        #expect(throws: IdentityFault.store(code: 11)) {
            try store.look { try String.fetchAll($0, sql: "SELECT NULL AS secret") }
        }
        #expect(throws: IdentityFault.store(code: 1)) {
            try store.change { try $0.execute(sql: "SELECT secret") }
        }
        await #expect(throws: IdentityFault.store(code: 11)) {
            try await store.looking { try String.fetchAll($0, sql: "SELECT NULL AS secret") }
        }
        await #expect(throws: IdentityFault.store(code: 11)) {
            try await store.changing { try String.fetchAll($0, sql: "SELECT NULL AS secret") }
        }
    }
}
