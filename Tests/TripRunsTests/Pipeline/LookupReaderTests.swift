import Testing
import TripDomain

@testable import TripRuns

/// What a look-up may say, and what its file must hold.
@Suite struct LookupReaderTests {
    static let header = "s,from,to,x\n"

    static func trial(_ lookup: String, reference: String) -> PipelineTrial {
        var trial = FieldConsistencyTests.trial([:], more: "lookups:\n  site: {\(lookup)}\n")
        trial.references["r.csv"] = reference
        return trial
    }

    @Test(arguments: [
        ("from", "date"), ("to", "date"), ("to", "integer"), ("s", "integer"), ("s", "money"),
    ])
    func aColumnTheLookUpReadsItselfIsOfNoOtherType(column: String, type: String) throws {
        let trial = Self.trial(
            "file: r.csv, match: {region: s}, valid_on: pickup_date, types: {\(column): \(type)}",
            reference: Self.header + "08,,,1\n"
        )
        let fault = try #require(try trial.fault)
        #expect(fault.file == "pipeline.yaml" && fault.line == 10)
        #expect(fault.message.contains("'\(column)'") && fault.message.contains(type))
        #expect(fault.suggestion.contains("out of `types`"))
    }

    @Test func otherColumnsHaveTheTypeThatIsDeclared() throws {
        let trial = Self.trial(
            "file: r.csv, match: {region: s}, valid_on: pickup_date, types: {x: integer, to: text}",
            reference: Self.header + "08,,,1\n"
        )
        #expect(try trial.fault == nil)
    }
}
