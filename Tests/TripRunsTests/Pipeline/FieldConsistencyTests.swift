import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// Fields that clash with others, or whose type does not fit.
@Suite struct FieldConsistencyTests {
    /// A pipeline of one layout with the usual fields and the given ones.
    static func trial(_ fields: [String: String], more: String = "") -> PipelineTrial {
        let usual = [
            "trip_id": "id", "pickup_at": "at", "region": "r", "trip_type": "t", "cost": "c",
        ]
        let all = usual.merging(fields) { $1 }
        let names = ["trip_id", "pickup_at", "region", "trip_type", "cost"]
        let order = names + fields.keys.filter { !names.contains($0) }.sorted()
        let lines = order.map { "  \($0): \(all[$0] ?? "")\n" }.joined()
        return PipelineTrial(
            files: [
                "pipeline.yaml": "pipeline: mine\nsources: {trips: {files: \"*.csv\"}}\n"
                    + "fields:\n" + lines + more
            ],
            export: "id,at,r,t,c,d,v,s,p\n1,2026-05-03T10:00,08,BLS,10.00,2026-05-03,8,a,P\n"
        )
    }

    @Test(arguments: [
        ("pickup_at", "{from: at, type: text}", 5, "must be timestamp"),
        ("pickup_at", "{from: at, type: date}", 5, "must be timestamp"),
        ("pickup_at", "{from: at, required: false}", 5, "always required"),
        ("trip_id", "{from: id, type: integer}", 4, "`trip_id` has the type integer"),
        ("trip_id", "{from: id, required: false, values: {'1': null}}", 4, "always required"),
        ("trip_id", "{constant: one}", 4, "one trip"),
        ("region", "{from: r, type: integer}", 6, "must be text"),
        ("cost", "{from: c, type: text}", 8, "must have the type money"),
        ("export_visn", "{from: v, type: integer}", 9, "must be text"),
        ("export_visn", "{from: v, type: decimal}", 9, "must be text"),
        ("export_visn", "{from: v, type: date}", 9, "must be text"),
        ("pickup_date", "d", 9, "both give the column `pickup_date`"),
        ("pickup_at_utc", "{from: at, type: timestamp}", 9, "ends in `_utc`"),
        ("pickup_at_utc", "v", 9, "both give the column `pickup_at_utc`"),
        ("cost_cents", "{from: v, type: integer}", 9, "both give the column `cost_cents`"),
        ("served_utc", "{from: at, type: timestamp}", 9, "ends in `_utc`"),
        ("unit", "{from: id, type: integer, split: ';'}", 9, "units are texts"),
        ("month", "d", 9, "every trip has already"),
    ])
    func aClashingFieldIsAFaultOfItsLine(
        name: String,
        field: String,
        line: Int,
        words: String
    ) throws {
        let fault = try #require(try Self.trial([name: field]).fault)
        #expect(fault.message.contains(words), "\(fault)")
        #expect(fault.message.contains("`\(name)`"))
        #expect(fault.file == "pipeline.yaml")
        #expect(fault.line == line)
        #expect(!fault.suggestion.isEmpty)
    }

    @Test(arguments: [
        ("cost: c", "cost: {from: c, type: text}"),
        ("zz: {from: c, type: money}", "zz: {from: c, type: text}"),
        ("zz: {from: c, type: miles}", "zz: {from: c, type: integer}"),
        ("zz: {from: c, type: integer}", "zz: {from: c, type: npi}"),
        ("zz: {from: c, type: text}", "zz: {from: c, type: npi}"),
    ])
    func aFieldHasOneTypeInAllLayouts(first: String, second: String) throws {
        func layout(_ name: String, _ last: String, _ marker: String) -> String {
            "layout: \(name)\nfields:\n  trip_id: id\n  pickup_at: at\n  region: r\n"
                + "  trip_type: \(marker)\n  \(last)\n"
        }
        let trial = PipelineTrial(files: [
            "pipeline.yaml": "pipeline: mine\n"
                + "sources: {trips: {files: \"*.csv\", layouts: [a.yaml, b.yaml]}}\n",
            "a.yaml": layout("a", first, "t"), "b.yaml": layout("b", second, "d"),
        ])
        let fault = try #require(try trial.fault)
        #expect(fault.message.contains("one field has one type"), "\(fault)")
        #expect(fault.file == "b.yaml" && fault.line == 7)
    }

    @Test(arguments: [
        ("trip_id", "{from: [id, p]}", 4), ("note", "p", 9), ("number", "{from: p}", 9),
    ])
    func thePatientsColumnIsReadByNoOtherField(name: String, field: String, line: Int) throws {
        let trial = Self.trial([name: field, "patient": "{from: [v, p]}"])
        let fault = try #require(try trial.fault)
        #expect(fault.message.contains("'p' identifies the patient (`patient`)"), "\(fault)")
        #expect(fault.message.contains("`\(name)` would carry it in clear"))
        #expect(fault.line == line)
        #expect(
            try Self.trial([name: field.replacing("p", with: "d"), "patient": "p"]).fault == nil
        )
    }

    @Test func aRegionThatIsNoTextIsAFaultOfItsExpression() throws {
        for name in ["export_visn", "level"] {
            let trial = Self.trial([:], more: "derived:\n  \(name): length(trip_id)\n")
            let fault = try trial.fault
            #expect((fault != nil) == (name == "export_visn"))
            if let fault { #expect(fault.line == 10 && fault.message.contains("must be TEXT")) }
        }
    }

    @Test func moreColumnsThanATableHasAreRefused() throws {
        let many = (0..<1000).map { ("f\($0)", "v") }
        let fault = try Self.trial(Dictionary(uniqueKeysWithValues: many)).fault
        #expect(fault?.message.contains("at most 1000") == true)
    }
}
