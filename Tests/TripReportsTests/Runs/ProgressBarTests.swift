import Testing

@testable import TripReports
@testable import TripRuns

@Suite struct ProgressBarTests {
    private static func progress(
        _ done: Int64,
        of total: Int64,
        _ amounts: [WorkProgress.Amount],
        finding: String = "",
        milliseconds: Int64,
        isFinal: Bool = false
    ) -> WorkProgress {
        WorkProgress(
            stage: "reading",
            done: done,
            total: total,
            amounts: amounts,
            finding: finding,
            milliseconds: milliseconds,
            isFinal: isFinal
        )
    }

    @Test func aStageHasItsBarItsCountsAndItsTime() {
        let amounts = [
            WorkProgress.Amount(1, of: 2, "file"), WorkProgress.Amount(20412, "record"),
        ]
        #expect(
            ProgressBar.line(Self.progress(1, of: 2, amounts, milliseconds: 100))
                == "reading     ████████░░░░░░░░ 1 of 2 files   20,412 records   0.1 s"
        )
        #expect(
            ProgressBar.line(Self.progress(1, of: 2, amounts, milliseconds: 3200))
                .hasSuffix("   3.2 s   eta 3.2 s")
        )
    }

    @Test func aStageThatEndedShowsWhatItFound() {
        let one = Self.progress(
            1,
            of: 1,
            [WorkProgress.Amount(1, "trip")],
            finding: "one version each",
            milliseconds: 5000,
            isFinal: true
        )
        #expect(
            ProgressBar.line(one) == "reading     ████████████████ 1 trip, one version each   5.0 s"
        )
        let other = Self.progress(
            1,
            of: 1,
            [],
            finding: "damaged",
            milliseconds: 0,
            isFinal: true
        )
        #expect(ProgressBar.line(other) == "reading     ████████████████ damaged   0.0 s")
    }
}
