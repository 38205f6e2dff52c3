import Testing
import TripDomain
import TripReports
import TripRuns

@Suite struct RunScreenTests {
    @Test func aPublishedRunNamesItsGenerationAndItsTrips() {
        var report = RunReport(outcome: .published)
        report.generation = 4
        (report.trips, report.previousTrips) = (1300, 96)
        report.milliseconds = 4100
        #expect(RunScreen(report).summary == "PUBLISHED 4 | +1,204 trips, 0 rejected | 4.1 s")
    }

    @Test func tripsThatCameAndTripsThatWentAreToldApart() {
        var report = RunReport(outcome: .published)
        report.generation = 2
        (report.trips, report.previousTrips, report.takenTrips) = (32, 24, 32)
        #expect(
            RunScreen(report).summary
                == "PUBLISHED 2 | +8 trips (32 from new files, 24 of before replaced or withdrawn), "
                + "0 rejected | 0.0 s"
        )
    }

    @Test func aPipelineWithoutMoneyHasNoAccountOfIt() {
        var report = RunReport(outcome: .published)
        report.ledger.read = LedgerAmount(items: 3)
        report.ledger[.accepted] = LedgerAmount(items: 3)
        #expect(RunScreen(report).details == ["  items    3 read = 3 accepted"])
        report.ledger.read.cents = 100
        report.ledger[.accepted].cents = 100
        #expect(RunScreen(report).details.last == "  money    $1.00 read = $1.00")
    }

    /// The first look at a pipeline of one's own shows what it declares, as `kpi` does later.
    @Test func aFirstDryRunShowsTheDeclaredMeasures() {
        func state(
            _ name: String,
            _ kind: DeclaredMeasure.Kind,
            _ value: Int64?,
            known: Int64
        ) -> MeasureChange.State {
            MeasureChange.State(
                DeclaredMeasure(name: name, kind: kind, column: name, label: name),
                MeasureValue(knownTrips: known, value: value)
            )
        }
        var report = RunReport(outcome: .dryRun)
        var sums = KPISums()
        sums[.trips] = 7
        report.months[Month(year: 2026, month: 10)] = sums
        let plain = RunScreen(report).details
        report.measures = [
            state("minutes", .median, 4150, known: 6), state("services", .sum, 12, known: 7),
            state("night", .count, 0, known: 7), state("none", .mean, nil, known: 0),
        ]
        let details = RunScreen(report).details
        #expect(Array(details.prefix(plain.count)) == plain)
        let words = details.dropFirst(plain.count).map { $0.split(separator: " ") }
        #expect(
            words == [
                [], ["measure", "all", "trips", "known", "trips"], ["minutes", "41.5", "6"],
                ["services", "12"], ["night", "0"], ["none", "–", "0"],
            ]
        )
    }

    @Test func theDollarsOfTripsAreThoseOfTheirMergedLinesToo() {
        var report = RunReport(outcome: .published)
        report.ledger.read = LedgerAmount(items: 4, cents: 1000)
        report.ledger[.accepted] = LedgerAmount(items: 1, cents: 600)
        report.ledger[.merged] = LedgerAmount(items: 2, cents: 150)
        report.ledger[.withdrawn] = LedgerAmount(items: 1, cents: 250)
        let money =
            "  money    $10.00 read = $6.00 + $1.50 + $2.50   (trips: $7.50 = accepted + merged)"
        #expect(RunScreen(report).details.last == money)
    }

    /// A file without records leaves nothing to measure, however much history there is.
    @Test func checksThatLackHistoryAreToldFromThoseThatLackRecords() {
        var report = RunReport(outcome: .published)
        report.checks = [
            ("reject_pct > 2", "reject_pct is not known yet"),
            ("undetermined_pct > 1", "undetermined_pct is not known yet"),
            (
                "records < median_records_28d",
                "records is 0, median_records_28d is not known yet, over all trips"
            ),
        ].map { CheckResult(id: "c", condition: $0, outcome: .skipped, detail: $1) }
        #expect(
            RunScreen(report).details.first
                == "checking    3 checks: 0 pass, 1 without history yet, 2 with nothing to measure"
        )
    }

    @Test func aRunWithoutAnythingNewNamesWhatStaysServed() {
        var report = RunReport(outcome: .nothingDue)
        report.generation = 4
        report.knownFileCount = 1
        #expect(
            RunScreen(report).summary
                == "NOTHING DUE | 4 stays served | 1 file known, none new | 0.0 s"
        )
    }

    /// A script that skips a file every night must not take it for a night without news.
    @Test func aFileThatIsSkippedIsSaidWhereNothingIsNew() {
        var report = RunReport(outcome: .nothingDue)
        report.generation = 4
        report.knownFileCount = 2
        report.skipped = [("a.csv", false)]
        #expect(report.status == .publishedWithWarnings)
        #expect(
            RunScreen(report).summary
                == "NOTHING DUE | 4 stays served | 2 files known, none new | 1 file skipped | 0.0 s"
        )
    }

    /// The mart keeps the rejects of published runs alone.
    @Test(arguments: [RunReport.Outcome.published, .dryRun])
    func onlyAPublishedRunNamesItsRejectsByCommand(outcome: RunReport.Outcome) {
        var report = RunReport(outcome: outcome)
        report.rejectedCorrections = 1
        report.martFlags = " --mart m"
        let lines = RunScreen(report).details
        let hint = "triptych rejects list --corrections --mart m"
        #expect(lines.contains { $0.hasSuffix(hint) } == (outcome == .published))
        #expect(lines.contains { $0.contains("rejected corrections: 1") })
    }

    @Test func aRollbackSaysWhichEditsAreNotInForceAndHowToPublishThem() {
        var report = RunReport(outcome: .published)
        (report.generation, report.contentOf) = (4, 2)
        report.excludedEdits = ["vehicles.csv"]
        report.pipelineWords = "PIPELINE --mart m"
        #expect(
            RunScreen(report).details.first
                == "  held vehicles.csv: as generation 2 has it; edits published since are NOT in "
                + "force   to publish them again: triptych reclassify PIPELINE --mart m"
        )
    }

    @Test func aWithheldRunShowsItsNotesBelowTheRemedies() throws {
        let failure = Failure(
            status: .withheld,
            summary: "the check volume failed",
            what: ["volume: 3 records."],
            remedies: ["Have it corrected.", "Run again."],
            matter: .wrongNumbers(generation: 3)
        )
        var served = ServedState(
            generation: 3,
            dataThrough: nil,
            staleAfter: "2026-11-02 06:00 -05:00"
        )
        served.martFlags = " --mart m"
        let text = RunScreens().text(of: failure, served: served, runNumber: 7)
        #expect(text.summary == "WITHHELD | 3 stays served | the check volume failed | exit 11")
        #expect(
            text.details == [
                "What    volume: 3 records.",
                "Safe?   Yes. Nothing was published and nothing needs to be undone.",
                "Matter? Readers of generation 3 may have read wrong numbers.",
                "Do      1. Have it corrected.", "        2. Run again.",
                "Until   Readers see \"stale\" from 2026-11-02 06:00 -05:00 on.",
                "More    triptych runs show 7 --mart m · docs/OPERATIONS.md#11",
            ]
        )
        #expect(text.plan == [])
    }

    /// A day that has passed is no warning of it.
    @Test func aGenerationThatIsStaleSaysSinceWhen() {
        let failure = Failure(status: .withheld, summary: "locked", what: [], remedies: ["Wait."])
        let day = "2026-11-02 06:00:00 -05:00"
        var served = ServedState(generation: 3, dataThrough: nil, staleAfter: day)
        served.isStale = true
        let details = RunScreens().text(of: failure, served: served, runNumber: nil).details
        #expect(details.contains("Since   \(day) readers see \"stale\"."))
        #expect(!details.contains { $0.hasPrefix("Until") })
    }
}
