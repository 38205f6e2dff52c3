import Testing

@testable import TripEngine
@testable import TripRules

/// Random moments, steps and formats, against SQLite's own strftime().
struct DateFormatTests {
    private func moment(_ dice: inout ExpressionDice) -> String {
        func two(_ limit: Int) -> String {
            let value = dice.roll(limit)
            return value < 10 ? "0\(value)" : "\(value)"
        }
        let year = dice.pick([1900 + dice.roll(200), dice.roll(10_000), 2024])
        let yearText = String(repeating: "0", count: 4 - String(year).count) + String(year)
        var text = dice.oneIn(20) ? "-" : ""
        if !dice.oneIn(10) { text += "\(yearText)-\(two(14))-\(two(33))" }
        if dice.oneIn(2) {
            text += text.isEmpty ? "" : dice.pick([" ", "T", "  ", ""])
            text += "\(two(26)):\(two(62))"
            if dice.oneIn(2) {
                text += ":\(two(62))" + dice.pick(["", ".5", ".123456", ".", ".9999"])
            }
            if dice.oneIn(3) {
                text += dice.pick(["Z", "+05:30", "-14:00", " z", "+15:00", "+5:00"])
            }
        }
        if dice.oneIn(15) { text = String(Double(dice.roll(6_000_000)) + Double(dice.roll(8)) / 8) }
        return text
    }

    @Test func randomMomentsAreWrittenAsInSQLite() throws {
        var dice = ExpressionDice(seed: 15)
        let referee = SQLiteOracle()
        var knownCount = 0
        for _ in 0..<40 {
            let cases = (0..<200).map { _ -> (text: String, steps: [String], format: String) in
                let steps = (0..<dice.roll(4)).map { _ in step(&dice) }
                let format = dice.pick(["%Y-%m-%d %H:%M:%S", "%j %w %W", "%s", "%d%%%m"])
                return (moment(&dice), steps, format)
            }
            let calls = cases.map { item in
                "strftime('\(item.format)', '\(item.text)'"
                    + item.steps.map { ", '\($0)'" }.joined() + ")"
            }
            let dates = cases.map { item in
                "date('\(item.text)'" + item.steps.map { ", '\($0)'" }.joined() + ")"
            }
            let row = referee.query("SELECT " + (calls + dates).joined(separator: ", ")).rows[0]
            for (index, item) in cases.enumerated() {
                let steps = item.steps.compactMap { DateModifier($0) }
                guard steps.count == item.steps.count else {
                    // A step beyond SQLite's limits is refused here and gives NULL there.
                    #expect(row[index] == .null, "\(calls[index])")
                    continue
                }
                let format = try #require(DateFormat(Array(item.format.utf8)))
                #expect(row[index] == written(item.text, format, steps), "\(calls[index])")
                #expect(
                    row[cases.count + index] == written(item.text, .date, steps),
                    "\(dates[index])"
                )
                if row[index] != .null { knownCount += 1 }
            }
        }
        #expect(knownCount > 3000)
    }

    private func step(_ dice: inout ExpressionDice) -> String {
        let units = ["second", "minute", "hour", "day", "month", "year"]
        switch dice.roll(6) {
        case 0: return "start of \(dice.pick(["day", "month", "year"]))"
        case 1: return "weekday \(dice.roll(7))"
        default:
            let size = dice.pick([3, 40, 1000, 100_000])
            let sign = dice.pick(["+", "-", ""])
            return "\(sign)\(dice.roll(size)) \(dice.pick(units))\(dice.pick(["", "s"]))"
        }
    }

    private func written(
        _ text: String,
        _ format: DateFormat,
        _ steps: [DateModifier]
    ) -> SQLiteOracle.Value {
        var bytes: [UInt8] = []
        return format.append(Array(text.utf8).span, steps, to: &bytes) ? .text(bytes) : .null
    }
}
