import TestSupport
import Testing
import TripDomain

@Suite struct KPISumsTests {
    private struct Trip {
        let tripClass: TripClass
        let cost: Int64?
        let miles: Int64?
    }

    private static func trips(seed: UInt64, count: Int) -> [Trip] {
        var dice = SeededDice(seed: seed)
        return (0..<count).map { _ in
            Trip(
                tripClass: dice.pick(TripClass.allCases),
                cost: dice.pick([nil, 0, 1, 12_345, -500]),
                miles: dice.pick([nil, 0, 7, 2_250])
            )
        }
    }

    /// Sums by class, which loops over trips add up, give what the table adds up trip by trip.
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func sumsByClassGiveThoseOfTheTable(seed: UInt64) {
        let trips = Self.trips(seed: seed, count: 500)
        var (byTrip, byClass) = (KPISums(), [TripClass: TripSums]())
        for trip in trips {
            byTrip.add(tripClass: trip.tripClass, cost: trip.cost, miles: trip.miles)
            byClass[trip.tripClass, default: TripSums()].add(cost: trip.cost, miles: trip.miles)
        }
        let found = byClass.reduce(into: KPISums()) { $0.add($1.value, of: $1.key) }
        #expect(found == byTrip)
    }

    /// The sums of the first version, each by its own condition and without the table.
    @Test(arguments: [UInt64(5), 6])
    func everySumIsWhatItsNameSays(seed: UInt64) {
        let trips = Self.trips(seed: seed, count: 400)
        var sums = KPISums()
        for trip in trips {
            sums.add(tripClass: trip.tripClass, cost: trip.cost, miles: trip.miles)
        }
        func count(_ isMeant: (Trip) -> Bool) -> Int64 { Int64(trips.count(where: isMeant)) }
        func sum(_ value: (Trip) -> Int64?) -> Int64 {
            trips.reduce(0) { $0 + (value($1) ?? 0) }
        }
        #expect(sums[.trips] == Int64(trips.count))
        #expect(sums[.costCents] == sum(\.cost))
        for (tripClass, number, cost, costed) in [
            (
                TripClass.inHouse, KPISum.inHouseTrips, KPISum.inHouseCostCents,
                KPISum.inHouseCostedTrips
            ),
            (.contracted, .contractedTrips, .contractedCostCents, .contractedCostedTrips),
            (.undetermined, .undeterminedTrips, .undeterminedCostCents, .undeterminedCostedTrips),
        ] {
            #expect(sums[number] == count { $0.tripClass == tripClass })
            #expect(sums[cost] == sum { $0.tripClass == tripClass ? $0.cost : nil })
            #expect(sums[costed] == count { $0.tripClass == tripClass && $0.cost != nil })
        }
        #expect(sums[.loadedMilesHundredths] == sum(\.miles))
        #expect(sums[.milesKnownTrips] == count { $0.miles != nil })
        #expect(sums[.costWithMilesCents] == sum { $0.miles == nil ? nil : $0.cost })
        #expect(sums[.costedMilesHundredths] == sum { $0.cost == nil ? nil : $0.miles })
        #expect(sums[.costedMilesTrips] == count { $0.cost != nil && $0.miles != nil })
    }

    @Test func groupsAreAddedAndSubtractedSumBySum() {
        let (one, two) = (
            KPISums(values: KPISum.allCases.map { Int64($0.rawValue) }),
            KPISums(values: KPISum.allCases.map { 100 - 3 * Int64($0.rawValue) })
        )
        var sum = one
        sum += two
        #expect(sum.values == zip(one.values, two.values).map(+))
        sum -= two
        #expect(sum == one && sum.hashValue == one.hashValue)
        #expect(one != two)
        for kind in KPISum.allCases { #expect(one[kind] == Int64(kind.rawValue)) }
    }

    @Test func aSetHasTheSumsThatWereInserted() {
        for sum in KPISum.allCases {
            let alone: KPISumSet = [sum]
            #expect(KPISum.allCases.filter { alone.contains($0) } == [sum])
            #expect(KPISumSet.all.contains(alone) && !alone.isDisjoint(with: .all))
        }
        let (first, others) = (KPISumSet([.trips]), KPISumSet(KPISum.allCases.dropFirst()))
        #expect(first.isDisjoint(with: others) && !others.contains(first))
        var all = first
        all.formUnion(others)
        #expect(all == .all && KPISumSet().isEmpty)
    }
}
