import Testing

@testable import TripRuns

@Suite struct NameMarksTests {
    private static func readings(_ path: String) -> [(NameMarks.Mark, String)] {
        NameMarks.readings(of: Array(path.utf8)).map {
            ($0.mark, String(decoding: $0.base, as: UTF8.self))
        }
    }

    @Test(arguments: [
        "a.csv.part", "a.csv.partial", "a.csv.filepart", "a.csv.crdownload", "a.csv.tmp",
        "a.csv.PART", ".a.csv", "..a.csv", ".a.csv.swp", ".a.csv.Xy12Zq", "a.csv.1a2b3c4d.partial",
        "a.csv.!ut", "a.csv.part.gz",
    ])
    func unfinishedFilesAreKnownByTheirNames(name: String) {
        let readings = Self.readings(name)
        #expect(readings.contains { $0.1 == "a.csv" })
        #expect(readings.allSatisfy { $0.0 == .unfinished })
    }

    @Test(arguments: [
        "a.csv.bad", "a.csv.BAK", "a.csv~", "a.csv.old", "a.csv.orig", "a.csv.1", "a.csv.12",
        "a.csv.~1~", "~$a.csv", "~a.csv", "#a.csv#", "a.csv.rej", "a.csv.save", "a.csv.bad.gz",
        "a.csv.bak.1",
    ])
    func copiesThatWereSetAsideAreKnownByTheirNames(name: String) {
        let readings = Self.readings(name)
        #expect(readings.contains { $0.0 == .setAside && $0.1 == "a.csv" })
    }

    @Test(arguments: [
        "a - Copy.csv", "a - Copy (2).csv", "Copy of a.csv", "a copy.csv", "a copy 2.csv",
        "a.bad.csv", "a.old.csv",
    ])
    func namesOfCopiesMayBeThoseOfExports(name: String) {
        let readings = Self.readings(name)
        #expect(readings.contains { $0.0 == .copy && $0.1 == "a.csv" })
        #expect(readings.allSatisfy { $0.0 == .copy })
    }

    @Test(arguments: [
        "a.csv", "a.csv.gz", "claims_20261101.csv", "a_copy.csv", "a (1).csv", "claims.001",
        "a.csv.20261101", "sub/a.csv", "2026.1/a.csv", "", "photocopy.csv", "a.b.csv",
    ])
    func otherNamesHaveNoMark(name: String) {
        #expect(Self.readings(name).isEmpty)
    }

    @Test func theOutermostMarkCounts() {
        let readings = Self.readings("in/a.csv.bad.part").prefix(2)
        #expect(readings.map(\.0) == [.unfinished, .unfinished])
        #expect(readings.map(\.1) == ["in/a.csv.bad", "in/a.csv"])
    }

    @Test func foldersAreSetAsideAsWell() {
        #expect(Self.readings("2026.bak/a.csv").map(\.1) == ["2026/a.csv"])
        #expect(Self.readings("x/2026~/a.csv").map(\.1) == ["x/2026/a.csv"])
        #expect(Self.readings("a.csv.download/a.csv").map(\.0) == [.unfinished])
    }

    @Test func whatScriptsHaveProcessedIsNoBadCopy() {
        #expect(Self.readings("a.csv.done").map(\.0) == [.processed])
    }
}
