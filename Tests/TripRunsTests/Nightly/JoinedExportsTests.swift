import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRuns

/// Lines of claims as whole runs join them.
@Suite struct JoinedExportsTests {
    private static let pipeline = """
        pipeline: lines
        sources:
          claims:
            files: "*.csv"
            order: "claims_(\\\\d+)"
            lines:
              claim: claim
              kind: code
              base: [A0428, A0429]
              mileage: A0425
              ancillary: A0422
              same: [pickup_at, pair]
              add: {paid: all, miles: mileage}
              frequency: {field: frequency, original: "1", replacement: "7", void: "8"}
              replaces: replaced
        fields:
          trip_id: {from: [Claim, Line], join: "-"}
          claim: Claim
          frequency: Freq
          replaced: Old
          pickup_at: {from: Day, formats: [yyyy-MM-dd], day_alone: true}
          code: Code
          pair: Pair
          miles: Units
          paid: Paid
          region: Region
          trip_type: Code
        rules:
          - {id: dear, class: contracted, when: "paid_cents > 20000", because: It is dear.}
          - {id: cheap, class: in_house, when: "paid_cents <= 20000", because: It is cheap.}
        kpis: {cost: paid}
        """ + RunPipeline.lenient

    private static let header = "Claim,Line,Freq,Old,Day,Code,Pair,Units,Paid,Region\n"

