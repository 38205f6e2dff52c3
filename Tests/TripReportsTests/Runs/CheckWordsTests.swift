import Testing
import TripDomain
import TripRuns

@testable import TripReports

@Suite struct CheckWordsTests {
    private static func line(
        _ condition: String,
        _ detail: String,
        id: String = "c",
        _ outcome: RunReport.Outcome = .published
    ) -> String {
        var report = RunReport(outcome: outcome)
        var (small, large) = (Ledger(), Ledger())
        (small.read.items, large.read.items) = (9, 240)
        (small[.duplicate].items, large[.duplicate].items) = (1, 238)
        (small[.rejected].items, large[.rejected].items) = (3, 0)
        report.files = [("a.csv", small), ("b.csv", large)]
        report.martFlags = " --mart m"
        report.pipelineWords = "p --mart m"
        let check = CheckResult(id: id, condition: condition, outcome: .warn, detail: detail)
        return CheckWords(check, report).line
    }

    @Test func aWarningNamesMeasureLimitFileAndDeed() {
        #expect(
            Self.line("duplicates_pct\n > 5", "duplicates_pct is 99.17 %")
                == "warn c   duplicates_pct is 99.17 % (warns if duplicates_pct > 5)   "
                + "most in b.csv: 238 of 240 items   "
                + "nothing counts twice; ask the sender why it repeats"
        )
        #expect(
            Self.line("reject_pct > 2", "reject_pct is 33.33 %").hasSuffix(
                "most in a.csv: 3 of 9 items   see why: triptych rejects list --file a.csv --mart m"
            )
        )
    }

    @Test(arguments: [
        ("undetermined_pct > 1", "see what is missing: triptych kpi --worklist --mart m"),
        ("orphan_pct_site > 1", "see the keys: triptych check p --mart m --show-keys"),
        ("rejected_files > 0", "see why: triptych rejects list --mart m"),
        ("records < 3", "compare with other runs: triptych runs list --mart m"),
        ("month_trips < 3", "compare with other runs: triptych runs list --mart m"),
        ("data_age_days > 7", "ask the sender for newer exports"),
        ("in_house_pct > 90", "if it is right, change the check in the pipeline"),
    ])
    func everyMeasureHasADeed(condition: String, deed: String) {
        #expect(Self.line(condition, "x").hasSuffix("   " + deed))
    }

    /// The mart has nothing of a run that published nothing.
    @Test(arguments: ["reject_pct > 2", "rejected_files > 0", "undetermined_pct > 1"])
    func aDryRunNamesNoCommandThatAsksTheMart(condition: String) {
        #expect(!Self.line(condition, "x", .dryRun).contains("triptych"))
    }

    /// It stands in no pipeline that could be changed.
    @Test func aBuiltInCheckIsReplacedAndNotChanged() {
        #expect(
            Self.line("months = 1", "x", id: "built-in-months")
                .hasSuffix("   if it is right, write a check of your own for it into the pipeline")
        )
    }
}
