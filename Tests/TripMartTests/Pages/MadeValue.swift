import TestSupport

@testable import TripMart

/// One value of a generated table; doubles are compared by their bits.
enum MadeValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case realBits(UInt64)
    case text([UInt8])
    case blob([UInt8])

    static func real(_ value: Double) -> MadeValue { .realBits(value.bitPattern) }

    /// Integers on both sides of every border between serial types.
    static let borderIntegers: [Int64] = {
        let borders = [7, 15, 23, 31, 47, 63].flatMap { bits -> [Int64] in
            let top: Int64 = bits == 63 ? .max : (1 << Int64(bits)) - 1
            return [top - 1, top, top &+ 1, -top, -top - 1, bits == 63 ? 0 : -top - 2]
        }
        return borders + [-2, -1, 0, 1, 2, 255, 256]
    }()

    /// Doubles that are stored in different ways.
    static let borderReals: [Double] = [
        0, -0.0, 1, -1, 2, 0.5, -0.25, 127, 128, 32768, 0x1p31, 0x1p47 - 1, 0x1p47, -0x1p47,
        -0x1p47 - 1, 0x1p53, 0x1p62, 0x1p63, -0x1p63, 1e300, -1e300, .infinity, -.infinity, .nan,
        .leastNonzeroMagnitude, .pi,
    ]

    /// A random value of a column of some type, so that every way of storing it occurs.
    static func random(_ type: String, size: Int, _ dice: inout SeededDice) -> MadeValue {
        if dice.oneIn(8) { return .null }
        switch type {
        case "REAL":
            if dice.oneIn(2) { return .real(dice.pick(borderReals)) }
            return .real(Double(Int64.random(in: -1000...1000, using: &dice)) / 8)
        case "TEXT":
            return .text(bytes(size, &dice) { UInt8.random(in: 0x20...0x7E, using: &$0) })
        case "BLOB":
            return .blob(bytes(size, &dice) { UInt8.random(in: 0...255, using: &$0) })
        case "CODE":
            return .integer(Int64.random(in: 0...3, using: &dice))
        default:
            if dice.oneIn(3) { return .integer(dice.pick(borderIntegers)) }
            let value = Int64(bitPattern: dice.next())
            return .integer(value >> Int64.random(in: 0...63, using: &dice))
        }
    }

    private static func bytes(
        _ size: Int,
        _ dice: inout SeededDice,
        _ byte: (inout SeededDice) -> UInt8
    ) -> [UInt8] {
        let count = dice.oneIn(6) ? 0 : Int.random(in: 0...size, using: &dice)
        return (0..<count).map { _ in byte(&dice) }
    }
}
