import Glibc
import Testing
import TripDomain

@testable import TripMart

@Suite struct MartKeysTests {
    @Test func openingAMartWithoutGenerationsCreatesNoKey() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path + "/mart")
        let keyFile = temporary.path + "/keys/key"
        #expect(try MartKeys.open(keyFile: keyFile, for: folder) == nil)
        #expect(!FileSystem.exists(keyFile))
        let made = try MartKeys.create(keyFile: keyFile)
        let opened = try MartKeys.open(keyFile: keyFile, for: folder)
        #expect(opened?.checkValue == made.checkValue)
    }

    @Test func keyFileIsReadableForItsOwnerAlone() throws {
        let mart = try BuiltMart()
        var status = stat()
        #expect(stat(mart.keyFile, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        for mode in [mode_t(0o640), 0o604, 0o620, 0o601] {
            chmod(mart.keyFile, mode)
            expectFailure(.keyPermissions) {
                _ = try MartKeys.open(keyFile: mart.keyFile, for: mart.folder)
            }
        }
    }

    @Test func keyFileIsNeverOverwritten() throws {
        let mart = try BuiltMart()
        expectFailure(.keyExists) { _ = try MartKeys.create(keyFile: mart.keyFile) }
    }

    @Test func martWithGenerationsRefusesAMissingKey() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 6))
        unlink(mart.keyFile)
        expectFailure(.keyMissing) {
            _ = try MartKeys.open(keyFile: mart.keyFile, for: mart.folder)
        }
    }

    @Test func martWithGenerationsRefusesAnotherKey() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 6))
        let other = mart.temporary.path + "/other"
        _ = try MartKeys.create(keyFile: other)
        expectFailure(.keyWrong) { _ = try MartKeys.open(keyFile: other, for: mart.folder) }
        #expect(try MartKeys.open(keyFile: mart.keyFile, for: mart.folder) != nil)
    }

    @Test func aMartThatLostItsGenerationFilesIsNotNew() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 6))
        unlink(mart.folder.generationPath(1))
        let other = mart.temporary.path + "/other"
        _ = try MartKeys.create(keyFile: other)
        // The history files still identify the key that the mart was made with.
        expectFailure(.keyWrong) { _ = try MartKeys.open(keyFile: other, for: mart.folder) }
        unlink(mart.folder.historyPath(1))
        expectFailure(.keyMissing) {
            _ = try MartKeys.open(keyFile: mart.temporary.path + "/none", for: mart.folder)
        }
    }

    @Test(arguments: ["", "triptych key 1\n", "triptych key 1\nzz\n", "triptych key 2\n00\n"])
    func otherFilesAreRefusedAsKeyFiles(text: String) throws {
        let temporary = TemporaryFolder()
        let path = temporary.path + "/key"
        try FileSystem.writeNew(Array(text.utf8), to: path, mode: 0o600)
        expectFailure(.keyMalformed) {
            _ = try MartKeys.open(keyFile: path, for: MartFolder(path: temporary.path))
        }
    }

    @Test func aKeyFileThatCannotBeReadIsNamedAsOne() throws {
        let temporary = TemporaryFolder()
        let folder = MartFolder(path: temporary.path + "/mart")
        let loop = temporary.path + "/loop"
        #expect(symlink(loop, loop) == 0)
        expectFailure(.keyUnreadable) { _ = try MartKeys.open(keyFile: loop, for: folder) }
        let inside = loop + "/key"
        expectFailure(.keyUnreadable) { _ = try MartKeys.open(keyFile: inside, for: folder) }
        // A link to a key on a disk that is not there is no reason to make another key.
        let dead = temporary.path + "/dead"
        #expect(symlink("nowhere", dead) == 0)
        expectFailure(.keyUnreadable) { _ = try MartKeys.open(keyFile: dead, for: folder) }
        expectFailure(.keyExists) { _ = try MartKeys.create(keyFile: dead) }
        expectFailure(.keyMalformed) {
            _ = try MartKeys.open(keyFile: temporary.path, for: folder)
        }
    }

    @Test func keysAreNeverPrinted() throws {
        let mart = try BuiltMart()
        var shown = ""
        dump(mart.keys, to: &shown)
        shown += "\(mart.keys) \(String(reflecting: mart.keys))"
        let secret = String(decoding: try FileSystem.readAll(mart.keyFile), as: UTF8.self)
            .split(separator: "\n")[1]
        #expect(!shown.contains(secret.prefix(8)))
        #expect(!shown.contains(mart.keys.checkValue))
    }

    @Test func blanksAndCaseDoNotMatterForAPatient() throws {
        let keys = MartKeys(secret: [UInt8](repeating: 7, count: 32))
        let ref = keys.patientRef(Masked("1012345678V123456"))
        #expect(ref == keys.patientRef(Masked(" 1012345678v123456\t")))
        #expect(ref != keys.patientRef(Masked("1012345678V123457")))
        #expect(ref >= 0)
    }

    @Test func derivedKeysStayTheSame() throws {
        // A mart must always open with its key file: these values may never change.
        let keys = MartKeys(secret: Array(0..<32))
        #expect(keys.checkValue == "3621ce5a9d8b0cc40ea1d0cab8840a61")
        #expect(keys.patientRef(Masked("A")) == 2_464_982_056_007_556_146)
        let sealed = Hex.bytes("00000000000000000000000038e499f466e42ecf25974fd48a798e052503")
        let opened = try keys.open(sealed ?? [], table: "patient", column: "sealed", row: 1)
        #expect(opened == Array("V1".utf8))
        // References and cursors are not stored; clients keep those they were given.
        #expect(keys.ref(ofTrip: "T-1").text == "joyZWuWO4gosE2zQgmWzvA")
        let cursor = PageCursor(generation: 7, before: 99)
        #expect(keys.text(of: cursor, in: "a list") == "pJOf_UQ2qEZfaghAJr0Z_aQKNeeY2uK7")
    }
}
