import TestSupport
import Testing
import TripDomain
import TripRules

@testable import TripPipeline

@Suite struct DeclaredReaderTests {
    private static func read(_ kpis: String) throws -> PipelineDefinition {
        let text = MinimalPipeline.text + "\nkpis: {\(kpis)}\n"
        return try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))]
        )
    }

    private static func compiled(_ kpis: String) throws -> CompiledPipeline {
        try CompiledPipeline(try read(kpis), references: [], dataThrough: nil)
    }

    @Test func aMeasureHasItsKindItsFieldAndItsWords() throws {
        let measures = try Self.read(
            "measures: {stay_minutes: {median: minutes, unit: min}, paid: {sum: cost, label: Paid}}"
        ).kpis.measures.map(\.measure)
        #expect(
            measures == [
                DeclaredMeasure(
                    name: "stay_minutes",
                    kind: .median,
                    column: "minutes",
                    label: "median stay minutes",
                    unit: "min"
                ), DeclaredMeasure(name: "paid", kind: .sum, column: "cost", label: "Paid"),
            ]
        )
    }

    @Test(
        arguments: [("january", 1), ("july", 7), ("october", 10), ("december", 12)]
            as [(String, Int)]
    )
    func aFiscalYearBeginsWithItsMonth(word: String, number: Int) throws {
        #expect(try Self.read("fiscal_year: \(word)").kpis.fiscalYearStart == number)
        #expect(try Self.read("suppress_below: 5").kpis.fiscalYearStart == 10)
    }

    /// A field of money is named without its unit; the condition of a count becomes a column.
    @Test func theColumnsAreFound() throws {
        let shape = try Self.compiled(
            "measures: {paid: {mean: cost}, own: {count: \"owner = 'VA'\"}}, "
                + "dimensions: {payer: owner}"
        ).classifier.shape
        let measures = shape.declared.measures
        #expect(measures.map(\.declared.column) == ["cost_cents", "own"])
        #expect(measures.map(\.declared.amount) == [.cents, .whole])
        #expect(measures.map { shape.columns[$0.index].name } == ["cost_cents", "own"])
        #expect(shape.columns[measures[1].index].isDerived)
        #expect(shape.declared.dimensions.map { shape.columns[$0.index].name } == ["owner"])
    }

    @Test func aPipelineWithoutThemHasNoEdit() throws {
        let plain = try Self.read("suppress_below: 11")
        let declared = try Self.read("suppress_below: 11, measures: {paid: {sum: cost}}")
        #expect(DecisionText.differences(plain, declared) == ["kpis.measures"])
        let year = try Self.read("fiscal_year: july, dimensions: {payer: owner}")
        #expect(
            DecisionText.differences(plain, year) == ["kpis.dimensions", "kpis.fiscal_year"]
        )
        #expect(DecisionText.rules(of: plain) == DecisionText.rules(of: declared))
    }

    @Test(arguments: [
        ("measures: 5", "`measures` must be a map"), ("measures: {m: cost}", "must be a map"),
        ("measures: {m: {label: x}}", "has 0 of count, sum, mean, median; expected one"),
        ("measures: {m: {sum: cost, mean: cost}}", "has 2 of count"),
        ("measures: {m: {sum: cost, per: month}}", "unknown key `per`"),
        ("measures: {trips: {sum: cost}}", "gives the column `trips`, which answers have already"),
        // Whether its values are cents is not known yet.
        ("measures: {cost: {sum: cost}}", "gives the column `cost_cents`"),
        ("measures: {Big: {sum: cost}}", "`Big`"),
        ("measures: {owner: {count: \"owner = 'VA'\"}}", "has the name of a column"),
        ("dimensions: {region: owner}", "has a name that `kpi` gives a column of its own"),
        (
            "dimensions: {m: owner}, measures: {m: {sum: cost}}",
            "the dimension `m` has the name of a measure"
        ),
        ("fiscal_year: 10", "expected the month it begins with"),
        ("fiscal_year: octobre", "Did you mean `october`?"),
    ])
    func aFaultNamesTheKey(kpis: String, message: String) {
        Self.expectFault(message) { _ = try Self.read(kpis) }
    }

    @Test(arguments: [
        ("measures: {m: {sum: owner}}", "`owner` has the type text; expected a field of whole"),
        ("measures: {m: {sum: pickup_at}}", "has the type timestamp"),
        ("measures: {m: {median: minuts}}", "no field is called `minuts`"),
        ("measures: {m: {sum: cots}}", "did you mean `cost`?"),
        ("measures: {m: {count: \"owners = 'VA'\"}}", "the measure `m`"),
        ("measures: {m: {count: owner}}", "a count needs a condition"),
        ("dimensions: {d: cost}", "no field is called `cost`; expected a field of texts"),
        ("dimensions: {d: cost_cents}", "has the type money; expected a field of texts"),
    ])
    func aFaultOfTheColumnNamesIt(kpis: String, message: String) {
        Self.expectFault(message) { _ = try Self.compiled(kpis) }
    }

    @Test func thereAreNoMoreThanAnAnswerCanShow() {
        let many = (0...20).map { "m\($0): {sum: cost}" }.joined(separator: ", ")
        Self.expectFault("`measures` has 21 entries; at most 20 are published") {
            _ = try Self.read("measures: {\(many)}")
        }
        let dimensions = (0...8).map { "d\($0): owner" }.joined(separator: ", ")
        Self.expectFault("`dimensions` has 9 entries; at most 8") {
            _ = try Self.read("dimensions: {\(dimensions)}")
        }
    }

    private static func expectFault(
        _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        do {
            try body()
            Issue.record("no fault was found", sourceLocation: sourceLocation)
        } catch {
            let text = PipelineFaults(error)?.faults.map { "\($0)" }.joined() ?? "\(error)"
            #expect(text.contains(message), "\(text)", sourceLocation: sourceLocation)
        }
    }
}
