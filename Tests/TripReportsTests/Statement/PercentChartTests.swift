import Testing
import TripDomain

@testable import TripReports

@Suite struct PercentChartTests {
    private static func svg(
        _ shares: [Int64?],
        open: Int = 0,
        goals: [Int64?] = [],
        description: String = "A sentence."
    ) throws -> String {
        let first = try #require(Month(text: "2026-01"))
        let points = shares.enumerated().map { index, value in
            LineLayout.Point(
                month: Month(monthNumber: first.monthNumber + Int32(index)),
                share: InHouseShare(
                    value: value,
                    low: value.map { $0 - 40 },
                    high: value.map { $0 + 40 }
                ),
                isOpen: index >= shares.count - open
            )
        }
        let none = [Int64?](repeating: nil, count: shares.count)
        let layout = try #require(LineLayout(points, goals: goals.isEmpty ? none : goals))
        return PercentChart(layout, description: description).svg
    }

    /// The lines of a drawing that have a text.
    private static func lines(_ svg: String, with part: String) -> [Substring] {
        svg.split(separator: "\n").filter { $0.contains(part) }
    }

    @Test func settledMonthsAreALineAndOpenOnesAreDashedAndNamed() throws {
        let svg = try Self.svg([4000, 4100, 4200, 4300], open: 2)
        #expect(
            Self.lines(svg, with: "<polyline") == [
                "<polyline class=\"line\" fill=\"none\" points=\"12,158 225,122\"/>",
                "<polyline class=\"line dashed\" fill=\"none\" stroke-dasharray=\"2 5\" "
                    + "points=\"225,122 438,87 652,51\"/>",
            ]
        )
        #expect(Self.lines(svg, with: "class=\"open\"").count == 2)
        #expect(Self.lines(svg, with: ">open</text>").count == 1)
        #expect(try !Self.svg([4000, 4100]).contains("open"))
    }

    @Test func aMonthWithoutTripsBreaksBandAndLine() throws {
        let svg = try Self.svg([4000, 4100, nil, 4200, 4300])
        #expect(Self.lines(svg, with: "<polyline").count == 2)
        #expect(Self.lines(svg, with: "<polygon").count == 2)
    }

    @Test func theGoalBeginsWithItsMonthAndIsNamed() throws {
        let svg = try Self.svg([4000, 4100, 4200], goals: [nil, 4500, 4500])
        let goal = try #require(Self.lines(svg, with: "class=\"goal\"").first)
        #expect(goal.contains("x1=\"172\" x2=\"652\""))
        #expect(svg.contains(">goal 45.0%</text>"))
    }

    @Test func theValueOfTheNewestMonthStandsAtTheEnd() throws {
        #expect(try Self.svg([4000, 4155]).contains("class=\"axis end\" x=\"661\""))
        #expect(try Self.svg([4000, 4155]).contains(">41.6%</text>"))
    }

    @Test func theDescriptionIsTextAndNoDrawingHasAStyle() throws {
        let svg = try Self.svg([4000, 4100], description: "<b> & more")
        #expect(svg.contains("<desc id=\"chart-description\">&lt;b&gt; &amp; more</desc>"))
        #expect(!svg.contains("style="))
    }

    @Test func aMonthAloneIsAPoint() throws {
        let svg = try Self.svg([4000])
        #expect(svg.contains("class=\"settled\" cx=\"652\""))
        #expect(svg.contains(">Jan ’26</text>"))
    }
}
