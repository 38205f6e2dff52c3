import TestSupport
import Testing
import TripDomain
import TripEngine

@testable import TripPipeline

@Suite struct PipelineReaderTests {
    private func read(_ text: String) throws -> PipelineDefinition {
        try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))])
    }

    private func fault(_ text: String) -> PipelineFault? {
        #expect(throws: PipelineFault.self) { try read(text) }
    }

    @Test func theMinimalPipelineReadsAsItStands() throws {
        let pipeline = try read(MinimalPipeline.text)
        #expect(pipeline.name == "mine")
        #expect(
            pipeline.fieldColumns.map(\.name) == [
                "trip_id", "pickup_at", "pickup_at_utc", "region", "trip_type", "cost_cents",
                "owner",
            ]
        )
        #expect(pipeline.rules.map(\.id) == ["own", "vendor"])
        #expect(pipeline.ruleChanges == .hold)
        #expect(pipeline.kpis.costField == "cost")
        #expect(pipeline.sources[0].replaces == .samePath)
        #expect(pipeline.rules[1].when.line == 21)
    }

    @Test(arguments: [
        ("pipeline: mine", "pipelin: mine", "`pipeline` is missing"),
        ("time_zone: ", "timezone: ", "Did you mean `time_zone`?"),
        ("class: in_house", "class: inhouse", "Did you mean `in_house`?"),
        ("id: vendor", "id: own", "occurs twice"),
        (
            "files: \"*.csv*\"", "files: \"*.csv*\", replaces: sane_path",
            "Did you mean `same_path`?"
        ),
        ("  owner: Vehicle Owner", "  owner: &a Vehicle Owner", "anchors"),
        ("  owner: Vehicle Owner", "  owner: A\n  owner: B", "occurs twice"),
        ("  trip_id: Trip Number\n", "", "`trip_id` is missing"),
        ("M/d/yyyy H:mm", "M/d/yyyy Q", "cannot be read"),
        ("  region: VISN\n", "", "`region` is neither"),
        ("  owner: Vehicle Owner", "  Owner: Vehicle Owner", "lower-case"),
        ("because: The vehicle belongs to VA.", "from: 2026-13-01\n    because: x", "YYYY-MM-DD"),
    ])
    func aFaultIsNamedWithItsRemedy(find: String, replacement: String, words: String) {
        let text = MinimalPipeline.text.replacing(find, with: replacement)
        let fault = fault(text)
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "none")")
        #expect(fault?.file == "pipeline.yaml")
    }

    @Test func scalarsStayTheTextTheyAre() throws {
        let text = MinimalPipeline.text.replacing(
            "region: VISN",
            with: "region: {from: VISN, values: {NO: 007, 528E5: \"null\", NA: null}}"
        )
        let field = try #require(
            try read(text).sources[0].layouts[0].fields.first {
                $0.name == "region"
            }
        )
        #expect(field.valueMap == ["NO": "007", "528E5": "null", "NA": nil])
    }

    @Test func anAliasBombIsRefusedAtOnce() {
        var text = "a: &a [x,x,x,x,x,x,x,x,x]\n"
        for (level, letter) in zip("bcdefgh", "abcdefg") {
            let list = [String](repeating: "*\(letter)", count: 9).joined(separator: ",")
            text += "\(level): &\(level) [\(list)]\n"
        }
        #expect(fault(text) != nil)
    }

    @Test func aPathThatLeadsOutOfTheFolderIsRefused() {
        let text = MinimalPipeline.text.replacing("rules:", with: "rules: ../../etc/passwd\nx:")
        #expect(fault(text)?.message.contains("leads out") == true)
    }

    @Test func fieldsThatNoSourceUsesAreAFault() throws {
        let text = MinimalPipeline.text.replacing(
            "{files: \"*.csv*\"}",
            with: "{files: x, layout: a.yaml}"
        )
        let layout = "layout: a\nfields: {trip_id: i, pickup_at: p, region: r, trip_type: t}\n"
        let fault = #expect(throws: PipelineFault.self) {
            try PipelineReader.read(files: [
                PipelineFile(path: "pipeline.yaml", content: Array(text.utf8)),
                PipelineFile(path: "a.yaml", content: Array(layout.utf8)),
            ])
        }
        #expect(fault?.message.contains("used by no source") == true)
    }

    @Test func theAmbulancePipelineReads() throws {
        let pipeline = try PipelineReader.read(path: Repository.path("pipelines/ambulance"))
        #expect(pipeline.sources[0].layouts.map(\.name) == ["native", "legacy"])
        #expect(pipeline.rules.count >= 15)
        #expect(pipeline.rules.allSatisfy { !$0.decides.isEmpty && !$0.leaves.isEmpty })
    }
}
