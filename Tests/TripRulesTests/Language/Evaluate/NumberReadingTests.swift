import Testing

@testable import TripEngine
@testable import TripRules

/// Numbers read from random texts, against SQLite's own CAST.
struct NumberReadingTests {
    private func text(_ dice: inout ExpressionDice) -> String {
        var text = dice.pick(["", "", "", "-", "+", " ", "\t-"])
        func digits(_ limit: Int) {
            for _ in 0..<dice.roll(limit) { text += String(dice.roll(10)) }
        }
        digits(dice.oneIn(4) ? 40 : 20)
        if !dice.oneIn(3) {
            text += "."
            digits(dice.oneIn(4) ? 40 : 18)
        }
        if dice.oneIn(2) {
            text += dice.pick(["e", "E", "e-", "e+"])
            text += String(dice.pick([dice.roll(20), dice.roll(400), dice.roll(20)]))
        }
        return text + dice.pick(["", "", "", " ", "x", "e", "."])
    }

    @Test func randomTextsReadAsSQLiteReadsThem() {
        var dice = ExpressionDice(seed: 12)
        let referee = SQLiteOracle()
        for _ in 0..<40 {
            let texts = (0..<250).map { _ in text(&dice) }
            let casts = texts.map { "CAST('\($0)' AS REAL), CAST('\($0)' AS INTEGER)" }
            let row = referee.query("SELECT " + casts.joined(separator: ", ")).rows[0]
            for (index, text) in texts.enumerated() {
                let bytes = Array(text.utf8)
                #expect(row[2 * index] == .real(NumberReading.real(bytes.span).value), "'\(text)'")
                #expect(
                    row[2 * index + 1] == .integer(NumberReading.integer(bytes.span)),
                    "'\(text)'"
                )
            }
        }
    }
}
