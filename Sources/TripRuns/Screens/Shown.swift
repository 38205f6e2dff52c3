import TripDomain

/// Numbers as people read them: grouped digits, dollars, percent.
///
/// Exact, without floating point.
enum Shown {
    /// `4,638,000`.
    static func count(_ value: Int64) -> String {
        let digits = String(value.magnitude)
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return value < 0 ? "-" + grouped : grouped
    }

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

    /// A share in whole percent, half-up: `91 %`; a dash where there is nothing to share.
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

    /// `October`.
    static func monthName(_ month: Month) -> String {
        let names =
            ["January", "February", "March", "April", "May", "June"]
            + ["July", "August", "September", "October", "November", "December"]
        return names[month.month - 1]
    }
}