    private func folder(_ pipeline: String = pipeline) throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", pipeline)
        return folder
    }

    private func line(
        _ claim: String,
        _ number: Int,
        _ code: String,
        _ paid: String,
        frequency: String = "1",
        replacing: String = "",
        pair: String = "RH",
        region: String = "08"
    ) -> String {
        "\(claim),\(number),\(frequency),\(replacing),2026-05-04,\(code),\(pair),1.5,\(paid),"
            + "\(region)\n"
    }

    /// Deliveries with every way in which a claim can go on.
    private var deliveries: [(name: String, text: String)] {
        [
            (
                "claims_1_a.csv",
                line("C1", 1, "A0428", "150.00") + line("C1", 2, "A0425", "60.00")
                    + line("C2", 1, "A0428", "100.00") + line("C3", 1, "A0429", "300.00")
                    + line("C4", 1, "A0428", "80.00") + line("C5", 1, "A0425", "9.00")
            ),
            (
                "claims_1_b.csv",
                line("C2", 2, "A0425", "30.00") + line("C2", 3, "A0422", "5.00")
                    + line("C6", 1, "A0428", "70.00") + line("C6", 2, "A0428", "-70.00")
            ),
            (
                "claims_2.csv",
                line("C7", 1, "A0429", "310.00", frequency: "7", replacing: "C3")
                    + line("C4", 1, "A0428", "80.00", frequency: "8")
                    + line("C1", 1, "A0428", "150.00") + line("C1", 2, "A0425", "60.00")
            ),
        ]
    }

    private func write(_ files: [(name: String, text: String)], into folder: RunFolder) throws {
        for file in files { try folder.write("in/" + file.name, Self.header + file.text) }
    }

    @Test func rulesSeeTheSumsAndTheLedgerKeepsEachLine() throws {
        let folder = try folder()
        try write(deliveries, into: folder)
        let report = try folder.run()
        let ledger = report.ledger
        #expect(ledger.read == ledger.explained)
        #expect(ledger[.accepted] == LedgerAmount(items: 3, cents: 56_000))
        #expect(ledger[.merged] == LedgerAmount(items: 3, cents: 9_500))
        #expect(ledger[.duplicate].items == 2 && ledger[.superseded].items == 1)
        #expect(ledger[.withdrawn] == LedgerAmount(items: 4, cents: 16_000))
        #expect(ledger[.rejected] == LedgerAmount(items: 1, cents: 900))
        // The base line of C1 alone would be cheap.
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        let trip = try #require(try served.trip(id: "C1-1"))
        #expect(trip.rule?.id == "dear" && trip.summary.costCents == 21_000)
        #expect(trip.versions.map(\.term) == [.merged, .duplicate, .duplicate])
        let other = try #require(try served.trip(id: "C2-1"))
        #expect(other.versions.map(\.position.file) == ["claims_1_b.csv", "claims_1_b.csv"])
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [0, 2, 1]])
    func anyOrderOfArrivalEndsInTheSameTables(order: [Int]) throws {
        let (once, nights) = (try folder(), try folder())
        try write(deliveries, into: once)
        try once.run()
        for index in order {
            try write([deliveries[index]], into: nights)
            try nights.run { $0.threadCount = 1 + index }
        }
        #expect(try once.dump() == nights.dump())
    }

    @Test func theTextOfAnOrphanIsThatOfItsRecord() throws {
        let folder = try folder()
        let orphan = line("C5", 1, "A0425", "9.00")
        // A line that is no record, a record of two lines, and the orphan behind both.
        try folder.write(
            "in/claims_1.csv",
            Self.header + "short,line\n" + line("C1", 1, "A0428", "150.00", region: "\"0\n8\"")
                + orphan
        )
        let report = try folder.run()
        #expect(report.rejects.map(\.count).reduce(0, +) == 2)
        let shown = try MartQueries(martPath: folder.path + "/mart", keyPath: nil)
            .reject(2, reveals: true)
        #expect(shown.record?.text == String(orphan.dropLast()))
        #expect(shown.row.position.lineNumber == 5)
    }

    @Test func linesOfGeneratedClaimsMakeASyntheticMart() throws {
        // The second part has the text between the parts, so that the first is escaped too.
        let folder = try folder(Self.pipeline.replacing("[Claim, Line]", with: "[Claim, Pair]"))
        try folder.write(
            "in/claims_1.csv",
            Self.header + line("SYN-1", 1, "A0428", "150.00", pair: "R-H")
        )
        #expect(try folder.run().trips == 1)
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try served.trip(id: "SYN\\-1-R\\-H") != nil)
        #expect(served.header.isSynthetic)
    }

    @Test func aTripThatIsGoneIsExplainedByItsLastRecord() throws {
        let folder = try folder()
        try write(deliveries, into: folder)
        try folder.run()
        let queries = MartQueries(martPath: folder.path + "/mart", keyPath: nil)
        for (trip, fate, place) in [
            ("C3-1", "its claim was replaced", "claims_1_a.csv, record 4, line 5, as superseded"),
            ("C4-1", "its claim was voided", "claims_2.csv, record 2, line 3, as withdrawn"),
            ("C6-1", "taken back", "claims_1_b.csv, record 3, line 4, as withdrawn"),
            ("C5-1", "has no trip of this id or ref", "Generation 1"),
        ] {
            let error = #expect(throws: RunError.self) { try queries.explain(trip) }
            let what = try #require(error?.what)
            #expect(what.contains(fate) && what.contains(place), "\(trip): \(what)")
        }
    }

    @Test func anOrphanNamesTheFieldInWhichItsBaseLinesDiffer() throws {
        let folder = try folder()
        func next(_ line: String) -> String { line.replacing("-05-04", with: "-05-05") }
        try folder.write(
            "in/claims_1.csv",
            Self.header + line("C1", 1, "A0428", "150.00")
                + line("C1", 2, "A0425", "60.00", pair: "HR")
                + line("C2", 1, "A0428", "90.00")
                + line("C2", 2, "A0428", "90.00", pair: "HR")
                // The base line of its pair has the most in common with it.
                + next(line("C2", 3, "A0425", "20.00", pair: "HR"))
                + next(line("C3", 1, "A0425", "20.00"))
        )
        let report = try folder.run()
        let found = report.rejects.map { "\($0.count) \($0.reason) \($0.field ?? "none")" }
        #expect(found == ["1 orphanLine pair", "1 orphanLine pickup_at", "1 orphanLine none"])
        // They come after the records of the trip C1-1, and change nothing about it.
        #expect(report.rejectedCorrections == 0)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        let rejects = try #require(try mart.trip(id: "C1-1")).rejects
        #expect(rejects.map(\.reason) == [.orphanLine])
        #expect(rejects.map(\.isCorrection) == [false])
    }

    @Test func aTripThatAnotherOfItsIDReplacesTakesItsLinesWithIt() throws {
        let folder = try folder(Self.pipeline.replacing("[Claim, Line]", with: "[Claim, Code]"))
        try folder.write(
            "in/claims_1.csv",
            Self.header + line("C1", 1, "A0428", "150.00") + line("C1", 2, "A0425", "60.00")
                + line("C1", 3, "A0428", "90.00", pair: "HR")
                + line("C1", 4, "A0425", "20.00", pair: "HR")
        )
        let ledger = try folder.run().ledger
        #expect(ledger[.superseded] == LedgerAmount(items: 2, cents: 21_000))
        #expect(ledger[.accepted] == LedgerAmount(items: 1, cents: 9_000))
        #expect(ledger[.merged] == LedgerAmount(items: 1, cents: 2_000))
    }

    @Test func aClaimThatComesAgainWithoutATripIsNamed() throws {
        let folder = try folder()
        try write(
            [
                ("claims_1.csv", line("C1", 1, "A0428", "150.00")),
                ("claims_2.csv", line("C1", 2, "A0428", "90.00", pair: "HR")),
            ],
            into: folder
        )
        let report = try folder.run()
        let check = try #require(report.checks.first { $0.id == "built-in-claims" })
        #expect(check.outcome == .warn)
        #expect(check.detail.contains("first claims_1.csv record 1 (line 2), after claims_2.csv"))
        #expect(!check.detail.contains("C1"))
    }

    @Test func aVoidThatFindsNoClaimIsNamed() throws {
        func check(_ pipeline: String) throws -> CheckResult? {
            let folder = try folder(pipeline)
            try folder.write(
                "in/claims_1.csv",
                Self.header + line("C1", 1, "A0428", "150.00") + line("C3", 1, "A0428", "90.00")
            )
            try folder.write(
                "in/claims_2.csv",
                Self.header + line("C2", 1, "A0428", "150.00", frequency: "8", replacing: "C1")
            )
            return try folder.run().checks.first { $0.id == "built-in-replacements" }
        }
        #expect(try check(Self.pipeline) == nil)
        let silent = Self.pipeline.replacing("replaces: replaced\n", with: "\n")
        let found = try #require(try check(silent))
        #expect(found.outcome == .warn)
        #expect(found.detail.contains("first claims_2.csv record 1 (line 2)"))
        #expect(found.detail.contains("name that: `replaces`; or `claim` names a number"))
        #expect(!found.detail.contains("C2"))
        let own = "\n  - {id: partial, warn_if: \"unmatched_replacements > 9\"}"
        #expect(try check(silent + own) == nil)
    }

    @Test func onlyTripsAreAskedForTheirRegion() throws {
        let pipeline = Self.pipeline.replacing(
            "region: Region",
            with: "place: Region"
        ).replacing("rules:", with: "derived: {region: place}\nrules:")
        let folder = try folder(pipeline)
        let base = line("C1", 1, "A0428", "150.00")
        try folder.write(
            "in/claims_1.csv",
            Self.header + base + line("C1", 2, "A0425", "60.00", region: "all")
        )
        #expect(try folder.run().trips == 1)
        try folder.write(
            "in/claims_2.csv",
            Self.header + line("C2", 1, "A0428", "150.00", region: "all")
        )
        #expect(throws: RunError.self) { try folder.run() }
    }
}
