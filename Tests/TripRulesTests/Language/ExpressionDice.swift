import TestSupport

@testable import TripRules

/// Seeded random numbers (SeededDice): the same seed makes the same expressions everywhere.
struct ExpressionDice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to a limit, exclusive.
    mutating func roll(_ limit: Int) -> Int {
        Int(next() % UInt64(limit))
    }

    /// True once in so many times.
    mutating func oneIn(_ count: Int) -> Bool {
        roll(count) == 0
    }

    /// One of several.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[roll(elements.count)]
    }
}
