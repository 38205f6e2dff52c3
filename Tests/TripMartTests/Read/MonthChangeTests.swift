import Testing
import TripDisclosure
import TripDomain

@testable import TripMart

/// Changes between two months of a file, and of the cubes that a server has of it in memory.
@Suite struct MonthChangeTests {
    private static let dimensions: [KPIDimension] = [.region, .tripType]

    private static func published(
        _ seed: UInt64,
        count: Int
    ) throws -> (BuiltMart, ServedGeneration) {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: seed, count: count))
        return (mart, try ServedGeneration(mart.folder, number: 1))
    }

    /// Every two months, each way the earlier one first.
    private static func pairs(_ months: [Month]) -> [(from: Month, to: Month)] {
        months.flatMap { from in months.filter { from < $0 }.map { (from, $0) } }
    }

    @Test(arguments: [21, 22])
    func changesOfAFileSumToThoseOfItsMonths(seed: UInt64) throws {
        let (mart, served) = try Self.published(seed, count: 900)
        let source = try ServedMart.open(mart.folder)
        var moved = 0
        for (from, to) in Self.pairs(served.whole.months) {
            for dimension in Self.dimensions {
                for query in [KPIQuery(), KPIQuery(regions: [served.whole.regions[0].value])] {
                    let change = try source.change(from: from, to: to, by: dimension, query)
                    #expect(change.dimension == dimension)
                    #expect(change.changes.map(\.measure) == ChangeMeasure.allCases)
                    for one in change.changes {
                        var ends = (query, query)
                        (ends.0.months, ends.1.months) = (from...from, to...to)
                        let sums = (
                            try source.kpi(ends.0).total.sums, try source.kpi(ends.1).total.sums
                        )
                        #expect(one.from == one.measure.value(of: sums.0))
                        #expect(one.to == one.measure.value(of: sums.1))
                        #expect(one.parts.reduce(0) { $0 + $1.amount } == one.change ?? 0)
                        moved += one.parts.count
                    }
                }
            }
        }
        #expect(moved > 100)
    }

    @Test(arguments: [23, 24])
    func aReaderWhoSeesEveryNumberGetsThePartsOfTheFile(seed: UInt64) throws {
        let (mart, served) = try Self.published(seed, count: 900)
        let source = try ServedMart.open(mart.folder)
        for (from, to) in Self.pairs(served.whole.months) {
            for dimension in Self.dimensions {
                let change = try source.change(from: from, to: to, by: dimension, KPIQuery())
                for one in change.changes {
                    let found = served.whole.change(
                        of: one.measure,
                        from: from,
                        to: to,
                        by: dimension,
                        ServedFilter()
                    )
                    #expect(found == one)
                }
            }
        }
    }

    /// The parts of a suppressed cube follow from its visible numbers: those that are hidden are
    /// one group, the total less all others, worked out here from the cells alone.
    @Test func hiddenGroupsStandTogether() throws {
        var (named, together, withheld) = (0, 0, 0)
        // Thin months hide totals, fuller ones a region or two.
        for (seed, count) in [(25, 900), (26, 1_800), (27, 3_500), (28, 9_000)] {
            let (_, served) = try Self.published(UInt64(seed), count: count)
            let cube = served.suppressed
            for (from, to) in Self.pairs(cube.months) {
                for dimension in Self.dimensions {
                    for measure in ChangeMeasure.allCases {
                        let found = cube.change(
                            of: measure,
                            from: from,
                            to: to,
                            by: dimension,
                            ServedFilter()
                        )
                        let expected = Self.expected(cube, measure, from, to, dimension)
                        #expect(found == expected)
                        let parts = found?.parts ?? []
                        withheld += found == nil ? 1 : 0
                        named += parts.count { $0.value != KPICell.all }
                        together += parts.count { $0.value == KPICell.all }
                    }
                }
            }
        }
        #expect(named > 0 && together > 0 && withheld > 0)
    }

    private static func expected(
        _ cube: ServedCube,
        _ measure: ChangeMeasure,
        _ from: Month,
        _ to: Month,
        _ dimension: KPIDimension
    ) -> ChangeDecomposition? {
        func sums(_ month: Month, _ value: String?) -> KPISums? {
            let cell = cube.cell(
                ServedFilter(
                    months: month...month,
                    tripType: dimension == .tripType ? value : nil,
                    region: dimension == .region ? value : nil
                )
            )
            var sums = KPISums()
            for sum in KPISum.allCases where measure.sums.contains(sum) {
                guard let number = cell[sum] else { return nil }
                sums[sum] = number
            }
            return sums
        }
        guard let before = sums(from, nil), let after = sums(to, nil) else { return nil }
        let values = (dimension == .region ? cube.regions : cube.tripTypes).map(\.value)
        var groups = values.compactMap { value in
            sums(from, value).flatMap { first in
                sums(to, value).map { ComparedGroup(value: value, from: first, to: $0) }
            }
        }
        var rest = (before, after)
        for group in groups {
            rest.0 -= group.from
            rest.1 -= group.to
        }
        groups.append(ComparedGroup(value: KPICell.all, from: rest.0, to: rest.1))
        return ChangeDecomposition(measure, of: groups)
    }

    /// A caller of some regions gets parts of these alone.
    @Test func aScopeIsTakenApartByItself() throws {
        let (_, served) = try Self.published(28, count: 900)
        let own = Set(served.whole.regions.prefix(2).map(\.value))
        let (from, to) = try #require(Self.pairs(served.whole.months).first)
        let change = try #require(
            served.whole.change(
                of: .inHousePercent,
                from: from,
                to: to,
                by: .region,
                ServedFilter(scope: own)
            )
        )
        #expect(!change.parts.isEmpty && own.isSuperset(of: change.parts.map(\.value)))
    }
}

extension ChangeMeasure {
    /// The value that is published: a ratio, or a cost where enough of it is known.
    fileprivate func value(of sums: KPISums) -> Int64? {
        guard self == .vendorCost else { return sums.inHousePercentHundredths }
        return sums.contractedCostedTrips * 5 >= sums.contractedTrips * 4
            ? sums.contractedCostCents : nil
    }
}
