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

    /// The sum of the known costs of some trips; words where none of them is known, since $0.00
    /// would read as if they had cost nothing, and a dash where there is no trip.
    static func knownCost(_ costs: CostSums) -> String {
        if costs.costedTrips > 0 { return dollars(costs.costCents) }
        return costs.trips == 0 ? "–" : "not known"
    }

    /// `41.11`, from hundredths of a percent; a dash where undefined.
    static func percent(_ hundredths: Int64?) -> String {
        hundredths.map(Counted.hundredths) ?? "–"
    }

    /// `40.79-41.56`: the in-house share if all undetermined trips fell either way; a dash where
    /// undefined.
    static func interval(_ sums: KPISums) -> String { KPIRatio.inHousePercentLow.kpi.text(sums) }

    /// A share in whole percent, half-up: `91 %`; a dash where the whole is zero.
    static func wholePercent(_ part: Int64, of whole: Int64) -> String {
        whole == 0 ? "–" : "\((200 * part + whole) / (2 * whole)) %"
    }

    /// Shares of a whole in whole percent that add up to 100; dashes where the whole is zero.
    ///
    /// Each is cut, and what is missing goes to those that lost most by it.
    static func wholePercents(_ parts: [Int64]) -> [String] {
        let whole = parts.reduce(0, +)
        guard whole > 0 else { return parts.map { _ in "–" } }
        var shares = parts.map { 100 * $0 / whole }
        let byLoss = parts.indices.sorted {
            (100 * parts[$1] % whole, $0) < (100 * parts[$0] % whole, $1)
        }
        for index in byLoss.prefix(Int(100 - shares.reduce(0, +))) { shares[index] += 1 }
        return shares.map { "\($0) %" }
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

    /// `October 2026`.
    static func monthLong(_ month: Month) -> String { "\(monthName(month)) \(month.year)" }

    /// `Oct ’26`.
    static func monthTiny(_ month: Month) -> String {
        "\(monthShort(month).prefix(3)) ’\(month.text.dropFirst(2).prefix(2))"
    }

    /// `January 29, 2027`.
    static func dayLong(_ day: CivilDate) -> String {
        "\(monthName(day.month)) \(day.parts.day), \(day.parts.year)"
    }

    /// `53.8`, from hundredths that are not negative, half up.
    static func tenths(_ hundredths: Int64) -> String {
        let tenths = (hundredths + 5) / 10
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `53.8%`, as sentences and charts write a share.
    static func share(_ hundredths: Int64) -> String { tenths(hundredths) + "%" }

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
        if unit == .cents, let coverage, sums[coverage.known] == 0 {
            return NumberFormat.knownCost(CostSums(trips: sums[coverage.trips]))
        }
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
