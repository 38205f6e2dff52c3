import Foundation
import Testing

@testable import TripPipeline

@Suite final class FileTextTests {
    private let folder =
        FileManager.default.temporaryDirectory
        .appendingPathComponent("triptych-text-" + UUID().uuidString).path

    init() throws {
        for name in ["base/sub", "other"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name,
                withIntermediateDirectories: true
            )
        }
        for name in ["base/a.csv", "base/sub/b.csv", "other/c.csv"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
    }

    deinit {
        // A folder that remains does no harm.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var base: String { folder + "/base" }

    private func refusal(_ name: String, in base: String) -> String? {
        do throws(PipelineFault) {
            _ = try FileText.read(name, in: base)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: ["a.csv", "sub/b.csv", "./a.csv", "sub//b.csv", "near.csv"])
    func filesBelowTheFolderAreRead(name: String) throws {
        symlink("sub/b.csv", base + "/near.csv")
        #expect(refusal(name, in: base) == nil)
        // The folder itself may be a link.
        symlink("base", folder + "/link")
        #expect(refusal(name, in: folder + "/link") == nil)
        #expect(refusal(name, in: base + "/sub/..") == nil)
    }

    @Test(arguments: [
        "../other/c.csv", "sub/../../other/c.csv", "/etc/hosts", "..", "..//a.csv",
        "/\u{301}a.csv",
    ])
    func pathsOutOfTheFolderAreRefused(name: String) {
        #expect(refusal(name, in: base)?.contains("leads out") == true)
    }

    @Test func linksOutOfTheFolderAreRefused() {
        symlink("../other/c.csv", base + "/out.csv")
        symlink("../other", base + "/out")
        symlink(folder + "/base-more.csv", base + "/more.csv")
        symlink("c.csv", folder + "/base-more.csv")
        #expect(refusal("out.csv", in: base)?.contains("link leads out") == true)
        #expect(refusal("out/c.csv", in: base)?.contains("link leads out") == true)
        #expect(refusal("more.csv", in: base)?.contains("cannot be opened") == true)
    }

    @Test func onlyFilesAreRead() {
        #expect(mkfifo(base + "/pipe.csv", 0o600) == 0)
        #expect(refusal("pipe.csv", in: base)?.contains("no regular file") == true)
        #expect(refusal("sub", in: base)?.contains("Is a directory") == true)
        #expect(refusal("", in: base) == "the path is blank")
        #expect(refusal("a\n.csv", in: base)?.contains("show nothing") == true)
    }

    @Test func aPathIsResolvedAsFarAsItExists() {
        let resolved = FileText.resolved(folder)
        symlink("base", folder + "/link")
        #expect(FileText.resolved(folder + "/link/none/x") == resolved + "/base/none/x")
        #expect(FileText.resolved("/") == "/" && FileText.resolved("/none/x") == "/none/x")
        #expect(FileText.resolved("none") == FileText.resolved(".") + "/none")
        #expect(FileText.resolved("none/x") == FileText.resolved(".") + "/none/x")
        let long = String(repeating: "/x", count: 2000)
        #expect(FileText.resolved(long) == long)
    }

    @Test func pathsAreComparedByteByByte() {
        #expect(FileText.isBelow("/m/a", "/m") && FileText.isBelow("/m/a", "/m/"))
        #expect(!FileText.isBelow("/mart.key", "/mart") && FileText.isBelow("/a", "/"))
        #expect(!FileText.isBelow("/Qu\u{E9}/a", "/Que\u{301}"))
        #expect(FileText.isBelow("/m/\u{301}a", "/m"))
    }

    @Test func everyNameOfAFolderIsReturned() {
        #expect(FileText.names(in: base) == ["a.csv", "sub"])
        #expect(FileText.names(in: base + "/none") == nil)
    }
}
