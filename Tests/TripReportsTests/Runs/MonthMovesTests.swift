import Testing
import TripDomain
import TripRuns

@testable import TripReports

@Suite struct MonthMovesTests {
    private static func sums(_ inHouse: Int64, _ contracted: Int64) -> KPISums {
        var sums = KPISums()
        (sums[.trips], sums[.inHouseTrips]) = (inHouse + contracted, inHouse)
        sums[.contractedTrips] = contracted
        return sums
    }

    private static func report(_ moves: [MonthMove]) throws -> RunReport {
        var report = RunReport(outcome: .published)
        (report.previousGeneration, report.generation) = (1, 2)
        report.martFlags = " --mart m"
        report.latestMonth = (try #require(Month(text: "2026-10")), sums(50, 50))
        report.moves = moves
        return report
    }

    private static func march() throws -> MonthMove {
        MonthMove(
            month: try #require(Month(text: "2026-03")),
            before: sums(12, 20),
            after: sums(10, 16)
        )
    }

    @Test func aMonthThatIsNotTheLatestIsWhatTheResultIsAbout() throws {
        let moves = MonthMoves(try Self.report([Self.march()]))
        #expect(moves.summary == ["Mar 2026: 32 → 26 trips, in-house 37.50 → 38.46 %"])
        #expect(
            moves.lines == [
                "moved  Mar 2026  32 → 26 trips  in-house 37.50 → 38.46 %",
                "why    triptych diff 1 2 --mart m", "undo   triptych rollback 1 --mart m",
            ]
        )
    }

    @Test func theLatestMonthComesFirstWhereItMoved() throws {
        let latest = MonthMove(
            month: try #require(Month(text: "2026-10")),
            before: Self.sums(40, 50),
            after: Self.sums(50, 50)
        )
        let moves = MonthMoves(try Self.report([Self.march(), latest]))
        #expect(
            moves.summary == [
                "Oct 2026: 90 → 100 trips, in-house 44.44 → 50.00 % (50.00-50.00)",
                "1 more month moved",
            ]
        )
        #expect(moves.lines.count == 4)
    }

    /// The result is about it, however little it moved.
    @Test func theLatestMonthIsListedAmongThoseThatMovedMost() throws {
        let months = try (1...10).map { number in
            try #require(Month(text: "2026-" + (number < 10 ? "0\(number)" : "10")))
        }
        let moves = months.map { month in
            let isLatest = month == months.last
            let after = Self.sums(isLatest ? 41 : 60, 50)
            return MonthMove(month: month, before: Self.sums(40, 50), after: after)
        }
        let lines = MonthMoves(try Self.report(moves)).lines
        #expect(lines[5].contains("Oct 2026  90 → 91 trips"))
        #expect(lines[6] == "       and 4 months less")
    }

    @Test func aFirstGenerationMovesNothing() throws {
        let moves = MonthMoves(try Self.report([]))
        #expect(moves.summary == ["Oct 2026: 100 trips, in-house 50.00 % (50.00-50.00)"])
        #expect(moves.lines == [])
    }

    @Test func aDryRunNamesNoCommandsOfAGenerationThatIsNotThere() throws {
        var report = try Self.report([Self.march()])
        report.outcome = .dryRun
        #expect(MonthMoves(report).lines.count == 1)
    }
}
