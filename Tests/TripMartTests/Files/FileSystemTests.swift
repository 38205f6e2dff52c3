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
        #expect(error.code == .notFound)
        #expect(error.position?.file == "/etc/passwd")
        #expect(error.remedy.contains("a folder is needed"))
        #expect(FileSystem.error(EEXIST, "/etc/passwd", creating: true).code == .cannotCreate)
    }

    @Test func otherErrorsAreThoseOfTheDisk() {
        #expect(FileSystem.error(EIO, "x").code == .ioFailed)
        #expect(FileSystem.error(ENOSPC, "x").code == .diskFull)
        #expect(FileSystem.error(ENOENT, "x").code == .notFound)
    }
}
