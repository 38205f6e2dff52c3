import TripDomain
import TripMart

/// Formats numbers: grouped digits, dollars, percent.
///
/// The formats are exact, without floating point.
enum NumberFormat {
    /// `4,638,000`.
    static func count(_ value: Int64) -> String { Counted.number(value) }

    /// `4,638,000`.
    static func count(_ value: Int) -> String { count(Int64(value)) }

    /// `+30,187` or `-12`.
    static func change(_ value: Int64) -> String { (value > 0 ? "+" : "") + count(value) }

    /// `$13,402,118.20`.
    static func dollars(_ cents: Int64) -> String {
        let magnitude = cents.magnitude
        let rest = magnitude % 100
        let text = "$" + count(Int64(magnitude / 100)) + "." + (rest < 10 ? "0" : "") + "\(rest)"
        return cents < 0 ? "-" + text : text
    }

    /// `41.11`, from hundredths of a percent; a dash where undefined.
    static func percent(_ hundredths: Int64?) -> String {
        guard let hundredths else { return "–" }
        let magnitude = hundredths.magnitude
        let rest = magnitude % 100
        return (hundredths < 0 ? "-" : "") + "\(magnitude / 100)." + (rest < 10 ? "0" : "")
            + "\(rest)"
    }

    /// `40.79-41.56`: the in-house share if all undetermined trips fell either way; a dash where
    /// undefined.
    static func interval(_ sums: KPISums) -> String { KPIRatio.inHousePercentLow.kpi.text(sums) }

    /// A share in whole percent, half-up: `91 %`; a dash where the whole is zero.
    static func wholePercent(_ part: Int64, of whole: Int64) -> String {
        whole == 0 ? "–" : "\((200 * part + whole) / (2 * whole)) %"
    }

    /// `4.1 s` from milliseconds.
    static func seconds(_ milliseconds: Int64) -> String {
        "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
    }

    /// `Oct 2026`.
    static func monthShort(_ month: Month) -> String {
        let names =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
            + ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(names[month.month - 1]) \(month.year)"
    }

    /// `1 to 4, 6` from ascending numbers.
    static func ranges(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map(range).joined(separator: ", ")
    }

    /// `1 to 4`, or `6` where it is one number.
    static func range(_ range: ClosedRange<Int>) -> String {
        range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }

    /// A word as shell syntax, in quotes where it needs them, so that commands can be copied.
    static func shell(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "_-./,:=@%+".utf8.contains(byte)
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// `October`.
    static func monthName(_ month: Month) -> String {
        let names =
            ["January", "February", "March", "April", "May", "June"]
            + ["July", "August", "September", "October", "November", "December"]
        return names[month.month - 1]
    }

    /// `4th`.
    static func ordinal(_ number: Int) -> String {
        let suffix =
            (11...13).contains(number % 100)
            ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "\(number)\(suffix)"
    }

    /// `in_house/va_fleet`; the class alone where there is no basis.
    static func classAndBasis(_ tripClass: TripClass, _ basis: String) -> String {
        basis.isEmpty ? tripClass.word : "\(tripClass.word)/\(basis)"
    }

    /// `-0.05 pt` or `±0.00 pt`, from hundredths of a percentage point; a dash where undefined.
    static func points(_ hundredths: Int64?) -> String {
        guard let hundredths else { return "–" }
        return (hundredths > 0 ? "+" : hundredths == 0 ? "±" : "") + percent(hundredths) + " pt"
    }

    /// `+$13,402.20` or `-$0.05`.
    static func dollarChange(_ cents: Int64) -> String { (cents > 0 ? "+" : "") + dollars(cents) }
}

/// How the table of KPIs prints and names them.
extension KPI {
    /// Its value in JSON and CSV.
    func json(_ value: Int64?) -> JSONValue {
        switch unit {
        case .trips, .cents, .hundredthsOfMile: .integer(value)
        case .hundredthsOfPercent: .hundredths(value)
        }
    }

    /// Its value in a group, or a dash where it has none.
    func text(_ sums: KPISums) -> String {
        guard let value = value(sums) else { return "–" }
        switch format {
        case .number: return text(value)
        case .interval(let other): return text(value) + "-" + text(sums[other])
        case .share(let whole): return NumberFormat.wholePercent(value, of: sums[whole])
        }
    }

    /// A number as its unit is printed, or a dash.
    func text(_ value: Int64?) -> String {
        guard let value else { return "–" }
        return switch unit {
        case .trips: NumberFormat.count(value)
        case .cents: NumberFormat.dollars(value)
        // Both are hundredths.
        case .hundredthsOfPercent, .hundredthsOfMile: NumberFormat.percent(value)
        }
    }
}
