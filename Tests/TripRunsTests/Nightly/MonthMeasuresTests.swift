import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// A month is compared with earlier months when they were as young.
@Suite struct MonthMeasuresTests {
    /// One run a month, each with the same trips up to the same day of the month; in all but the
    /// last run late trips of the previous month arrive too.
    private func folder(months: Int, check: String) throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text() + "\nchecks:\n  - {id: month, warn_if: \"\(check)\"}\n"
        )
        for month in 1...months {
            var lines = ""
            for trip in 1...4 { lines += RunPipeline.line(month * 100 + trip, month: month) }
            for late in 1...20 where month > 1 {
                lines += RunPipeline.line(
                    month * 100 + 50 + late,
                    day: 20,
                    month: month - 1,
                    owner: "Vendor"
                )
            }
            try folder.write("in/trips_\(month + 10).csv", RunPipeline.header + lines)
            try folder.run()
        }
        return folder
    }

    private func lastCheck(_ folder: RunFolder, day: Int, trips: Int) throws -> CheckResult? {
        let lines = (1...trips).map { RunPipeline.line(700 + $0, day: day, month: 7) }.joined()
        try folder.write("in/trips_17.csv", RunPipeline.header + lines)
        return try folder.run().checks.first
    }

    @Test func theNewestMonthIsComparedAtEqualAge() throws {
        let folder = try folder(months: 6, check: "month_trips < median_month_trips")
        // Earlier months have 24 trips by now, and had 4 when they were as young.
        let result = try lastCheck(folder, day: 6, trips: 4)
        #expect(result?.outcome == .pass)
        #expect(result?.detail == "month_trips is 4, median_month_trips is 4")
    }

    @Test func aMonthWithTooFewTripsFailsItsCheck() throws {
        let folder = try folder(months: 6, check: "month_trips < median_month_trips")
        #expect(try lastCheck(folder, day: 6, trips: 3)?.outcome == .warn)
    }

    @Test func monthsOfAnotherAgeAreNotCompared() throws {
        let folder = try folder(months: 6, check: "month_trips < median_month_trips")
        #expect(try lastCheck(folder, day: 25, trips: 3)?.outcome == .skipped)
    }

    @Test func fewerThanFiveMonthsGiveNoMedian() throws {
        let folder = try folder(months: 4, check: "month_in_house_pct > median_month_in_house_pct")
        #expect(try lastCheck(folder, day: 6, trips: 4)?.outcome == .skipped)
    }

    @Test func theInHouseShareIsComparedAtEqualAgeToo() throws {
        let folder = try folder(months: 6, check: "month_in_house_pct > median_month_in_house_pct")
        let result = try lastCheck(folder, day: 6, trips: 4)
        #expect(result?.outcome == .pass)
        #expect(
            result?.detail
                == "month_in_house_pct is 100.00 %, median_month_in_house_pct is 100.00 %"
        )
    }

    @Test func oldDataFailTheirCheck() throws {
        let folder = try folder(months: 1, check: "data_age_days > 178")
        // The run is on 1 November 2026.
        #expect(try lastCheck(folder, day: 6, trips: 1)?.detail == "data_age_days is 118")
        #expect(try folder.run { $0.isFull = true }.checks.first?.outcome == .pass)
        #expect(
            try folder.run {
                $0.isFull = true
                $0.now += 61 * 86_400
            }.checks.first?.outcome == .warn
        )
    }
}
