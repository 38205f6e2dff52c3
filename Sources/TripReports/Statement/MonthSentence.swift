import TripDomain
import TripMart

/// What a month reads, how sure that is, against what, and whether it may still move.
///
/// The words are those of the dashboard's first screen (`text/sentence.js`). Both are tested with
/// `Tests/Dashboard/cases/sentence-cases.json`.
struct MonthSentence {
    /// The month.
    let month: Month
    /// How many trips it has.
    let trips: Int64
    /// Its share.
    let share: InHouseShare
    /// The day on which it settles; nil where it is settled.
    var settlesOn: CivilDate?
    /// The earlier month it is compared with.
    var comparison: Earlier?
    /// The goal in force in it.
    var goal: Goal?
    /// The newest settled month, where this one is open.
    var settled: Settled?

    /// An earlier month.
    struct Earlier {
        let month: Month
        let kind: MonthComparison.Kind
        let share: InHouseShare
    }

    /// A settled month.
    struct Settled {
        let month: Month
        let trips: Int64
        let share: InHouseShare
        let goal: Goal?
    }

    /// The sentence, and a second one of the newest settled month.
    var text: String {
        let parts = parts
        // After a number a comma is enough; a lead that says why there is none is a clause.
        let mark = parts.isEmpty ? "" : share.value == nil ? "; " : ", "
        let text = lead + mark + parts.joined(separator: "; ")
        return settled.map { "\(text). \(Self.text($0))." } ?? "\(text)."
    }

    private var lead: String {
        let name = NumberFormat.monthLong(month)
        guard let value = share.value else {
            return "\(name): no in-house share, because all trips are undetermined"
        }
        return "\(name): \(NumberFormat.share(value)) in-house" + share.range
    }

    private var parts: [String] {
        let until = settlesOn.map { "open until \(NumberFormat.dayLong($0))" }
        guard share.value != nil else {
            return [until, goal.map(Self.notDecided)].compactMap(\.self)
        }
        let isOpen = settlesOn != nil
        let tooHigh = isOpen ? "reads too high, as vendor claims are still to come" : nil
        if let few = Self.few(trips) { return [tooHigh, few, until].compactMap(\.self) }
        let none = isOpen ? "not comparable yet" : nil
        return [tooHigh, comparison.map(compared) ?? none, until, goal.map(goalText)]
            .compactMap(\.self)
    }

    /// `29 trips: too few to tell a share`; nil where they are enough.
    ///
    /// Below so many, one of them moves a share by more than three points.
    private static func few(_ trips: Int64) -> String? {
        trips < 30 ? "\(trips) \(trips == 1 ? "trip" : "trips"): too few to tell a share" : nil
    }

    /// `0.7 points less than October 2025 at the same age`.
    private func compared(_ earlier: Earlier) -> String {
        let name = NumberFormat.monthLong(earlier.month)
        guard let now = share.value, let before = earlier.share.value else {
            return "not compared, because the share of \(name) is hidden or not known"
        }
        let isMonthBefore = earlier.month.monthNumber == month.monthNumber - 1
        let against =
            switch earlier.kind {
            case .sameAge: "\(name) at the same age"
            // That it is a year before, the names of both months say.
            case .settled: isMonthBefore ? "\(name), the month before" : name
            }
        let points = NumberFormat.tenths(abs(now - before))
        guard points != "0.0" else { return "unchanged from \(against)" }
        return "\(points) \(points == "1.0" ? "point" : "points") "
            + "\(now > before ? "more" : "less") than \(against)"
            + (share.overlaps(earlier.share)
                ? " (undetermined trips could account for it)" : "")
    }

    private func goalText(_ goal: Goal) -> String {
        settlesOn == nil
            ? Self.verdict(goal, share) : "\(Self.name(goal)) not decided while open"
    }

    /// `Last settled: July 2026, 40.7%, below the goal of 55.0%`.
    private static func text(_ settled: Settled) -> String {
        let name = "Last settled: \(NumberFormat.monthLong(settled.month))"
        guard let value = settled.share.value else { return name + ", undetermined" }
        let verdict = few(settled.trips) ?? settled.goal.map { Self.verdict($0, settled.share) }
        return "\(name), \(NumberFormat.share(value))" + (verdict.map { ", " + $0 } ?? "")
    }

    private static func verdict(_ goal: Goal, _ share: InHouseShare) -> String {
        switch goal.verdict(low: share.low, high: share.high) {
        case .above: "above the \(name(goal))"
        case .below: "below the \(name(goal))"
        case .notDecided: notDecided(goal) + ", since undetermined trips could tip it"
        }
    }

    private static func notDecided(_ goal: Goal) -> String {
        "not decided against the \(name(goal))"
    }

    /// `Goal 55.0% since October 2025`.
    static func text(_ goal: Goal) -> String {
        "Goal \(NumberFormat.share(goal.inHousePercentHundredths)) since "
            + NumberFormat.monthLong(goal.from)
    }

    private static func name(_ goal: Goal) -> String {
        "goal of \(NumberFormat.share(goal.inHousePercentHundredths))"
    }
}

/// An in-house share in hundredths of a percent, with what it would be if all undetermined trips
/// were contracted, or in-house.
struct InHouseShare {
    /// Nil where no trip is decided.
    let value: Int64?
    let low: Int64?
    let high: Int64?

    /// ` (53.5–54.1)`; empty where it is not known.
    fileprivate var range: String {
        guard let low, let high else { return "" }
        return " (\(NumberFormat.tenths(low))–\(NumberFormat.tenths(high)))"
    }

    /// Whether the undetermined trips alone could make up the difference.
    fileprivate func overlaps(_ other: InHouseShare) -> Bool {
        guard let low, let high, let otherLow = other.low, let otherHigh = other.high else {
            return false
        }
        return low <= otherHigh && otherLow <= high
    }
}

extension InHouseShare {
    /// The share of some trips, by the value of each KPI.
    init(_ value: (KPI) -> Int64?) {
        self.init(
            value: value(KPIRatio.inHousePercent.kpi),
            low: value(KPIRatio.inHousePercentLow.kpi),
            high: value(KPIRatio.inHousePercentHigh.kpi)
        )
    }
}
