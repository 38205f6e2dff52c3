import Testing
import TripDomain

@testable import TripReports

/// What a line over months is made of, by the cases of the dashboard's line.
@Suite struct LineLayoutTests {
    struct File: Decodable {
        let charts: [Chart]
        let grids: [Grid]
        let labels: [Labels]
    }

    struct Chart: Decodable {
        let name: String
        let first: String
        let shares: [[Int64?]?]
        let open: Int
        let goals: [Int64?]
        let most: Int
        let sentence: String
        let drawn: Drawn
    }

    struct Drawn: Decodable, Equatable {
        struct Step: Decodable, Equatable {
            let value: Int64
            let first: Int
            let next: Int?
        }

        let grid: [Int64]
        let labels: [String]
        let band: [[Int]]
        let solid: [[Int]]
        let dashed: [[Int]]
        let open: [Int]
        let alone: [Int]
        let goals: [Step]
        let firstOpen: Int?
        let last: Int
        let ending: String
        let months: [String]
        let description: String
    }

    struct Grid: Decodable {
        let low: Int64
        let high: Int64
        let values: [Int64]
    }

    struct Labels: Decodable {
        let count: Int
        let most: Int
        let places: [Int]
    }

    private static func file() throws -> File { try SharedCases.read("chart-cases.json") }

    private static func points(_ chart: Chart) throws -> [LineLayout.Point] {
        let first = try #require(Month(text: chart.first))
        return chart.shares.enumerated().map { index, share in
            LineLayout.Point(
                month: Month(monthNumber: first.monthNumber + Int32(index)),
                share: SharedCases.share(share),
                isOpen: index >= chart.shares.count - chart.open
            )
        }
    }

    private static func drawn(_ layout: LineLayout, _ chart: Chart) -> Drawn {
        Drawn(
            grid: layout.grid,
            labels: layout.grid.map(LineLayout.label),
            band: layout.band,
            solid: layout.solid,
            dashed: layout.dashed,
            open: layout.open,
            alone: layout.alone,
            goals: layout.goals.map { Drawn.Step(value: $0.value, first: $0.first, next: $0.next) },
            firstOpen: layout.firstOpen,
            last: layout.last,
            ending: layout.points[layout.last].share.value.map(NumberFormat.share) ?? "",
            months: LineLayout.labelled(layout.points.count, most: chart.most)
                .map { NumberFormat.monthTiny(layout.points[$0].month) },
            description: layout.text(chart.sentence)
        )
    }

    @Test func everyLineIsThatOfTheDashboard() throws {
        let charts = try Self.file().charts
        try #require(charts.count > 10)
        for chart in charts {
            let layout = try #require(LineLayout(try Self.points(chart), goals: chart.goals))
            #expect(Self.drawn(layout, chart) == chart.drawn, "\(chart.name)")
        }
    }

    @Test func valuesOfTheGridAreRoundAndAtMostThree() throws {
        for each in try Self.file().grids {
            #expect(LineLayout.roundValues(each.low, each.high) == each.values)
        }
    }

    @Test func theNewestMonthHasALabelAndOthersEvenly() throws {
        for each in try Self.file().labels {
            #expect(LineLayout.labelled(each.count, most: each.most) == each.places)
        }
    }

    @Test func withoutAShareThereIsNoLine() throws {
        let month = try #require(Month(text: "2026-07"))
        let share = InHouseShare(value: nil, low: 0, high: 10_000)
        let point = LineLayout.Point(month: month, share: share, isOpen: false)
        #expect(LineLayout([point], goals: [5500]) == nil)
        #expect(LineLayout([], goals: []) == nil)
    }
}
