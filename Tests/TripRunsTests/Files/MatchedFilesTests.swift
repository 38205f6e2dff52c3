import Glibc
import Testing

@testable import TripPipeline
@testable import TripRuns

@Suite struct MatchedFilesTests {
    private static func source(_ globs: [String]) throws -> SourceDefinition {
        let list = globs.map { "\"\($0)\"" }.joined(separator: ", ")
        let text = RunPipeline.text().replacing("\"**/*.csv*\"", with: "[\(list)]")
        let file = PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))
        return try PipelineReader.read(files: [file]).sources[0]
    }

    private static func entry(
        _ path: String,
        _ kind: LandingEntry.Kind? = nil
    ) -> LandingEntry {
        let state = FileState(stat())
        let file = LandingFile(path: path, location: path, state: state)
        return LandingEntry(path: path, bytes: Array(path.utf8), kind: kind ?? .file(file))
    }

    private static func matched(
        _ paths: [String],
        _ globs: [String] = ["*.csv"],
        known: [String] = []
    ) throws -> MatchedFiles {
        try MatchedFiles(
            entries: paths.map { entry($0) },
            sources: [source(globs)],
            now: 1_793_513_640,
            skipped: PathSet([String]()),
            known: known
        )
    }

    @Test(arguments: [
        "a.csv.bad", "a.csv.bak", "a.csv~", "a.csv.old", "a.csv.orig", "a.csv.1", "~$a.csv",
        "a - Copy.csv", "Copy of a.csv", "a.bad.csv", "a.csv.bad.gz", "#a.csv#",
    ])
    func aCopyThatWasSetAsideIsNeverRead(name: String) throws {
        for globs in [["*.csv"], ["*.csv*"], ["*"], ["a*"], ["**/*.csv*"]] {
            let files = try Self.matched([name, "a.csv"], globs)
            #expect(files.arrivals.map(\.file.path) == ["a.csv"], "\(globs)")
            // A name that no pattern can claim is named as well, as unclaimed.
            #expect(files.unread.map(\.path) + files.unclaimed == [name], "\(globs)")
        }
    }

    @Test(arguments: [
        "a.csv.filepart", "a.csv.crdownload", "a.csv.partial", "a.csv.swp", "a.csv.part",
        "a.csv.tmp", ".a.csv", ".a.csv.swp", "a.csv.upload",
    ])
    func anUploadWaits(name: String) throws {
        for globs in [["*.csv"], ["*.csv*"], ["*"]] {
            let files = try Self.matched([name], globs)
            #expect(files.arrivals.isEmpty && files.unread.map(\.fate) == [.waits], "\(globs)")
            #expect(files.unread.map(\.isInDoubt) == [false], "\(globs)")
        }
    }

    @Test func aCopyWithoutTheExportIsInDoubt() throws {
        #expect(try Self.matched(["a.csv.bad", "a.csv"]).unread.map(\.isInDoubt) == [false])
        #expect(try Self.matched(["a.csv.bad", "a.csv.gz"]).unread.map(\.isInDoubt) == [false])
        #expect(try Self.matched(["a.csv.bad"]).unread.map(\.isInDoubt) == [true])
        #expect(
            try Self.matched(["a.csv.bad"], known: ["a.csv"]).unread.map(\.isInDoubt) == [true]
        )
        // What an earlier version took in of it still counts, so it is said.
        let read = try Self.matched(["a.csv.bad", "a.csv"], known: ["a.csv.bad"])
        #expect(read.unread.map(\.isInDoubt) == [true])
        #expect(
            try Self.matched(["a.csv.done"], known: ["a.csv"]).unread.map(\.isInDoubt) == [false]
        )
    }

    @Test func aNameThatMayBeThatOfACopyIsReadWhereThereIsNoOriginal() throws {
        let files = try Self.matched(["a - Copy.csv", "b.old.csv"])
        #expect(files.arrivals.count == 2 && files.unread.isEmpty)
        let known = try Self.matched(["a - Copy.csv"], known: ["a.csv"])
        #expect(known.arrivals.isEmpty && known.unread.map(\.isInDoubt) == [true])
    }

    @Test func anUnknownEndingIsACopyWhereTheExportIsThere() throws {
        let files = try Self.matched(["a.csv", "a.csv-wrong", "b.csv_2"], ["*.csv*"])
        #expect(files.arrivals.map(\.file.path) == ["a.csv", "b.csv_2"])
        #expect(files.unread.map(\.path) == ["a.csv-wrong"])
        let numbered = try Self.matched(["claims", "claims_1", "claims_2"], ["claims*"])
        #expect(numbered.arrivals.count == 3)
    }

    @Test func aPatternAboutMarkedNamesClaimsThem() throws {
        let files = try Self.matched(["a.csv", "a.bak", "b.csv.old"], ["*.csv", "*.bak", "*.old"])
        #expect(files.arrivals.count == 3)
        #expect(try Self.matched(["x.1", "x.2"], ["x.*"]).arrivals.count == 2)
    }

    @Test func aPatternClaimsPlainAndCompressedFiles() throws {
        let files = try Self.matched(["a.csv", "b.csv.gz", "c.gz", "d.csv.gz.gz"])
        #expect(files.arrivals.map(\.file.path) == ["a.csv", "b.csv.gz"])
        #expect(files.unclaimed == ["c.gz", "d.csv.gz.gz"])
        // Two sources, one for each kind, as pipelines had to have them.
        let sources = try [Self.source(["*.csv"]), Self.source(["*.csv.gz"])]
        let both = try MatchedFiles(
            entries: ["a.csv", "b.csv.gz"].map { Self.entry($0) },
            sources: sources,
            now: 0,
            skipped: PathSet([String]())
        )
        #expect(both.arrivals.map(\.sourceIndex) == [0, 1])
    }

    @Test func whatCannotBeReadIsRefusedWhereASourceClaimsIt() throws {
        let objection = LandingEntry.Objection(finding: "is odd", remedy: "Mend it.")
        var hiding = objection
        hiding.hidesEntries = true
        func matched(_ path: String, _ kind: LandingEntry.Kind, _ glob: String) throws -> [Int] {
            let files = try MatchedFiles(
                entries: [Self.entry(path, kind)],
                sources: [Self.source([glob])],
                now: 0,
                skipped: PathSet([String]())
            )
            #expect(files.arrivals.isEmpty)
            let isNamed = files.unread.allSatisfy { $0.isInDoubt && $0.fate == .notRead }
            #expect(isNamed)
            return [files.unreadable.count, files.unread.count]
        }
        #expect(try matched("a.csv", .unreadable(objection), "*.csv") == [1, 0])
        #expect(try matched("a.txt", .unreadable(objection), "*.csv") == [0, 1])
        #expect(try matched("sub", .unreadable(objection), "**/*.csv") == [0, 1])
        #expect(try matched("sub", .unreadable(hiding), "**/*.csv") == [1, 0])
        #expect(try matched("sub", .unreadable(hiding), "*.csv") == [0, 1])
        #expect(try matched("a.csv", .folder, "*.csv") == [1, 0])
        // Folders that a pattern without an ending fits are folders of exports.
        #expect(try matched("claims_2026", .folder, "claims_*") == [0, 0])
        #expect(try matched("sub", .folder, "*.csv") == [0, 0])
    }

    @Test func whatBelongsToNoDeliveryIsNotNamed() throws {
        let quiet = ["README.md", "readme", ".DS_Store", "Thumbs.db", "._a.csv", "generated.json"]
        let files = try Self.matched(quiet + ["reference/x.csv", "notes.txt"])
        #expect(files.arrivals.isEmpty && files.unread.isEmpty)
        #expect(files.unclaimed == ["notes.txt"])
    }

    @Test func aNameInOtherLettersIsInDoubt() throws {
        let files = try Self.matched(["A.CSV", "b.CSV.gz", "c.txt"])
        #expect(files.unread.map(\.path) == ["A.CSV", "b.CSV.gz"])
        #expect(files.unread.allSatisfy(\.isInDoubt) && files.unclaimed == ["c.txt"])
    }
}
