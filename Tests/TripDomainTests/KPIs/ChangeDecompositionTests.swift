import TestSupport
import Testing
import TripDomain

@Suite struct ChangeDecompositionTests {
    // MARK: - Random months

    private static func group(_ value: String, _ dice: inout SeededDice) -> ComparedGroup {
        ComparedGroup(value: value, from: sums(&dice), to: sums(&dice))
    }

    /// The sums of a few trips, of none in one month of five.
    private static func sums(_ dice: inout SeededDice) -> KPISums {
        var sums = KPISums()
        guard !dice.oneIn(5) else { return sums }
        for _ in 0..<dice.pick([1, 2, 3, 9, 30]) {
            sums.add(
                tripClass: dice.pick(TripClass.allCases),
                cost: dice.pick([nil, 0, 1, 700, 12_345, 98_765, -500]),
                miles: nil
            )
        }
        return sums
    }

    private static func groups(_ dice: inout SeededDice) -> [ComparedGroup] {
        let values = ["01", "02", "08", "10", "UNKNOWN"]
        return values.prefix(1 + dice.below(values.count)).map { group($0, &dice) }
    }

    private static func total(_ groups: [ComparedGroup]) -> (from: KPISums, to: KPISums) {
        groups.reduce(into: (KPISums(), KPISums())) { total, group in
            total.0 += group.from
            total.1 += group.to
        }
    }

    // MARK: - Facts

