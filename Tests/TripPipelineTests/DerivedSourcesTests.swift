import TestSupport
import Testing
import TripDomain

@testable import TripPipeline

/// What the kind of lines of claims and the cost are read from, where they are derived.
@Suite struct DerivedSourcesTests {
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
        let found = DerivedSources.ofLineKinds(try read(text(derived: derived)))
        #expect(Set(found.definitions.keys) == ["line_kind", "level", "kin"])
        #expect(found.files == ["codes.csv"] && found.columns == ["trip_type"])
    }

    @Test func withoutLinesNothingIsFollowed() throws {
        let found = DerivedSources.ofLineKinds(try read(MinimalPipeline.text))
        #expect(found.definitions.isEmpty && found.files.isEmpty && found.columns.isEmpty)
    }

    @Test func whatTheCostIsDerivedFromIsFollowed() throws {
        let kept =
            MinimalPipeline.text + """

                lookups:
                  colour: {file: colours.csv, match: {owner: owner}, valid_on: null}
                derived:
                  other: upper(region)
                  fee: CAST(colour.fee AS INTEGER)
                  total: cost_cents + fee
                kpis: {cost: total}
                """
        let found = DerivedSources.ofCost(try read(kept))
        #expect(Set(found.definitions.keys) == ["total", "fee", "colour"])
        #expect(found.files == ["colours.csv"] && found.columns == ["cost_cents", "owner"])
        #expect(DerivedSources.ofCost(try read(MinimalPipeline.text)).definitions.isEmpty)
    }

    @Test(arguments: [
        ("cost_cents", nil), ("coalesce(cost_cents, 0)", nil),
        ("coalesce(cost_cents, 0) + 100", "a sum of money fields"),
        ("coalesce(cost_cents, 0) + coalesce(paid_cents, 0)", "`add` lacks it"),
        ("coalesce(miles_hundredths, 0)", "a sum of money fields"),
    ])
    func theCostOfLinesIsASum(total: String, fault: String?) throws {
        let derived = "  line_kind: upper(kin)\n  total: \(total)"
        let text = text(derived: derived).replacing(
            "  claim: Claim\n",
            with: "  claim: Claim\n  paid: {from: Paid, type: money}\n"
        )
        let whole = text + "\nkpis: {cost: total}\n"
        guard let fault else {
            #expect(try read(whole).derivedCost == "total")
            return
        }
        let faults = #expect(throws: PipelineFaults.self) { try read(whole) }
        #expect(faults?.faults.map(\.message).joined().contains(fault) == true)
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
