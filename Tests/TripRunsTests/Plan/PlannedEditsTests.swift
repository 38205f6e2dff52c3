import Testing
import TripDomain
import TripMart
import TripPipeline

@testable import TripRuns

/// Edits of what the kind of a line of a claim is derived from: trips are stored as joined.
@Suite struct PlannedEditsTests {
    private static let pipeline = """
        pipeline: lines
        sources:
          claims:
            files: "*.csv"
            lines:
              claim: claim
              kind: line_kind
              base: base
              mileage: mile
              same: [pickup_at]
              add: {paid: all}
        fields:
          trip_id: {from: [Claim, Line], join: "-"}
          claim: Claim
          pickup_at: {from: Day, formats: [yyyy-MM-dd], day_alone: true}
          code: Code
          paid: Paid
          region: Region
          trip_type: Code
        lookups:
          family: {file: families.csv, match: {code: code}, valid_on: null}
          level: {file: codes.csv, match: {kin: code}, valid_on: null}
          colour: {file: colours.csv, match: {code: code}, valid_on: null}
        derived:
          kin: coalesce(family.parent, code)
          line_kind: level.line_kind
        rules:
          - {id: dear, class: contracted, when: "paid_cents > 20000", because: It is dear.}
          - {id: cheap, class: in_house, when: "paid_cents <= 20000", because: It is cheap.}
        kpis: {cost: paid}
        """ + RunPipeline.lenient

    private static let header = "Claim,Line,Day,Code,Paid,Region\n"

    /// A mart of one claim whose third line is of no known kind.
    private func folder() throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", Self.pipeline)
        try folder.write("reference/codes.csv", "code,line_kind\nB,base\nM,mile\n")
        try folder.write("reference/families.csv", "code,parent\nN,M\n")
        try folder.write("reference/colours.csv", "code,colour\nB,red\n")
        try folder.write("in/a.csv", Self.header + Self.claim("C1"))
        let report = try folder.run()
        #expect(report.ledger[.rejected] == LedgerAmount(items: 1, cents: 4_000))
        return folder
    }

    private static func claim(_ name: String) -> String {
        [("B", "150.00"), ("M", "30.00"), ("Z", "40.00")].enumerated().map { number, line in
            "\(name),\(number + 1),2026-05-04,\(line.0),\(line.1),08\n"
        }.joined()
    }

    private func plan(_ folder: RunFolder) throws -> PlanAnswer {
        try Planning(options: folder.options(), progress: Progress()).answer(isSaved: false)
    }

    /// Each edit of a definition or of a file that the kind is read from, and the name of it.
    @Test(arguments: [
        ("reference/codes.csv", "code,line_kind\nB,base\nM,mile\nZ,mile\n", "codes.csv"),
        ("reference/families.csv", "code,parent\nN,M\nZ,M\n", "families.csv"),
        (
            "pipeline/pipeline.yaml",
            pipeline.replacing(": level.line_kind", with: ": coalesce(level.line_kind, 'mile')"),
            "line_kind"
        ),
        (
            "pipeline/pipeline.yaml",
            pipeline.replacing("coalesce(family.parent, code)", with: "upper(code)"),
            "kin"
        ),
        (
            "pipeline/pipeline.yaml",
            pipeline.replacing("match: {kin: code}", with: "match: {code: code}"),
            "level"
        ),
    ])
    func anEditOfWhatTheKindIsReadFromNeedsTheExports(
        file: String,
        text: String,
        name: String
    ) throws {
        let folder = try folder()
        try folder.write(file, text)
        let planned = #expect(throws: RunError.self) { try plan(folder) }
        #expect(planned?.what.contains("`\(name)`") == true)
        #expect(planned?.what.contains("kind of lines") == true)
        #expect(planned?.remedies.last?.hasSuffix("--full --apply-changes") == true)
        #expect(throws: RunError.self) {
            try Reclassification(options: folder.options(), plan: nil, progress: Progress())
                .perform()
        }
    }

    @Test func otherEditsAreMadeToTheStoredTrips() throws {
        let folder = try folder()
        try folder.write("reference/colours.csv", "code,colour\nB,blue\n")
        try folder.write(
            "pipeline/pipeline.yaml",
            Self.pipeline.replacing("20000", with: "10000")
        )
        #expect(try plan(folder).hasEdits)
        let report = try Reclassification(
            options: folder.options(),
            plan: nil,
            progress: Progress()
        ).perform()
        #expect(report.reclassified == 1)
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        let trip = try #require(try served.trip(id: "C1-1"))
        #expect(trip.rule?.id == "dear" && trip.summary.costCents == 18_000)
    }

    /// A held edit joins no line; a published one joins those of all exports.
    @Test func aRunJoinsByTheDefinitionsInForce() throws {
        let folder = try folder()
        try folder.write("reference/codes.csv", "code,line_kind\nB,base\nM,mile\nZ,mile\n")
        try folder.write("in/b.csv", Self.header + Self.claim("C2"))
        let held = try folder.run().ledger
        #expect(held[.merged] == LedgerAmount(items: 1, cents: 3_000))
        #expect(held[.rejected] == LedgerAmount(items: 1, cents: 4_000))
        let applied = try folder.run {
            $0.isFull = true
            $0.appliesChanges = true
        }.ledger
        #expect(applied[.merged] == LedgerAmount(items: 4, cents: 14_000))
        #expect(applied[.rejected].items == 0)
    }
}
