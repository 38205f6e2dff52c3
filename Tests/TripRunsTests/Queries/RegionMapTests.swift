import Foundation
import Testing
import TripDomain
import TripMart
import TripReports

@testable import TripRuns

/// All months in the regions of one day, compared with a mart whose stations never changed region.
@Suite struct RegionMapTests {
    /// 2026-06-01.
    private static let day = CivilDate(dayNumber: 20605)

    /// Moves every third station to another region in April.
    private static func redraw(_ folder: ChangeFolder) throws {
        try folder.rewrite("stations.csv") { lines in
            var number = 0
            lines = lines.flatMap { line -> [String] in
                var cells = line.split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
                number += 1
                // Rows that already have an end stay as they are.
                guard number % 3 == 0, cells[1].isEmpty, cells[2].isEmpty else { return [line] }
                cells[2] = "2026-03-31"
                let before = cells.joined(separator: ",")
                (cells[1], cells[2], cells[3]) = ("2026-04-01", "", "21")
                return [before, cells.joined(separator: ",")]
            }
        }
        try folder.night.run {
            $0.isFull = true
            $0.appliesChanges = true
        }
    }

    /// Keeps the row of the day of each station, valid for ever.
    private static func freeze(_ folder: ChangeFolder) throws {
        try folder.rewrite("stations.csv") { lines in
            lines = lines.compactMap { line in
                var cells = line.split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
                guard cells[1].isEmpty || cells[1] <= day.text,
                    cells[2].isEmpty || cells[2] >= day.text
                else { return nil }
                (cells[1], cells[2]) = ("", "")
                return cells.joined(separator: ",")
            }
        }
        try folder.night.run {
            $0.isFull = true
            $0.appliesChanges = true
        }
    }

    @Test func allMonthsAreShownInTheRegionsOfOneDay() throws {
        let folder = try ChangeFolder(seed: 31)
        try #require(folder.text("reference/stations.csv").hasPrefix("station,from,to,region,"))
        try Self.redraw(folder)
        let redrawn = try folder.served
        let before = try redrawn.cube()
        let mapped = try RegionMap(redrawn, asOf: Self.day).cube(threadCount: 2)
        try Self.freeze(folder)
        let expected = try folder.served
        #expect(try mapped.cube() == expected.cube())
        #expect(try Set(mapped.basisCells()) == Set(expected.basisCells()))
        #expect(try mapped.regions() == expected.regions())
        #expect(try mapped.months() == expected.months())
        #expect(try mapped.cube() != before)
        // Without the option, history stays in the old regions.
        let march = Month(year: 2026, month: 3)
        let query = KPIQuery(months: march...march, regions: ["21"])
        let old = try redrawn.kpi(query).total.sums.trips
        #expect(try mapped.kpi(query).total.sums.trips > old)
        for (threads, leaves) in [(1, 1), (3, 2)] {
            let other = try RegionMap(redrawn, asOf: Self.day)
                .cube(threadCount: threads, leavesOfBatch: leaves)
            #expect(try other.cube() == mapped.cube())
        }
    }

    /// On a day before all rows, the region of a trip is not known.
    @Test func aDayBeforeAllRowsHasNoRegions() throws {
        let folder = try ChangeFolder(seed: 31)
        try folder.rewrite("stations.csv") { lines in
            lines = lines.map { line in
                var cells = line.split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
                if cells[1].isEmpty { cells[1] = "2000-01-01" }
                return cells.joined(separator: ",")
            }
        }
        try folder.night.run {
            $0.isFull = true
            $0.appliesChanges = true
        }
        // 1999-12-31.
        let early = CivilDate(dayNumber: 10956)
        let mapped = try RegionMap(folder.served, asOf: early).cube(threadCount: 2)
        #expect(try mapped.regions().map(\.value) == ["UNKNOWN"])
        #expect(try mapped.kpi(KPIQuery()).total == folder.served.kpi(KPIQuery()).total)
    }

    @Test func pipelinesWithoutDatedRegionsAreRefused() throws {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        try night.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try night.run()
        let queries = MartQueries(martPath: night.options().martPath, keyPath: nil)
        func code(_ generation: Int?) -> RunError.Code? {
            #expect(throws: RunError.self) {
                try queries.kpi(
                    KPIQuery(),
                    asPublished: generation,
                    regionsAsOf: Self.day
                )
            }?.code
        }
        #expect(code(nil) == .usage)
        try night.run { $0.isFull = true }
        let folder = MartFolder(path: night.options().martPath)
        let now = Int64(Date().timeIntervalSince1970) + 10
        try Retention.apply(to: folder, keep: 1, now: now, minimumAgeSeconds: 0)
        #expect(code(1) == .notFound)
        #expect(code(9) == .notFound)
    }

    /// No temporary files remain.
    @Test func noTemporaryFilesRemain() throws {
        let folder = try ChangeFolder(seed: 31, trips: 60)
        let queries = MartQueries(martPath: folder.options.martPath, keyPath: nil)
        for format in [OutputFormat.table, .json] {
            let kpis = try queries.kpi(
                KPIQuery(by: [.region]),
                asPublished: nil,
                regionsAsOf: Self.day
            )
            let text = KPIScreen(kpis, now: 0).text(format, on: .usual)
            #expect(text.contains(format == .table ? "regions as of 2026-06-01" : "regions_as_of"))
        }
        let cube = try RegionMap(folder.served, asOf: Self.day).cube(threadCount: 1)
        #expect(!FileManager.default.fileExists(atPath: cube.file.path))
        #expect(try cube.kpi(KPIQuery()).total.sums.trips > 0)
    }
}
