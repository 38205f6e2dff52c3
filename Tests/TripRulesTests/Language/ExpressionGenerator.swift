import TestSupport

@testable import TripRules

/// Makes random expressions of known types, and counts what it has made.
///
/// Every operator goes through ``made(_:_:_:)``, which notes it with the types of its operands and
/// which of the first two are NULL, so that the table printed at the end shows what was covered.
struct ExpressionGenerator {
    /// A piece of an expression.
    struct Piece {
        let text: String
        let type: Character
        /// Whether it is NULL for every trip, being a literal or a column without values.
        var isNull = false
        var depth = 1
    }

    var dice: ExpressionDice
    /// How often each operator was made: operator, operand types, NULL positions.
    private(set) var coverage: [String: [String: Int]] = [:]
    /// Conditions in SQL that hold where the expression's whole numbers leave 64 bits.
    var overflowTests: [String] = []
    /// The same for abs(), which SQLite ends with an error instead.
    var magnitudeTests: [String] = []
    var isInMagnitude = false

    init(seed: UInt64) {
        dice = ExpressionDice(seed: seed)
    }

    /// Begins a new expression.
    mutating func begin() {
        overflowTests = []
        magnitudeTests = []
    }

    /// Notes an operator and puts a piece together.
    mutating func made(
        _ name: String,
        _ type: Character,
        _ parts: [Piece],
        _ text: String
    ) -> Piece {
        let types = String(parts.prefix(2).map(\.type))
        let nulls = String(parts.prefix(2).map { $0.isNull ? "N" : "·" })
        coverage["\(name) \(types)", default: [:]][nulls, default: 0] += 1
        return Piece(text: text, type: type, depth: (parts.map(\.depth).max() ?? 0) + 1)
    }

    // MARK: Leaves

    static let nullColumns: [Character: String] = [
        "T": "no_text", "I": "no_integer", "R": "no_real",
    ]

    /// A NULL of a type: a literal, or a column that is always NULL.
    mutating func null(_ type: Character) -> Piece {
        let text: String
        switch (type, dice.roll(3)) {
        case ("R", 0): text = "CAST(NULL AS REAL)"
        case ("C", 0): text = "NULL"
        case ("C", _): text = "(no_text = 'VA')"
        // A NULL that counts as INTEGER would change the type of sums meant to be REAL.
        case (_, 0) where type != "R": text = "NULL"
        default: text = Self.nullColumns[type] ?? "NULL"
        }
        return Piece(text: text, type: type, isNull: true)
    }

    private mutating func leaf(_ type: Character) -> Piece {
        if dice.oneIn(30) { return null(type) }
        let text: String
        switch type {
        case "T":
            text = dice.pick([
                "owner", "unit", "amount", "moment", "day", "stamp", "site.region", "site.opened",
                "'VA'", "'va'", "''", "'Ä'", "'it''s'", "'a'", "'x y'", "'2025-01-31'", "'12'",
                "'😀'", "owner", "unit", "\"owner\"",
            ])
        case "I":
            text = dice.pick([
                "cents", "count", "flag", "site.beds", "site.matched", "award.matched",
                "award.match_count", "site.match_count", "0", "1", "2", "-1", "7", "100", "count",
                "9223372036854775807", "-9223372036854775808", "9007199254740993", "cents",
            ])
        default:
            text = dice.pick([
                "rate", "share", "site.weight", "0.0", "1.5", "-2.5", "0.1", "1e10", "2.675",
                "9007199254740993.0", "9223372036854775807.0", "rate", "share", ".5", "1e308",
            ])
        }
        return Piece(text: text, type: type)
    }

    // MARK: Typed expressions

    /// An expression of a type, nested no deeper than so many levels.
    mutating func value(_ type: Character, _ depth: Int) -> Piece {
        guard depth > 0, !dice.oneIn(6) else { return leaf(type) }
        switch type {
        case "T": return text(depth - 1)
        case "I": return integer(depth - 1)
        case "R": return real(depth - 1)
        default: return condition(depth - 1)
        }
    }

    private mutating func text(_ depth: Int) -> Piece {
        switch dice.roll(12) {
        case 0, 1: return joined(dice.pick(["TT", "TI", "IT"]), depth)
        case 2: return call(dice.pick(["upper", "lower", "trim"]), "T", "T", depth)
        case 3: return call("trim", "TT", "T", depth)
        case 4: return call("substr", dice.oneIn(2) ? "TI" : "TII", "T", depth)
        case 5: return call("coalesce", dice.oneIn(3) ? "TTT" : "TT", "T", depth)
        case 6: return call("nullif", "TT", "T", depth)
        case 7: return choice("T", depth)
        case 8: return cast(dice.pick(["T", "I"]), "T", depth)
        case 9: return date(depth)
        default: return call("substr", "TII", "T", depth)
        }
    }

    private mutating func integer(_ depth: Int) -> Piece {
        switch dice.roll(12) {
        case 0, 1, 2, 3: return arithmetic("II", depth)
        case 4: return negative("I", depth)
        case 5: return isInMagnitude ? leaf("I") : magnitude("I", depth)
        case 6: return cast(dice.pick(["T", "R", "I"]), "I", depth)
        case 7: return call("length", "T", "I", depth)
        case 8: return call("instr", "TT", "I", depth)
        case 9: return call(dice.pick(["coalesce", "nullif"]), "II", "I", depth)
        case 10: return choice("I", depth)
        default:
            let inner = condition(depth)
            return Piece(text: "(\(inner.text))", type: "I", depth: inner.depth)
        }
    }

    private mutating func real(_ depth: Int) -> Piece {
        switch dice.roll(10) {
        case 0, 1, 2: return arithmetic(dice.pick(["IR", "RI", "RR"]), depth)
        case 3: return negative("R", depth)
        case 4: return magnitude("R", depth)
        case 5: return cast(dice.pick(["T", "I", "R"]), "R", depth)
        case 6, 7: return rounded(dice.pick(["I", "R"]), hasDigits: dice.oneIn(2), depth)
        case 8: return call(dice.pick(["coalesce", "nullif"]), "RR", "R", depth)
        default: return choice("R", depth)
        }
    }

    /// A condition.
    mutating func condition(_ depth: Int) -> Piece {
        switch dice.roll(14) {
        case 0, 1, 2: return compared(dice.pick(Self.comparisons), dice.pick(Self.pairs), depth)
        case 3:
            return tested(
                dice.pick(["IS NULL", "IS NOT NULL"]),
                dice.pick(["T", "I", "R"]),
                depth
            )
        case 4: return between(isNegated: dice.oneIn(2), dice.pick(Self.pairs), depth)
        case 5: return listed(isNegated: dice.oneIn(2), dice.pick(["T", "I", "R"]), depth)
        case 6, 7: return matched(dice.pick(Self.patternWords), depth)
        case 8, 9, 10: return connected(dice.oneIn(2) ? "AND" : "OR", depth)
        case 11: return inverted(depth)
        default: return numeric(dice.pick(["I", "R"]), depth)
        }
    }
}

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
