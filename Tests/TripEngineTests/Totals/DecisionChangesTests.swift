import TestSupport
import Testing
import TripDomain

@testable import TripEngine

@Suite struct DecisionChangesTests {
    private struct Trip {
        let old: Int
        let new: Int
        let wasCounted: Bool
        let isCounted: Bool
        let cost: Int64?
        let oldRegion: Int
        let newRegion: Int
    }

    private static func trips(_ count: Int, _ dice: inout SeededDice) -> [Trip] {
        (0..<count).map { _ in
            Trip(
                old: dice.below(3),
                new: dice.below(4),
                wasCounted: dice.below(4) > 0,
                isCounted: dice.below(4) > 0,
                cost: dice.below(3) == 0 ? nil : Int64(dice.below(1000)),
                oldRegion: dice.below(3),
                newRegion: dice.below(3)
            )
        }
    }

    /// The words of regions; one is in the pool twice, as is possible in a reference table.
    private static let words = ["08", "10", "08"]

    private static func batch(_ rules: [Int], _ counted: [Bool]) -> TripBatch {
        let origin = [UInt32](repeating: 0, count: rules.count)
        var batch = TripBatch(
            fileIndex: 0,
            columns: [],
            recordNumbers: origin,
            lineNumbers: origin
        )
        batch.ruleNumbers = rules.map { UInt16($0) }
        batch.counted = counted
        return batch
    }

    private static func changes(_ trips: [Trip], cut: Int) -> DecisionChanges {
        var all = DecisionChanges()
        for start in stride(from: 0, to: trips.count, by: cut) {
            let part = Array(trips[start..<min(start + cut, trips.count)])
            var changes = DecisionChanges()
            changes.add(
                old: batch(part.map(\.old), part.map(\.wasCounted)),
                new: batch(part.map(\.new), part.map(\.isCounted)),
                firstNumber: Int64(start + 1),
                cost: IntegerColumn(
                    values: part.map { $0.cost ?? 0 },
                    nulls: part.map { $0.cost == nil }
                )
            )
            let pool = TextPool(words)
            changes.addRelocated(
                [
                    (
                        TextColumn(codes: part.map { UInt32($0.oldRegion + 1) }, pool: pool),
                        TextColumn(codes: part.map { UInt32($0.newRegion + 1) }, pool: pool)
                    )
                ],
                firstNumber: Int64(start + 1)
            )
            all.add(changes)
        }
        return all
    }

    @Test(arguments: [1, 7, 500])
    func everyChangeIsCountedAsByASimpleLoop(cut: Int) {
        var dice = SeededDice(seed: UInt64(cut))
        let trips = Self.trips(500, &dice)
        let changes = Self.changes(trips, cut: cut)
        var total: Int64 = 0
        for move in changes.all {
            let own = trips.indices.filter {
                (trips[$0].old, trips[$0].new) == (move.transition.oldRule, move.transition.newRule)
                    && trips[$0].wasCounted == move.transition.wasCounted
                    && trips[$0].isCounted == move.transition.isCounted
            }
            #expect(move.sums.trips == Int64(own.count))
            #expect(move.sums.costedTrips == Int64(own.count { trips[$0].cost != nil }))
            #expect(move.sums.costCents == own.reduce(0) { $0 + (trips[$1].cost ?? 0) })
            #expect(move.samples == own.prefix(3).map { Int64($0 + 1) })
            total += move.sums.trips
        }
        #expect(total == 500)
        let relocated = trips.indices.filter {
            Self.words[trips[$0].oldRegion] != Self.words[trips[$0].newRegion]
        }
        #expect(changes.relocated == Int64(relocated.count))
        #expect(changes.relocatedSamples == relocated.prefix(3).map { Int64($0 + 1) })
    }
}
