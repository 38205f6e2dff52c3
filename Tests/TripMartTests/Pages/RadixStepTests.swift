import TestSupport
import Testing

@testable import TripMart

/// Compares the distribution of items to buckets with a stable sort by comparison.
@Suite struct RadixStepTests {
    @Test(arguments: [0, 1, 2, 7, 1000], [1, 2, 3, 8])
    func bucketsKeepTheOrderOfTheirItems(_ count: Int, _ threads: Int) {
        var dice = SeededDice(seed: UInt64(count))
        // Bucket 5 stays empty.
        let digits = (0..<count).map { _ in dice.pick([0, 1, 2, 3, 4, 6]) }
        let target = MadePositions(count)
        let bounds = RadixStep.distribute(count, digits: 7, threads: threads) {
            digits[$0]
        } move: { position, spot in
            target.positions[spot] = position
        }
        let expected = digits.indices.sorted { (digits[$0], $0) < (digits[$1], $1) }
        #expect(Array(target.positions) == expected)
        let buckets = (0..<7).map { Array(expected[bounds[$0]..<bounds[$0 + 1]]) }
        for (digit, bucket) in buckets.enumerated() {
            #expect(bucket == digits.indices.filter { digits[$0] == digit })
        }
        #expect(bounds.count == 8)
    }
}

/// Positions that several threads fill.
private final class MadePositions: Sendable {
    // Each position is written by one thread.
    nonisolated(unsafe) let positions: UnsafeMutableBufferPointer<Int>

    init(_ count: Int) {
        positions = .allocate(capacity: count)
        positions.initialize(repeating: -1)
    }

    deinit { positions.deallocate() }
}
