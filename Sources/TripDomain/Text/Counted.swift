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
}
