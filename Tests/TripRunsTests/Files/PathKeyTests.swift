import Testing
import TripDomain
import TripMart

@testable import TripRuns

@Suite struct PathKeyTests {
    /// A folder for runs whose exports may have any name.
    private static func folder() throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing(", order: \"trips_(\\\\d+)\"", with: "")
        )
        return folder
    }

    @Test func canonicallyEqualNamesAreTwoFiles() throws {
        let folder = try Self.folder()
        let names = ["in/Qu\u{E9}bec.csv", "in/Que\u{301}bec.csv"]
        for (index, name) in names.enumerated() {
            let line = RunPipeline.line(index + 1, cost: "1\(index).00")
            try folder.write(name, RunPipeline.header + line)
        }
        // One costs ten dollars, the other eleven: neither is mistaken for the other.
        let rehearsal = try folder.run { $0.isDryRun = true }
        #expect(rehearsal.ledger.read == LedgerAmount(items: 2, cents: 2100))
        #expect(try folder.run().trips == 2)
        #expect(try folder.run().outcome == .nothingDue)
        try folder.write(names[0], RunPipeline.header + RunPipeline.line(3))
        #expect(try folder.run().trips == 2)
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try served.files().map(\.sequence).sorted() == [1, 1, 2])
        #expect(try served.trip(id: "T-2") != nil)
    }

    @Test func aNameIsSkippedAsItIsWritten() throws {
        let folder = try Self.folder()
        let names = ["Qu\u{E9}bec.csv", "Que\u{301}bec.csv"]
        for (index, name) in names.enumerated() {
            try folder.write("in/" + name, RunPipeline.header + RunPipeline.line(index + 1))
        }
        #expect(try folder.run { $0.skippedFiles = [names[0]] }.trips == 1)
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try served.trip(id: "T-2") != nil)
    }
}
