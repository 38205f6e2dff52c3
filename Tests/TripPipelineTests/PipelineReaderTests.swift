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
        #expect(throws: PipelineFaults.self) { try read(text) }?.faults.first
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
        ("M/d/yyyy H:mm", "M/d/yyyy Q", "means nothing here"),
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
        let error = #expect(throws: PipelineFaults.self) { try read(text) }
        #expect(error?.faults.contains { $0.message.contains("leads out") } == true)
    }

    @Test func fieldsThatNoSourceUsesAreAFault() throws {
        let text = MinimalPipeline.text.replacing(
            "{files: \"*.csv*\"}",
            with: "{files: x, layout: a.yaml}"
        )
        let layout = "layout: a\nfields: {trip_id: i, pickup_at: p, region: r, trip_type: t}\n"
        let error = #expect(throws: PipelineFaults.self) {
            try PipelineReader.read(files: [
                PipelineFile(path: "pipeline.yaml", content: Array(text.utf8)),
                PipelineFile(path: "a.yaml", content: Array(layout.utf8)),
            ])
        }
        #expect(error?.faults.map(\.message).contains { $0.contains("used by no source") } == true)
    }

    /// Faults in every part and file are found at one reading, in the order of the files.
    @Test func allFaultsAreFoundAtOnce() throws {
        let text = """
            pipeline: mine
            timezone: America/New_York
            sources:
              trips: {files: "*.csv", layouts: [a.yaml, b.yaml, c.yaml], expect: dayly, setle: 1 minute}
            lookups:
              fleet: {file: fleet.csv, match: {unit: unit}, cardinality: two}
              site: {match: {nowhere: station}}
            derived: {region: "'08'", trip_type: "'BLS'"}
            kpis: {count_when: "status = 'x'", suppress_below: many, cots: cost}
            rules: rules.yaml
            checks:
              - {id: a, error_if: "reject_pct > 2", warn_if: "reject_pct > 1"}
              - {id: b}
            """
        let files = [
            "pipeline.yaml": text,
            "a.yaml": "layout: a\nfields:\n  trip_id: I\n  pickup_at: P\n"
                + "  cost: {from: C, type: monye, trim: maybe}\n  unit: {form: U}\n",
            "b.yaml": "layout: b\nfields: [\n",
            "c.yaml": "layout: c\nfields:\n  trip_id: I\n",
            "rules.yaml": "- {id: a, clas: in_house, when: unit = 'x', because: It is.}\n"
                + "- {id: A, class: inhouse, from: 2026-13-01, when: unit = 'x', because: It is.}\n",
        ]
        let error = #expect(throws: PipelineFaults.self) {
            try PipelineReader.read(
                files: files.sorted { $0.key < $1.key }.map {
                    PipelineFile(path: $0.key, content: Array($0.value.utf8))
                }
            )
        }
        let found = error?.faults.map { "\($0.file):\($0.line) \($0.message)" } ?? []
        let expected = [
            ("pipeline.yaml:2", "timezone"), ("pipeline.yaml:4", "dayly"),
            ("pipeline.yaml:4", "setle"), ("pipeline.yaml:6", "two"),
            ("pipeline.yaml:7", "`file` is missing"), ("pipeline.yaml:9", "suppress_below"),
            ("pipeline.yaml:9", "cots"), ("pipeline.yaml:12", "has both"),
            ("pipeline.yaml:13", "either"), ("a.yaml:5", "monye"), ("a.yaml:5", "maybe"),
            ("a.yaml:6", "form"), ("b.yaml:3", "not YAML"), ("c.yaml:3", "`pickup_at` is missing"),
            ("rules.yaml:1", "clas"), ("rules.yaml:1", "`class` is missing"),
            ("rules.yaml:2", "rule id `A`"), ("rules.yaml:2", "inhouse"),
            ("rules.yaml:2", "2026-13-01"),
        ]
        for (place, words) in expected {
            #expect(
                found.contains { $0.hasPrefix(place + " ") && $0.contains(words) },
                "\(place) \(words): \(found.joined(separator: "\n"))"
            )
        }
        #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
        let files2 = ["pipeline.yaml", "a.yaml", "b.yaml", "c.yaml", "rules.yaml"]
        let places = found.compactMap { line in files2.firstIndex { line.hasPrefix($0) } }
        #expect(places == places.sorted())
    }

    /// A name that could not be read is not reported where it is used.
    @Test func whatCouldNotBeReadIsNotBlamedOnItsReaders() throws {
        let text = MinimalPipeline.text
            .replacing(
                "  owner: Vehicle Owner",
                with: "  owner: {from: Vehicle Owner, trim: no way}"
            )
        let error = #expect(throws: PipelineFaults.self) { try read(text) }
        #expect(error?.faults.count == 1, "\(error?.faults ?? [])")
    }

    @Test func theAmbulancePipelineReads() throws {
        let pipeline = try PipelineReader.read(path: Repository.path("pipelines/ambulance"))
        #expect(pipeline.sources[0].layouts.map(\.name) == ["native", "legacy"])
        #expect(pipeline.rules.count >= 15)
        #expect(pipeline.rules.allSatisfy { !$0.decides.isEmpty && !$0.leaves.isEmpty })
    }
}
