/// Counts as people read them, each with its noun in the right number.
public enum Counted {
    /// `4,638,000`.
    public static func number(_ value: Int64) -> String {
        let digits = String(value.magnitude)
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return value < 0 ? "-" + grouped : grouped
    }

    /// `1 trip`, `4,638,000 trips`, `0 trips`.
    ///
    /// - Parameters:
    ///   - value: How many.
    ///   - noun: What, in the singular.
    ///   - plural: What, in the plural; nil puts an `s` after the singular.
    /// - Returns: The count and the noun.
    public static func text(_ value: Int64, _ noun: String, plural: String? = nil) -> String {
        number(value) + " " + self.noun(value, noun, plural: plural)
    }

    /// `1 trip`, `4,638,000 trips`, `0 trips`.
    public static func text(_ value: Int, _ noun: String, plural: String? = nil) -> String {
        text(Int64(value), noun, plural: plural)
    }

    /// The noun alone, where the caller writes the count itself; `-1` and `+1` take the singular.
    public static func noun(_ value: Int64, _ noun: String, plural: String? = nil) -> String {
        value.magnitude == 1 ? noun : plural ?? noun + "s"
    }

    /// `4th`.
    public static func ordinal(_ number: Int) -> String {
        let suffix =
            (11...13).contains(number % 100)
            ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "\(number)\(suffix)"
    }

    /// `1 to 4, 6` from ascending numbers.
    public static func ranges(_ numbers: [Int]) -> String { ranges(numbers) { "\($0)" } }

    /// `2025-05 to 2026-08, 2026-10` from months in order.
    public static func months(_ months: [Month]) -> String {
        ranges(months.map { Int($0.monthNumber) }) { Month(monthNumber: Int32($0)).text }
    }

    private static func ranges(_ numbers: [Int], _ text: (Int) -> String) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { range($0, text) }.joined(separator: ", ")
    }

    /// `1 to 4`, or `6` where it is one number.
    public static func range(_ range: ClosedRange<Int>) -> String {
        self.range(range) { "\($0)" }
    }

    private static func range(_ range: ClosedRange<Int>, _ text: (Int) -> String) -> String {
        let (first, last) = (text(range.lowerBound), text(range.upperBound))
        return range.lowerBound == range.upperBound ? first : "\(first) to \(last)"
    }

    /// `41.11` from 4111 hundredths; exact, without floating point.
    public static func hundredths(_ value: Int64) -> String {
        let rest = value.magnitude % 100
        return (value < 0 ? "-" : "") + "\(value.magnitude / 100)." + (rest < 10 ? "0" : "")
            + "\(rest)"
    }
}
