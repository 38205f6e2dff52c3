import TestSupport
import Testing
import TripEngine

@testable import TripPipeline
@testable import TripRuns

@Suite struct FileRegisterTests {
    private func source(
        _ replaces: SourceDefinition.Replacement
    ) throws -> SourceDefinition {
        let period = replaces == .period ? ", period: \"claims_(\\\\d{6})\"" : ""
        let text = MinimalPipeline.text.replacing(
            "{files: \"*.csv*\"}",
            with: "{files: \"*.csv*\", order: \"claims_(\\\\d+)\", replaces: \(replaces.rawValue)"
                + period + "}"
        )
        let pipeline = try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))])
        return pipeline.sources[0]
    }

    private func entry(
        _ path: String,
        _ sequence: Int,
        hash: String,
        source: SourceDefinition
    ) throws -> FileRegister.Entry {
        FileRegister.Entry(
            sourceIndex: 0,
            path: path,
            sequence: sequence,
            contentHash: hash,
            archiveHash: hash,
            orderKey: try #require(FileRegister.orderKey(path: path, source: source)),
            period: try #require(FileRegister.period(path: path, source: source)),
            isNew: true,
            takenIn: nil
        )
    }

    @Test func aLaterContentOfAPathReplacesTheEarlierOne() throws {
        let source = try source(.samePath)
        let register = FileRegister(
            [
                try entry("claims_2.csv", 1, hash: "b", source: source),
                try entry("claims_1.csv.gz", 2, hash: "c", source: source),
                try entry("claims_1.csv", 1, hash: "a", source: source),
            ],
            sources: [source]
        )
        #expect(register.entries.map(\.contentHash) == ["a", "c", "b"])
        #expect(register.isCurrent == [false, true, true])
    }

    @Test func aPeriodIsCoveredByItsLatestFile() throws {
        let source = try source(.period)
        let register = FileRegister(
            [
                try entry("claims_20260103.csv", 1, hash: "c", source: source),
                try entry("claims_20260101.csv", 1, hash: "a", source: source),
                try entry("claims_20260201.csv", 1, hash: "d", source: source),
                try entry("claims_20260102.csv", 1, hash: "b", source: source),
            ],
            sources: [source]
        )
        #expect(register.entries.map(\.contentHash) == ["a", "b", "c", "d"])
        #expect(register.isCurrent == [false, false, true, true])
    }

    @Test func theOrderOfArrivalHasNoEffect() throws {
        for replaces in SourceDefinition.Replacement.allCases {
            let source = try source(replaces)
            let entries = try [
                entry("claims_20260101.csv", 1, hash: "e", source: source),
                entry("claims_20260101.csv", 2, hash: "a", source: source),
                entry("claims_20260102.csv", 1, hash: "c", source: source),
                entry("old/claims_20260101.csv", 1, hash: "d", source: source),
            ]
            let expected = FileRegister(entries, sources: [source])
            for shift in 1..<entries.count {
                let shuffled = Array(entries[shift...] + entries[..<shift].reversed())
                let register = FileRegister(shuffled, sources: [source])
                #expect(register.entries == expected.entries)
                #expect(register.isCurrent == expected.isCurrent)
            }
        }
    }
}
