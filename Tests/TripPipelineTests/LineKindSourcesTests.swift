import TestSupport
import Testing
import TripDomain

@testable import TripPipeline

/// What the kind of lines of claims is read from, where it is derived.
@Suite struct LineKindSourcesTests {
    private func text(derived: String) -> String {
        MinimalPipeline.text
            .replacing(
                "  trips: {files: \"*.csv*\"}\n",
                with: """
                      trips:
                        files: "*.csv"
                        lines:
                          claim: claim
                          kind: line_kind
                          base: base
                          mileage: mile
                          same: pickup_at
                          add: {cost: all, miles: mileage}

                    """
            )
            .replacing(
                "  owner: Vehicle Owner\n",
                with: """
                      owner: Vehicle Owner
                      claim: Claim
                      miles: Units
                    lookups:
                      level: {file: codes.csv, match: {kin: code}, valid_on: null}
                      colour: {file: colours.csv, match: {owner: owner}, valid_on: null}
                    derived:
                      kin: upper(trip_type)
                    \(derived)

                    """
            )
    }

    private func read(_ text: String) throws -> PipelineDefinition {
        try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))])
    }

    @Test func lookupsAndDerivedFieldsAreFollowed() throws {
        let derived = "  line_kind: level.line_kind\n  other: colour.name"
        let found = LineKindSources(try read(text(derived: derived)))
        #expect(Set(found.definitions.keys) == ["line_kind", "level", "kin"])
        #expect(found.files == ["codes.csv"] && found.columns == ["trip_type"])
    }

    @Test func withoutLinesNothingIsFollowed() throws {
        let found = LineKindSources(try read(MinimalPipeline.text))
        #expect(found.definitions.isEmpty && found.files.isEmpty && found.columns.isEmpty)
    }

    @Test(arguments: ["cost_cents", "miles_hundredths"])
    func aKindThatReadsASumIsAFault(column: String) throws {
        let kind = "CASE WHEN \(column) > 0 THEN level.line_kind END"
        let faults = #expect(throws: PipelineFaults.self) {
            try read(text(derived: "  line_kind: \(kind)"))
        }
        #expect(faults?.faults.map(\.message).joined().contains("reads `\(column)`") == true)
    }
}