    @Test(arguments: ChangeMeasure.allCases)
    func partsAreThoseOfTheFormulasAndSumExactly(measure: ChangeMeasure) throws {
        var (dice, compared, moved) = (SeededDice(seed: 47), 0, 0)
        for _ in 0..<1_000 {
            let groups = Self.groups(&dice)
            let found = try #require(ChangeDecomposition(measure, of: groups))
            guard let change = found.change else {
                #expect(found.parts.isEmpty)
                continue
            }
            let total = Self.total(groups)
            #expect(found.from == measure.kpi.value(total.from))
            #expect(found.to == measure.kpi.value(total.to))
            #expect(found.parts.reduce(0) { $0 + $1.amount } == change)
            let twin = ExactDecomposition.rounded(measure, groups, sum: change)
            #expect(
                ExactDecomposition.parts(found).allSatisfy(twin.contains)
                    && twin.count == found.parts.count
            )
            let exact = ExactDecomposition.parts(measure, groups)
            let nearest = exact.reduce(0) { $0 + $1.part.amount }
            if nearest != Int128(change) { moved += 1 }
            compared += 1
        }
        #expect(compared > 300)
        // Rounding each part by itself would not do.
        #expect(moved > 10)
    }

    @Test(arguments: ChangeMeasure.allCases)
    func largestComesFirstAndTheOrderOfGroupsSaysNothing(measure: ChangeMeasure) throws {
        var dice = SeededDice(seed: 48)
        for _ in 0..<300 {
            let groups = Self.groups(&dice)
            let found = try #require(ChangeDecomposition(measure, of: groups))
            #expect(ChangeDecomposition(measure, of: groups.shuffled(using: &dice)) == found)
            let sizes = found.parts.map(\.amount.magnitude)
            #expect(sizes == sizes.sorted(by: >))
        }
    }

    @Test(arguments: ChangeMeasure.allCases)
    func exchangingTheMonthsExchangesTheSigns(measure: ChangeMeasure) throws {
        var dice = SeededDice(seed: 49)
        for _ in 0..<500 {
            let groups = Self.groups(&dice)
            let back = groups.map { ComparedGroup(value: $0.value, from: $0.to, to: $0.from) }
            let found = try #require(ChangeDecomposition(measure, of: groups))
            let reverse = try #require(ChangeDecomposition(measure, of: back))
            #expect(reverse.change == found.change.map { -$0 })
            #expect(reverse.parts.map(\.amount) == found.parts.map { -$0.amount })
            #expect(reverse.parts.map(\.value) == found.parts.map(\.value))
            #expect(reverse.parts.map(\.kind) == found.parts.map(\.kind))
        }
    }

    @Test func equalMonthsHaveNoParts() throws {
        var dice = SeededDice(seed: 50)
        for measure in ChangeMeasure.allCases {
            let groups = Self.groups(&dice).map {
                ComparedGroup(value: $0.value, from: $0.from, to: $0.from)
            }
            let found = try #require(ChangeDecomposition(measure, of: groups))
            #expect(found.parts.isEmpty && found.change ?? 0 == 0)
        }
    }

    /// Twice the trips at the same shares: no point moves, and what they cost is all mix.
    @Test func moreOfTheSameIsMixOfCostAlone() throws {
        var dice = SeededDice(seed: 51)
        let groups = ["01", "08"].map { value in
            let sums = Self.sums(&dice)
            return ComparedGroup(value: value, from: sums, to: sums.doubled)
        }
        let share = try #require(ChangeDecomposition(.inHousePercent, of: groups))
        #expect(share.parts.isEmpty)
        let cost = try #require(ChangeDecomposition(.vendorCost, of: groups))
        #expect(cost.parts.allSatisfy { $0.kind == .mix })
    }

    @Test func oneGroupIsAllRate() throws {
        var (dice, found) = (SeededDice(seed: 52), 0)
        for _ in 0..<200 {
            let group = Self.group("08", &dice)
            let parts = try #require(ChangeDecomposition(.inHousePercent, of: [group])).parts
            #expect(parts.count <= 1 && parts.allSatisfy { $0.kind == .rate })
            found += parts.count
        }
        #expect(found > 50)
    }

    /// By hand, with 50 of 100 and 10 of 100, then 50 of 100 and 30 of 300: all that changed is
    /// that the second region has more trips, and it drives less itself than the first.
    @Test func moreTripsOfARegionThatDrivesLessItselfLowerTheShare() throws {
        let groups = [
            ComparedGroup(value: "01", from: .decided(50, of: 100), to: .decided(50, of: 100)),
            ComparedGroup(value: "02", from: .decided(10, of: 100), to: .decided(30, of: 300)),
        ]
        let found = try #require(ChangeDecomposition(.inHousePercent, of: groups))
        #expect(found.from == 3_000 && found.to == 2_000 && found.change == -1_000)
        #expect(found.parts.map(\.kind) == [.mix, .mix])
        // The mean of the shares of both months is 25 %: one region is 25 points above it and loses
        // a quarter of the trips, the other 15 below it and gains them.
        #expect(found.parts.map(\.value) == ["01", "02"])
        #expect(found.parts.map(\.amount) == [-625, -375])
    }

    @Test func aGroupOfOneMonthAloneIsAllMix() throws {
        let groups = [
            ComparedGroup(value: "01", from: .decided(40, of: 100), to: .decided(41, of: 100)),
            ComparedGroup(value: "02", from: KPISums(), to: .decided(17, of: 30)),
            ComparedGroup(value: "03", from: .decided(1, of: 9), to: KPISums()),
            ComparedGroup(value: "04", from: KPISums(), to: KPISums()),
        ]
        let found = try #require(ChangeDecomposition(.inHousePercent, of: groups))
        #expect(Set(found.parts.filter { $0.value != "01" }.map(\.kind)) == [.mix])
        #expect(Set(found.parts.map(\.value)) == ["01", "02", "03"])
    }

    @Test func aMonthWithoutDecidedTripsHasNoParts() throws {
        let group = ComparedGroup(value: "01", from: KPISums(), to: .decided(4, of: 9))
        let found = try #require(ChangeDecomposition(.inHousePercent, of: [group]))
        #expect(found.from == nil && found.to == 4_444 && found.change == nil)
        #expect(found.parts.isEmpty)
    }

    /// The published cost is not shown where fewer than 80 % of it are known.
    @Test func aCostThatIsMostlyUnknownHasNoParts() throws {
        var sums = KPISums()
        for cost in [Int64(100), 200, 300, nil] {
            sums.add(tripClass: .contracted, cost: cost, miles: nil)
        }
        let group = ComparedGroup(value: "01", from: sums, to: sums)
        let found = try #require(ChangeDecomposition(.vendorCost, of: [group]))
        #expect(found.from == nil && found.parts.isEmpty)
        #expect(ChangeMeasure.vendorCost.leftOut(sums) == 1)
    }

    @Test func hugeMonthsStillSumExactly() throws {
        var dice = SeededDice(seed: 53)
        for _ in 0..<300 {
            func sums() -> KPISums {
                let count = Int64(dice.below(Int(ChangeDecomposition.countMax / 3)))
                var sums = KPISums.decided(
                    count == 0 ? 0 : Int64(dice.below(Int(count))),
                    of: count
                )
                sums[.contractedCostedTrips] = sums.contractedTrips
                // No two trips cost the same, so that no quotient is whole.
                let cents = Int64(dice.below(200_000)) * sums.contractedTrips + count / 7
                sums[.contractedCostCents] = sums.contractedTrips == 0 ? 0 : cents
                return sums
            }
            let groups = ["a", "b", "c"].map {
                ComparedGroup(value: $0, from: sums(), to: sums())
            }
            for measure in ChangeMeasure.allCases {
                let found = try #require(ChangeDecomposition(measure, of: groups))
                #expect(found.parts.reduce(0) { $0 + $1.amount } == found.change)
            }
        }
    }

    @Test func sumsThatNoTripsHaveAreRefused() {
        func isRefused(_ measure: ChangeMeasure, _ change: (inout KPISums) -> Void) -> Bool {
            var sums = KPISums.decided(4, of: 9)
            change(&sums)
            let group = ComparedGroup(value: "01", from: .decided(4, of: 9), to: sums)
            return ChangeDecomposition(measure, of: [group]) == nil
        }
        #expect(!isRefused(.inHousePercent) { _ in })
        #expect(isRefused(.inHousePercent) { $0[.inHouseTrips] = -1 })
        #expect(isRefused(.inHousePercent) { $0[.inHouseTrips] = ChangeDecomposition.countMax })
        #expect(isRefused(.vendorCost) { $0[.contractedCostedTrips] = 6 })
        #expect(isRefused(.vendorCost) { $0[.contractedCostCents] = 5 })
        // A part of 2⁶³ cents and more.
        let dear = ComparedGroup(
            value: "01",
            from: .costed(1, cents: 9_000_000_000_000_000),
            to: .costed(ChangeDecomposition.countMax, cents: 0)
        )
        #expect(ChangeDecomposition(.vendorCost, of: [dear]) == nil)
    }
}

extension KPISums {
    fileprivate static func decided(_ inHouse: Int64, of trips: Int64) -> KPISums {
        var sums = KPISums()
        sums[.trips] = trips
        sums[.inHouseTrips] = inHouse
        sums[.contractedTrips] = trips - inHouse
        return sums
    }

    fileprivate static func costed(_ trips: Int64, cents: Int64) -> KPISums {
        var sums = decided(0, of: trips)
        sums[.contractedCostedTrips] = trips
        sums[.contractedCostCents] = cents
        return sums
    }

    fileprivate var doubled: KPISums {
        var sums = self
        sums += self
        return sums
    }
}
