import Glibc
import Testing

@testable import TripMart

@Suite struct FileURITests {
    @Test(arguments: [
        "plain", "Québec", "Que\u{301}bec", "日本", "a b", "100%", "a?b#c", "a&b=c", "%41", "a\nb",
        "file:x", "'\"", "\u{1F691}",
    ])
    func aFinishedFileOfAnyNameIsOpened(name: String) throws {
        let temporary = TemporaryFolder()
        let folder = temporary.path + "/" + name
        try FileSystem.makeFolder(folder, mode: 0o700)
        let path = folder + "/" + name
        let made = try RawConnection(path: path, mode: .create)
        try made.execute("CREATE TABLE t(x); INSERT INTO t VALUES(7)")
        try made.close()
        for path in [path, "/" + path] {
            let read = try RawConnection(path: path, mode: .immutable)
            #expect(try read.integer("SELECT x FROM t") == 7)
        }
        let other = try RawConnection(path: temporary.path + "/other", mode: .create)
        try other.attach(path, as: "first")
        #expect(try other.integer("SELECT x FROM first.t") == 7)
    }
}
