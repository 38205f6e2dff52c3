import TestSupport
import Testing

@testable import TripDomain

/// The table of KPIs, as a whole and row by row.
@Suite struct KPITests {
    private static let ratios = KPI.table.compactMap { kpi in
        if case .ratio(let ratio, let quotient) = kpi.definition { (ratio, quotient) } else { nil }
    }

    @Test func everySumAndEveryRatioHasOneRow() {
        let sums = KPI.table.compactMap { kpi in
            if case .sum(let sum, _, of: _) = kpi.definition { sum } else { nil }
        }
        // Answers list the sums in the order of the store.
        #expect(sums == KPISum.allCases)
        #expect(Self.ratios.map(\.0) == KPIRatio.allCases)
        #expect(sums.count == KPISums().values.count)
    }

    @Test func namesAndLabelsAreUniqueWords() {
        let names = KPI.table.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.utf8.allSatisfy { $0 == 0x5F || 0x61...0x7A ~= $0 } })
        #expect(KPI.table.allSatisfy { $0.key.description == $0.name })
        let labels = KPI.table.compactMap(\.label)
        #expect(Set(labels).count == labels.count)
    }

    /// The unit stands at the end of the name.
    @Test func everyNameEndsInItsUnit() {
        for kpi in KPI.table {
            switch kpi.unit {
            case .trips: #expect(kpi.name.hasSuffix("trips"))
            case .cents: #expect(kpi.name.hasSuffix("_cents"))
            case .hundredthsOfMile: #expect(kpi.name.hasSuffix("_hundredths"))
            case .hundredthsOfPercent: #expect(kpi.name.contains("_pct"))
            }
        }
    }

    /// A measure of a class is stored once.
    @Test func noSumIsStoredTwice() {
        let kinds = KPISum.allCases.map { "\($0.measure) \(String(describing: $0.tripClass))" }
        #expect(Set(kinds).count == kinds.count)
    }

    /// Later rows are added at the end of the store, so that older files keep their columns.
    @Test func laterSumsComeLast() {
        let isLater = KPISum.allCases.map(\.isLater)
        #expect(!isLater.drop { !$0 }.contains(false))
    }

    /// What readers of the first version rely on.
    @Test func theNamesOfTheFirstVersionStay() {
        #expect(
            KPI.table.filter { !$0.isLater && !$0.isRatio }.map(\.name) == [
                "trips", "in_house_trips", "contracted_trips", "undetermined_trips", "cost_cents",
                "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents",
                "in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips",
                "loaded_miles_hundredths", "miles_known_trips", "cost_with_miles_cents",
                "costed_miles_hundredths",
            ]
        )
        #expect(
            KPI.table.filter { !$0.isLater && $0.isRatio }.map(\.name) == [
                "in_house_pct", "in_house_pct_low", "in_house_pct_high", "cost_per_trip_cents",
                "cost_per_mile_cents",
            ]
        )
        #expect(
            KPI.table.filter { $0.isServed && !$0.isLater }.map(\.name) == [
                "trips", "in_house_trips", "contracted_trips", "undetermined_trips",
                "in_house_pct", "in_house_pct_low", "in_house_pct_high", "cost_cents",
                "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents",
                "in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips",
                "cost_per_trip_cents", "cost_per_mile_cents", "loaded_miles_hundredths",
            ]
        )
        #expect(
            KPI.table.filter { !$0.isLater }.compactMap(\.label) == [
                "trips", "in-house", "contracted", "undet.", "in-house %", "if undet. fall",
                "vendor cost", "cost known",
            ]
        )
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func ratiosAreTheNearestIntegers(seed: UInt64) {
        var dice = SeededDice(seed: seed)
        for _ in 0..<300 {
            let sums = KPISums(
                values: KPISum.allCases.map { _ in dice.pick([0, 1, 2, 3, 7, 10, 999, 1_000_001]) }
            )
            for (ratio, quotient) in Self.ratios {
                let whole = quotient.whole.map { sums[$0] }.reduce(0, +)
                let part = quotient.part.map { sums[$0] }.reduce(0, +) * quotient.factor
                let scale: Int64 = quotient.unit == .hundredthsOfPercent ? 10_000 : 1
                guard let found = sums[ratio] else {
                    #expect(whole == 0)
                    continue
                }
                // The distance of a quotient from the nearest integer: half a divisor at most.
                let rest = 2 * (scale * part - found * whole)
                #expect(-whole <= rest && rest < whole, "\(ratio)")
            }
        }
    }

    @Test(arguments: [
        (Int64(5), Int64(2), Int64(3)), (-5, 2, -2), (7, 3, 2), (-7, 3, -2), (-1, 2, 0),
        (-3, 2, -1), (0, 4, 0),
    ])
    func aHalfIsRoundedUpAlsoBelowZero(cost: Int64, trips: Int64, expected: Int64) {
        var sums = KPISums()
        (sums[.costCents], sums[.inHouseCostedTrips]) = (cost, trips)
        #expect(sums[.costPerTrip] == expected)
    }

    /// Within ``SumLimit`` no ratio overflows: counts are up to a hundred thousandth of the
    /// greatest integer, and amounts up to a thousandth.
    @Test func noRatioOverflowsWithinTheLimit() {
        for (ratio, quotient) in Self.ratios {
            func limit(_ sums: [KPISum]) -> Int64 {
                sums.reduce(0) { $0 + ($1.measure.unit == .trips ? 1 : 100) }
            }
            let scale: Int64 = quotient.unit == .hundredthsOfPercent ? 20_000 : 2
            let largest = scale * quotient.factor * limit(quotient.part) + 3 * limit(quotient.whole)
            #expect(largest < 100_000, "\(ratio)")
        }
    }

    @Test func aCostIsShownWhereFourOfFiveAreKnown() {
        let coverage = KPICoverage(.inHouseCostedTrips, of: .inHouseTrips)
        for (known, trips, isMost) in [
            (4, 5, true), (79, 100, false), (80, 100, true), (0, 0, true),
        ] {
            var sums = KPISums()
            (sums[.inHouseCostedTrips], sums[.inHouseTrips]) = (Int64(known), Int64(trips))
            #expect(coverage.isMost(sums) == isMost)
        }
    }
}
