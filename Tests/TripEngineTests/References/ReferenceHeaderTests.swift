import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// Column names of reference files that rules or tables could not distinguish.
@Suite struct ReferenceHeaderTests {
    @Test(arguments: [
        ("s,x,x", "'x' occurs twice"), ("s,Region,region", "'Region' and 'region'"),
        ("s,x,", "column 3 of the header has no name"),
        ("s,reference_row", "'reference_row'"), ("s,Matched", "'Matched'"),
        ("s,match_count", "'match_count'"), ("s,reference_line", "'reference_line'"),
    ])
    func aNameThatClashesIsAFaultOfTheFile(header: String, words: String) {
        let error = #expect(throws: ReferenceFaults.self) {
            try ReferenceLoader.load(
                LookupDefinition(name: "site", file: "r.csv", keys: [("region", "s")]),
                bytes: Array((header + "\n").utf8)
            )
        }
        let fault = error?.faults.first
        #expect(fault?.position == SourcePosition(file: "r.csv", lineNumber: 1))
        #expect(fault?.remedy.contains(words) == true, "\(fault?.remedy ?? "")")
    }

    @Test func lettersBeyondASCIIDifferByCase() throws {
        let table = try ReferenceLoader.load(
            LookupDefinition(name: "site", file: "r.csv", keys: [("region", "s")]),
            bytes: Array("s,Ä,ä\n08,1,2\n".utf8)
        )
        #expect(table.columnNames == ["s", "Ä", "ä"])
    }

    @Test func moreColumnsThanATableHasAreRefused() {
        let header = (0...1000).map { "c\($0)" }.joined(separator: ",") + "\n"
        #expect(throws: ReferenceFaults.self) {
            try ReferenceLoader.pairs(
                file: "r.csv",
                bytes: Array(header.utf8),
                key: "c0",
                value: "c1"
            )
        }
    }
}
