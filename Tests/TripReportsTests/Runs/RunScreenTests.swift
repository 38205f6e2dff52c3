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

    @Test func aRunWithoutAnythingNewNamesWhatStaysServed() {
        var report = RunReport(outcome: .nothingDue)
        report.generation = 4
        report.knownFileCount = 1
        #expect(
            RunScreen(report).summary
                == "NOTHING DUE | 4 stays served | 1 file known, none new | 0.0 s"
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
        let served = ServedState(
            generation: 3,
            dataThrough: nil,
            staleAfter: "2026-11-02 06:00 -05:00"
        )
        let text = RunScreens().text(of: failure, served: served, runNumber: 7)
        #expect(text.summary == "WITHHELD | 3 stays served | the check volume failed | exit 11")
        #expect(
            text.details == [
                "What    volume: 3 records.",
                "Safe?   Yes. Nothing was published and nothing needs to be undone.",
                "Matter? Readers of generation 3 may have read wrong numbers.",
                "Do      1. Have it corrected.", "        2. Run again.",
                "Until   Readers see \"stale\" from 2026-11-02 06:00 -05:00 on.",
                "More    triptych runs show 7 · docs/OPERATIONS.md#11",
            ]
        )
        #expect(text.plan == [])
    }
}
