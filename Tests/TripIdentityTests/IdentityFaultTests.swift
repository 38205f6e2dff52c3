import Foundation
import GRDB
import Testing

@testable import TripIdentity

@Suite struct IdentityFaultTests {
    /// The system's error number, the code of the fault, and a part of its message.
    @Test(
        arguments: [
            (ENOSPC, "identity_disk_full", "the disk is full"),
            (EDQUOT, "identity_disk_full", "the disk is full"),
            (EACCES, "identity_no_permission", "this user lacks"),
            (EPERM, "identity_no_permission", "this user lacks"),
            (EROFS, "identity_no_permission", "mounted read-only"),
            (ENOENT, "identity_not_there", "does not exist"),
            (EIO, "identity_folder", "system error 5"),
        ] as [(Int32, String, String)]
    )
    func theMessageNamesTheCauseOfAFolderFault(number: Int32, code: String, words: String) {
        let fault = IdentityFault.folder("/accounts", errno: number)
        #expect(fault.code == code)
        #expect(fault.description.contains(words))
        #expect(fault.description.contains("/accounts"))
    }

    /// A write that ended early was no error of the system, whose number is of an earlier call.
    @Test func aWriteThatEndedEarlyFoundNoRoom() {
        errno = 0
        #expect(IdentityFolder.number(ofWritten: 3, of: 5) == ENOSPC)
        #expect(IdentityFolder.number(ofWritten: 0, of: 5) == ENOSPC)
        errno = EIO
        #expect(IdentityFolder.number(ofWritten: -1, of: 5) == EIO)
        // The bytes are written, and a call after that failed.
        errno = EIO
        #expect(IdentityFolder.number(ofWritten: 5, of: 5) == EIO)
    }

    /// The result codes include SQLite's extended codes, which are more specific.
    @Test(
        arguments: [
            (13, "identity_disk_full", "the disk is full"),
            (5, "identity_locked", "another process"),
            (517, "identity_locked", "another process"),
            (8, "identity_no_permission", "lacks"),
            (1544, "identity_no_permission", "lacks"),
            (11, "identity_damaged", "from its backup"),
            (26, "identity_damaged", "from its backup"),
            (9, "identity_interrupted", "Try again"),
            (14, "identity_folder", "cannot be opened"),
            (778, "identity_store", "SQLite code 778"),
            (1, "identity_store", "SQLite code 1"),
        ] as [(Int32, String, String)]
    )
    func theMessageNamesTheCauseOfAStoreFault(result: Int32, code: String, words: String) {
        let fault = IdentityFault.store(code: result)
        #expect(fault.code == code)
        #expect(fault.description.contains(words))
    }

    /// Another secret would void every sign-in, so that the message does not suggest to create one.
    @Test func theMessageForAMissingSecretSaysToRestoreIt() async throws {
        let under = try await AuthenticationServiceUnderTest()
        let path = under.folder.secretPath
        unlink(path)
        let fault = IdentityFault.folder(path, errno: ENOENT)
        await #expect(throws: fault) { _ = try await under.otherProcess() }
        #expect(fault.code == "identity_not_there")
        #expect(fault.description.contains("Restore it from its backup"))
    }

    /// Cases that mean the same have the same code, and no other case has that code.
    @Test func everyCodeBelongsToOneKindOfFault() {
        let faults: [IdentityFault] = [
            .openToOthers(""), .notOurs(""), .noAccounts(""), .laterVersion(9), .malformed(""),
            .externalKeys(""), .noSigningKey, .noSuchAccount(""), .nameTaken(""), .badName(""),
            .weakPassword(.common), .passwordFile("", .empty), .noSuchRole(""), .badEmail(""),
            .noSuchPasskey(""),
            .passwordsDiffer, .folder("", errno: EIO), .folder("", errno: ENOSPC),
            .folder("", errno: EACCES), .folder("", errno: ENOENT), .store(code: 1),
            .store(code: 5), .store(code: 9), .store(code: 11),
        ]
        let codes = IdentityFault.Code.allCases.map(\.rawValue)
        #expect(Set(faults.map(\.code)) == Set(codes))
        #expect(faults.count == codes.count)
        #expect(codes.allSatisfy { $0.hasPrefix("identity_") })
    }

    /// A driver's messages quote rows; no fault contains them, whichever call failed.
    @Test func messagesOfTheDriverAreLeftOut() async throws {
        let under = try await AuthenticationServiceUnderTest()
        let store = under.authentication.store
        #expect(throws: IdentityFault.store(code: 11)) {
            try store.query { try String.fetchAll($0, sql: "SELECT NULL AS secret") }
        }
        #expect(throws: IdentityFault.store(code: 1)) {
            try store.change { try $0.execute(sql: "SELECT secret") }
        }
        await #expect(throws: IdentityFault.store(code: 11)) {
            try await store.reading { try String.fetchAll($0, sql: "SELECT NULL AS secret") }
        }
        await #expect(throws: IdentityFault.store(code: 11)) {
            try await store.changing { try String.fetchAll($0, sql: "SELECT NULL AS secret") }
        }
    }
}
