import TripDomain
import TripMart
import TripRuns

/// The change of a number between two months as a sentence, with the part that counts most.
struct ChangeSentence {
    let change: PublishedChange

    /// What changed, from what to what, and the part that weighs most.
    ///
    ///     In-house % rose by 0.70 points from September to October 2026, from 53.10 to 53.80, most
    ///     of all because more of region 08 (VISN 8) was driven in-house (+0.31).
    ///
    /// - Parameter measure: What changed.
    /// - Returns: The sentence, with the reason of the first dimension that is shown; without one
    ///   where nothing changed or nothing is known.
    func text(_ measure: ChangeMeasure) -> String {
        guard let dimension = change.changes.first?.dimension,
            let first = change.changes.first?.changes.first(where: { $0.measure == measure })
        else { return "" }
        guard let from = first.from, let to = first.to, let amount = first.change else {
            return "\(name(measure)) cannot be compared: " + missing(measure, first)
        }
        let values = "from \(measure.text(from)) to \(measure.text(to))"
        guard amount != 0 else {
            return "\(name(measure)) is the same in \(months), \(measure.text(to))."
        }
        let verb = amount > 0 ? "rose" : "fell"
        let moved = "\(name(measure)) \(verb) by \(measure.size(amount)) \(way), \(values)"
        // Of the parts that go the way of the whole, the one that weighs most.
        let reasons = first.parts.filter { ($0.amount > 0) == (amount > 0) }
        guard let part = reasons.first else { return moved + "." }
        let label = change.labels.text(part.value, of: dimension)
        return moved + ", most of all because \(Self.reason(measure, dimension, part, label)) "
            + "(\(measure.signed(part.amount)))."
    }

    /// Says that a month is open, and that months of different ages are compared.
    var openClause: String? {
        let open = [change.from, change.to].filter(\.isOpen)
        guard let last = open.last else { return nil }
        let settled = last.settlesOn.text
        guard open.count == 1 else {
            return "Both months are OPEN (until \(settled)) and are compared at different ages: "
                + "claims that are still to come move them."
        }
        return
            "\(NumberFormat.monthName(last.month)) \(last.month.year) is OPEN (until \(settled)) "
            + "and is compared at another age than the settled month: claims still to come move it."
    }

    /// `In-house % of region 08`: the measure, of the trips that were asked for.
    private func name(_ measure: ChangeMeasure) -> String {
        let filters = [
            ("region", change.query.regions), ("trip type", change.query.tripTypes),
        ].filter { !$0.1.isEmpty }.map { "\($0) \($1.joined(separator: ", "))" }
        let name = measure == .inHousePercent ? "In-house %" : "Vendor cost"
        return filters.isEmpty ? name : "\(name) of \(filters.joined(separator: " and "))"
    }

    /// `from September to October 2026`.
    private var way: String {
        let (from, to) = (change.from.month, change.to.month)
        let year = from.year == to.year ? "" : " \(from.year)"
        return "from \(NumberFormat.monthName(from))\(year) to \(NumberFormat.monthName(to)) "
            + "\(to.year)"
    }

    private var months: String { "\(change.from.month.text) and \(change.to.month.text)" }

    private func missing(_ measure: ChangeMeasure, _ found: ChangeDecomposition) -> String {
        let month = (found.from == nil ? change.from : change.to).month.text
        switch measure {
        case .inHousePercent: return "\(month) has no trip whose class is known."
        case .vendorCost:
            return "it is known for fewer than \(KPICoverage.leastPercent) % of the contracted "
                + "trips of \(month)."
        }
    }

    /// Why a part is what it is.
    static func reason(
        _ measure: ChangeMeasure,
        _ dimension: KPIDimension,
        _ part: ChangeDecomposition.Part,
        _ label: String
    ) -> String {
        let group =
            (dimension == .region ? "region " : "trip type ") + part.value
            + (label.isEmpty ? "" : " (\(label))")
        let isMore = part.amount > 0
        return switch (measure, part.kind) {
        case (.inHousePercent, .rate):
            "\(isMore ? "more" : "less") of \(group) was driven in-house"
        case (.inHousePercent, .mix): "the share of \(group) in all trips changed"
        case (.vendorCost, .rate):
            "a contracted trip of \(group) cost \(isMore ? "more" : "less")"
        case (.vendorCost, .mix):
            "there were \(part.tripsChange > 0 ? "more" : "fewer") contracted trips of \(group)"
                // More of them lower the cost, and fewer raise it.
                + ((part.tripsChange > 0) == isMore ? "" : ", which are credits on the whole")
        }
    }
}

extension ChangeMeasure {
    /// `53.80`, or `$854,216.85`.
    func text(_ value: Int64?) -> String { kpi.text(value) }

    /// `+0.31`, or `-$1,200.20`.
    func signed(_ change: Int64) -> String {
        switch self {
        case .inHousePercent: (change > 0 ? "+" : "") + NumberFormat.percent(change)
        case .vendorCost: NumberFormat.dollarChange(change)
        }
    }

    /// `0.31 points`, or `$1,200.20`: a change without its sign.
    fileprivate func size(_ change: Int64) -> String {
        let size = Int64(clamping: change.magnitude)
        switch self {
        case .inHousePercent: return "\(NumberFormat.percent(size)) points"
        case .vendorCost: return NumberFormat.dollars(size)
        }
    }
}
