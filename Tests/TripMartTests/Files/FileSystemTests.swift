import Glibc
import Testing
import TripDomain

@testable import TripMart

@Suite struct FileSystemTests {
    @Test func aFileOfAnotherAccountNamesBothAccounts() {
        for path in ["/etc/passwd", "/etc/passwd.of.nowhere"] {
            let error = FileSystem.error(EACCES, path)
            #expect(error.code == .notPermitted)
            #expect(error.remedy.contains("root") && !error.remedy.contains("disk"))
            #expect(FileSystem.error(EPERM, path, creating: true).code == .cannotCreate)
        }
    }

    @Test func aFileInThePlaceOfAFolderIsNamed() {
        let error = FileSystem.error(ENOTDIR, "/etc/passwd/triptych.sqlite")
        #expect(error.code == .notAFolder)
        #expect(error.position?.file == "/etc/passwd")
        #expect(error.remedy.contains("a folder is needed"))
        #expect(FileSystem.error(EEXIST, "/etc/passwd", creating: true).code == .notAFolder)
    }

    @Test(arguments: ["", "/below"])
    func aMartThatIsAFileIsNoMart(below: String) throws {
        let temporary = TemporaryFolder()
        let path = temporary.path + "/file"
        try FileSystem.writeNew([1], to: path, mode: 0o600)
        let folder = MartFolder(path: path + below)
        expectFailure(.notAFolder) { try folder.requireFolder() }
        expectFailure(.notAFolder) { _ = try folder.servedNumber() }
        expectFailure(.notAFolder) { try folder.create() }
        // A list of runs that is not there is that of a mart without runs.
        expectFailure(.notAFolder) { _ = try RunLog.openIfPresent(folder) }
        let none = MartFolder(path: temporary.path + "/none")
        try none.requireFolder()
        #expect(try RunLog.openIfPresent(none) == nil)
    }

    @Test func otherErrorsAreThoseOfTheDisk() {
        #expect(FileSystem.error(EIO, "x").code == .ioFailed)
        #expect(FileSystem.error(ENOSPC, "x").code == .diskFull)
        #expect(FileSystem.error(ENOENT, "x").code == .notFound)
    }
}
