import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// Faults of the whole pipeline that name the line of the part.
@Suite struct PipelineConsistencyTests {
    @Test(arguments: [
        ("kpis:\n  suppress_below: 11\n  cost: paid\n", 11, "does not name a field of type money"),
        ("derived:\n  far: \"'x'\"\nkpis: {cost: far}\n", 10, "INTEGER; this gives TEXT"),
        ("derived:\n  far: cost_cents * 0.5\nkpis: {cost: far}\n", 10, "this gives REAL"),
        ("derived:\n  far: cost_cents > 0\nkpis: {cost: far}\n", 10, "this gives a condition"),
        ("derived:\n  far: cost_cents\nkpis:\n  cost: fra\n", 12, "or a derived field of whole"),
        ("lookups:\n  site: {file: r.csv, match: {sit: s}}\n", 10, "matches `sit`"),
        (
            "derived: {area: site.a}\nlookups:\n  site: {file: r.csv, match: {area: s}}\n", 11,
            "`site` needs `area` needs `site`"
        ),
        ("lookups:\n  site: {file: r.csv, match: {cost: s}}\n", 10, "has the type money"),
        (
            "lookups:\n  site:\n    file: r.csv\n    match: {region: s}\n    valid_on: cost\n", 13,
            "which is no date"
        ),
        ("lookups:\n  region: {file: r.csv, match: {region: s}}\n", 10, "the name of a field"),
        ("derived:\n  far: \"1\"\n  pickup_date: \"2\"\n", 11, "the name of another field"),
        ("derived:\n  far: \"1\"\n  month: \"2\"\n", 11, "every trip has already"),
        ("zone_from: site.tz\n", 9, "does not exist"),
    ])
    func aFaultNamesItsOwnLine(more: String, line: Int, words: String) throws {
        let fault = try #require(try FieldConsistencyTests.trial([:], more: more).fault)
        #expect(fault.line == line && fault.message.contains(words), "\(fault)")
        #expect(fault.file == "pipeline.yaml")
    }

    @Test func namesThatDifferByCaseAloneCannotBeWritten() throws {
        let derived = FieldConsistencyTests.trial([:], more: "derived: {Region: \"'x'\"}\n")
        #expect(try derived.fault?.message.contains("lower-case") == true)
        #expect(
            try FieldConsistencyTests.trial(["Cost": "c"]).fault?.message.contains("lower") == true
        )
    }

    @Test func aCheckNamesMeasuresAndARuleOffersTheStoredName() throws {
        let check = "checks: [{id: a, warn_if: \"recrds > 1\"}]\n"
        let measure = try FieldConsistencyTests.trial([:], more: check).fault
        #expect(measure?.message.contains("there is no measure `recrds`") == true)
        #expect(measure?.message.contains("did you mean `records`?") == true)
        let rule = "rules: [{id: a, class: in_house, because: x, when: \"cost > 5\"}]\n"
        let column = try FieldConsistencyTests.trial([:], more: rule).fault
        #expect(column?.message.contains("did you mean `cost_cents`?") == true)
    }
}
