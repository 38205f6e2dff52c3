import Testing
import TripDomain

@testable import TripMart

/// Compares the sums by basis in memory with SQLite's sums over the table.
@Suite struct ServedBasesTests {
    @Test(arguments: [1, 2, 3])
    func everyFilterHasTheSumsOfTheTable(seed: UInt64) throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: seed, count: 900))
        let served = try ServedGeneration(mart.folder, number: 1)
        let path = mart.folder.generationPath(1)
        let months = served.whole.months
        let ranges: [ClosedRange<Month>?] =
            [nil] + months.flatMap { first in months.filter { $0 >= first }.map { first...$0 } }
        let types: [String?] = [nil, "none"] + served.whole.tripTypes.map(\.value)
        let regions: [String?] = [nil, "none"] + served.whole.regions.map(\.value)
        let own = Set(served.whole.regions.prefix(2).map(\.value))
        var lines = 0
        for range in ranges {
            for type in types {
                for filter in regions.map({
                    ServedFilter(months: range, tripType: type, region: $0)
                }) + [ServedFilter(months: range, tripType: type, scope: own)] {
                    let found = served.bases.byBasis(filter).map {
                        classAndBasis,
                        sums -> [String?] in
                        [
                            classAndBasis.tripClass.word, classAndBasis.basis, "\(sums.trips)",
                            "\(sums.costedTrips)", "\(sums.costCents)",
                        ]
                    }
                    #expect(found == (try Self.rows(path, filter)), "\(filter)")
                    lines += found.count
                }
            }
        }
        #expect(lines > 100)
    }

    /// The classes and bases of a filter by SQLite; undetermined trips come last.
    private static func rows(_ path: String, _ filter: ServedFilter) throws -> [[String?]] {
        let months =
            filter.months.map {
                "month BETWEEN '\($0.lowerBound.text)' AND '\($0.upperBound.text)'"
            } ?? "month = 'all'"
        let regions = filter.scope ?? [filter.region ?? "all"]
        return try BuiltMart.rows(
            path,
            """
            SELECT class, basis, sum(trips), sum(costed_trips), sum(cost_cents) FROM kpi_basis
            WHERE \(months) AND trip_type = '\(filter.tripType ?? "all")'
                AND region IN (\(regions.map { "'\($0)'" }.joined(separator: ", ")))
            GROUP BY class, basis HAVING sum(trips) > 0
            ORDER BY CASE class
                WHEN 'in_house' THEN 0 WHEN 'contracted' THEN 1 ELSE 2 END, basis
            """
        )
    }
}
