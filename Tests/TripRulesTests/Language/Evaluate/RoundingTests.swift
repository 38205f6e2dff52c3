import Testing

@testable import TripEngine
@testable import TripRules

/// Random doubles rounded, against SQLite's own round().
struct RoundingTests {
    @Test func randomNumbersRoundAsInSQLite() {
        var dice = ExpressionDice(seed: 13)
        let referee = SQLiteOracle()
        var scratch: [UInt8] = []
        for _ in 0..<40 {
            let cases = (0..<250).map { _ -> (value: Double, digits: Int) in
                let digits = dice.roll(16)
                switch dice.roll(4) {
                case 0: return (Double(dice.roll(2_000_000) - 1_000_000) / 1000, digits)
                case 1: return (Double(Int64(bitPattern: dice.next())) / 1e12, digits)
                case 2: return (Double(dice.roll(1_000_000)) + 0.5, dice.roll(2))
                default:
                    // Any finite bit pattern in the range where doubles still have a fraction.
                    let exponent = UInt64(1023 - 40 + dice.roll(92))
                    return (Double(bitPattern: exponent << 52 | dice.next() >> 12), digits)
                }
            }
            let calls = cases.map { "round(CAST('\($0.value)' AS REAL), \($0.digits))" }
            let inputs = cases.map { "CAST('\($0.value)' AS REAL)" }
            let row = referee.query("SELECT " + (calls + inputs).joined(separator: ", ")).rows[0]
            for (index, item) in cases.enumerated() {
                // Both sides begin from the double that SQLite reads, which may be a neighbor.
                guard case .real(let input) = row[cases.count + index] else { continue }
                let rounded = Rounding.round(input, digits: item.digits, scratch: &scratch)
                #expect(row[index] == .real(rounded), "round(\(input), \(item.digits))")
            }
        }
    }
}
