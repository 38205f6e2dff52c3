import Testing

@testable import TripMart

/// Dealing things into piles against a stable sort by comparing.
@Suite struct RadixStepTests {
    @Test(arguments: [0, 1, 2, 7, 1000], [1, 2, 3, 8])
    func pilesKeepTheOrderOfTheirThings(_ count: Int, _ threads: Int) {
        var dice = SplitMix64(seed: UInt64(count))
        // Pile 5 stays empty.
        let digits = (0..<count).map { _ in dice.pick([0, 1, 2, 3, 4, 6]) }
        let target = MadePlaces(count)
        let bounds = RadixStep.deal(count, digits: 7, threads: threads) {
            digits[$0]
        } move: { place, spot in
            target.places[spot] = place
        }
        let expected = digits.indices.sorted { (digits[$0], $0) < (digits[$1], $1) }
        #expect(Array(target.places) == expected)
        let piles = (0..<7).map { Array(expected[bounds[$0]..<bounds[$0 + 1]]) }
        for (digit, pile) in piles.enumerated() {
            #expect(pile == digits.indices.filter { digits[$0] == digit })
        }
        #expect(bounds.count == 8)
    }
}

/// Places that several threads fill.
private final class MadePlaces: Sendable {
    // Each place is written by one thread.
    nonisolated(unsafe) let places: UnsafeMutableBufferPointer<Int>

    init(_ count: Int) {
        places = .allocate(capacity: count)
        places.initialize(repeating: -1)
    }

    deinit { places.deallocate() }
}
