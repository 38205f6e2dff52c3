import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// Differential tests against SQLite: an expression gives a trip the value that SQLite gives it.
struct SQLiteOracleTests {
    /// Pairs of an expression and a trip that each way of cutting the trips must agree on.
    static let pairCount = 120_000

    @Test func everyExpressionGivesWhatSQLiteGives() throws {
        let trips = SQLiteOracleTrips(seed: 20_261_101)
        var match = SQLiteOracleComparison(trips: trips)
        var generator = ExpressionGenerator(seed: 418)
        let cells = Self.cells
        var round = 0
        while match.pairCount < Self.pairCount {
            generator.begin()
            // Every other expression is made without the required combinations, which force many
            // NULLs on it.
            let piece =
                round % 2 == 0
                ? cells[round / 2 % cells.count].make(&generator, 1 + round / 2 / cells.count % 4)
                : generator.value(generator.dice.pick(["T", "I", "R", "C", "C"]), 3 + round % 3)
            round += 1
            match.play(
                piece.text,
                overflowTests: generator.overflowTests,
                magnitudeTests: generator.magnitudeTests,
                depth: piece.depth
            )
            guard match.faults.count < 10 else { break }
        }
        print(Self.table(generator.coverage))
        print(match.summary)
        for fault in match.faults { Issue.record("\(fault)") }
        for cell in cells {
            let count = generator.coverage[cell.row]?[cell.nulls] ?? 0
            #expect(count > 0, "\(cell.row) \(cell.nulls) was never made")
        }
        #expect(match.deepCount > 500, "expressions of at least four levels")
        #expect(match.unjudgedCount * 200 < match.pairCount, "pairs that SQLite refuses to judge")
    }

    /// A sum that SQLite turns into REAL is NULL and marked; any other is the same number.
    @Test func sumsBeyond64BitsAreNullAndMarked() {
        var match = SQLiteOracleComparison(trips: SQLiteOracleTrips(seed: 5))
        let literals = SQLiteOracleTrips.integers.map { String($0) }
        for sign in ["+", "-", "*", "/", "%"] {
            for operand in ["count", "site.beds", "no_integer"] + literals {
                for text in ["cents \(sign) \(operand)", "\(operand) \(sign) cents"] {
                    match.play(text, overflowTests: ["typeof(\(text)) = 'real'"], isSum: true)
                }
            }
        }
        match.play("- cents", overflowTests: ["typeof(- cents) = 'real'"], isSum: true)
        match.play(
            "abs(cents)",
            magnitudeTests: ["cents = -9223372036854775807 - 1"],
            isSum: true
        )
        print(match.summary)
        for fault in match.faults.prefix(10) { Issue.record("\(fault)") }
        #expect(match.overflowCount > 500)
    }

    /// Every pattern on every text, with the sets of GLOB at their bounds.
    @Test func patternsMatchAsInSQLite() {
        var match = SQLiteOracleComparison(trips: SQLiteOracleTrips(seed: 6))
        let bounds = [
            "'[A-V]*'", "'[V-Z]*'", "'[^V]*'", "'[]a-z]*'", "'*[]]^-'", "'z[]]*'", "'z[^]]*'",
            "'*[b-]'", "'[a-c]'", "'[[]*'", "'[^a-u]*'", "'*[ß]*'", "'%Ä%'", "'*\u{1F600}?'",
            "'[]'",
        ]
        for pattern in ExpressionGenerator.patterns + bounds {
            for word in ExpressionGenerator.patternWords {
                for name in ["owner", "amount", "site.region", "day", "no_text"] {
                    match.play("\(name) \(word) \(pattern)")
                }
            }
        }
        print(match.summary)
        for fault in match.faults.prefix(10) { Issue.record("\(fault)") }
    }

    /// Dates and time stamps compared with their own texts, parts of them, and texts that are no
    /// dates.
    @Test func datesCompareAsInSQLite() {
        var match = SQLiteOracleComparison(trips: SQLiteOracleTrips(seed: 7))
        let texts =
            SQLiteOracleTrips.days.prefix(6).map { CivilDate(dayNumber: Int32($0)).text }
            + SQLiteOracleTrips.days.prefix(6).map { CivilTime.text(ofSeconds: $0 * 86_399 + 7) }
            + ["2025", "2025-01", "2025-01-", "2025-01-0", "2025-01-01x", "", "z", "2025-13-01"]
        for sign in ExpressionGenerator.comparisons {
            for text in texts {
                for name in ["day", "stamp", "site.opened"] {
                    match.play("\(name) \(sign) '\(text)'")
                    match.play("'\(text)' \(sign) \(name)")
                }
            }
        }
        for text in texts {
            match.play("day BETWEEN '\(text)' AND '2025-03-02'")
            match.play("stamp NOT BETWEEN '2024' AND '\(text)'")
        }
        print(match.summary)
        for fault in match.faults.prefix(10) { Issue.record("\(fault)") }
    }

    /// Without parentheses the operators bind as SQLite's do, or the expression is refused.
    @Test func operatorsBindAsInSQLite() {
        var match = SQLiteOracleComparison(trips: SQLiteOracleTrips(seed: 3))
        var dice = ExpressionDice(seed: 4)
        let operands = [
            "count", "flag", "1", "2", "-1", "- count", "no_integer", "+ 3", "NOT flag",
        ]
        let operators = [
            "+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT", "AND", "OR",
            "AND NOT", "OR NOT", "BETWEEN 0 AND", "NOT BETWEEN - 2 AND", "IN (1, 2) AND",
            "NOT IN (0, 3) OR", "IS NULL OR",
        ]
        var refusedCount = 0
        for _ in 0..<700 {
            var text = dice.pick(operands)
            for _ in 0...(1 + dice.roll(4)) {
                text += " \(dice.pick(operators)) \(dice.pick(operands))"
            }
            let fault = match.fault(of: text)
            // Chained comparisons are refused, and so are bounds without parentheses.
            if fault?.code == .syntax || fault?.code == .overflow {
                refusedCount += 1
            } else {
                match.play(text)
            }
        }
        print("\(refusedCount) of 700 flat expressions are refused; \(match.summary)")
        for fault in match.faults.prefix(10) { Issue.record("\(fault)") }
        #expect(refusedCount < 500)
    }

    /// Operator and types down, NULL positions across.
    private static func table(_ coverage: [String: [String: Int]]) -> String {
        func filled(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        var lines = [
            "Expressions made, by operator and operand types (T text, I integer, R real, C "
                + "condition) and which operands are NULL:"
        ]
        let columns = ["·", "N", "··", "N·", "·N", "NN"]
        lines.append(filled("", 16) + columns.map { filled($0, 7) }.joined())
        for row in coverage.keys.sorted() {
            let counts = columns.map { filled(coverage[row]?[$0].map { String($0) } ?? "", 7) }
            lines.append(filled(row, 16) + counts.joined())
        }
        return lines.joined(separator: "\n")
    }
}
