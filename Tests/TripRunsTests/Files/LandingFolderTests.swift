import Glibc
import Testing

@testable import TripRuns

@Suite struct LandingFolderTests {
    private let folder: RunFolder

    private var landing: LandingFolder { LandingFolder(path: folder.path + "/in") }

    init() throws { folder = try RunFolder() }

    /// Each entry's path and what is found of it: `file`, `folder`, or why it cannot be read.
    private func found() throws -> [String: String] {
        var found: [String: String] = [:]
        for entry in try landing.entries() {
            found[entry.path] =
                switch entry.kind {
                case .file: "file"
                case .folder: "folder"
                case .unreadable(let objection): objection.finding
                }
        }
        return found
    }

    @Test func everyEntryIsFound() throws {
        let path = folder.path + "/in/"
        try folder.write("in/a.csv", "x")
        try folder.write("in/sub/b.csv", "x")
        try folder.write("elsewhere/c.csv", "x")
        #expect(symlink("a.csv", path + "link.csv") == 0)
        #expect(symlink("none.csv", path + "dead.csv") == 0)
        #expect(symlink("loop.csv", path + "loop.csv") == 0)
        #expect(symlink("../elsewhere", path + "linked") == 0)
        #expect(mkfifo(path + "pipe.csv", 0o600) == 0)
        #expect(mkdir(path + "x.csv", 0o700) == 0)
        #expect(
            try found() == [
                "a.csv": "file", "sub": "folder", "sub/b.csv": "file", "link.csv": "file",
                "dead.csv": "is a link that points nowhere",
                "loop.csv":
                    "is a link that cannot be followed (Too many levels of symbolic links)",
                "linked": "is a link to a folder; links are followed to files alone",
                "pipe.csv": "is a named pipe, not a file", "x.csv": "folder",
            ]
        )
    }

    @Test func aNameOfOtherBytesIsShownWithEscapes() throws {
        let name = Array((folder.path + "/in/caf").utf8) + [0xE9] + Array(".csv".utf8) + [0]
        let descriptor = open(name.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(try found() == ["caf\\xE9.csv": "has a name that is not UTF-8 text"])
    }

    @Test func aNameThatBreaksALineIsShownOnOne() throws {
        try folder.write("in/a\nb.csv", "x")
        let entry = try #require(try landing.entries().first)
        guard case .file(let file) = entry.kind else {
            Issue.record("it is a file")
            return
        }
        #expect(file.path == "a\\nb.csv")
        #expect(FileState(path: landing.location(of: file)) == file.state)
    }

    @Test func aFolderThatIsTooDeepIsNamed() throws {
        let deep = (1...17).map { "d\($0)" }.joined(separator: "/")
        try folder.write("in/\(deep)/a.csv", "x")
        let finding = try found()[deep]
        #expect(finding?.hasPrefix("lies more than 16 folders deep") == true)
        #expect(try found()[deep + "/a.csv"] == nil)
    }

    @Test func whatSystemsLeaveIsPassedOver() throws {
        for name in [".snapshot/a.csv", "lost+found/b.csv", "__MACOSX/c.csv"] {
            try folder.write("in/" + name, "x")
        }
        #expect(symlink("someone@host:1", folder.path + "/in/.#a.csv") == 0)
        #expect(try found().isEmpty)
    }

    @Test func aFolderThatIsNotThereIsAnError() throws {
        #expect(throws: RunError.self) { try LandingFolder(path: "/nowhere").entries() }
    }
}
