import TripDomain
import TripRuns

/// The months that a run moved, old → new, with the commands that say why and that undo it.
struct MonthMoves {
    /// The number of months that are listed; further ones are only counted.
    private static let shownCount = 6

    private let report: RunReport

    init(_ report: RunReport) {
        self.report = report
    }

    /// The months that moved most, in order; below them why, and how it is undone.
    var lines: [String] {
        guard !report.moves.isEmpty else { return [] }
        // The month that the result is about is never left out.
        let latest = report.latestMonth?.month
        let largest = report.moves.sorted { left, right in
            guard left.month != latest, right.month != latest else { return right.month != latest }
            return (right.weight, left.month) < (left.weight, right.month)
        }
        .prefix(Self.shownCount).sorted { $0.month < $1.month }
        var table = TextTable([("", .left), ("", .left), ("", .left), ("", .left)])
        for (index, move) in largest.enumerated() {
            table.add([
                index == 0 ? "moved" : "", NumberFormat.monthShort(move.month),
                Self.trips(move), Self.share(move) + Self.others(move),
            ])
        }
        let rest = report.moves.count - largest.count
        let more = rest > 0 ? ["       and \(Counted.text(rest, "month")) less"] : []
        return table.lines(on: RunScreens.keptScreen) + more + commands
    }

    /// The month that the result of the run is about: the latest where it moved, else the one that
    /// moved most.
    var summary: [String] {
        guard let (latest, sums) = report.latestMonth else { return [] }
        let others = report.moves.filter { $0.month != latest }
        if let move = report.moves.first(where: { $0.month == latest }), move.before.trips > 0 {
            let text = "\(NumberFormat.monthShort(latest)): \(Self.trips(move)), "
            return [
                "\(text)\(Self.share(move)) (\(NumberFormat.interval(sums)))\(Self.others(move))"
            ]
                + Self.more(others.count)
        }
        guard let most = others.max(by: { ($0.weight, $1.month) < ($1.weight, $0.month) }),
            others.count == report.moves.count
        else {
            return [RunScreen.monthLine(latest, sums)] + Self.more(others.count)
        }
        let text = "\(NumberFormat.monthShort(most.month)): \(Self.trips(most)), "
        return [text + Self.share(most) + Self.others(most)] + Self.more(others.count - 1)
    }

    private static func more(_ count: Int) -> [String] {
        count > 0 ? ["\(Counted.text(count, "more month")) moved"] : []
    }

    /// The commands, where there is a generation to compare with and to go back to.
    private var commands: [String] {
        guard report.outcome == .published, !report.isPreviousDamaged,
            let before = report.previousGeneration, let now = report.generation
        else { return [] }
        return [
            "why    triptych diff \(before) \(now)\(report.martFlags)",
            "undo   triptych rollback \(before)\(report.martFlags)",
        ]
    }

    /// `162 → 156 trips`.
    private static func trips(_ move: MonthMove) -> String {
        let (before, after) = (move.before.trips, move.after.trips)
        guard before != after else { return Counted.text(after, "trip") }
        return "\(NumberFormat.count(before)) → \(Counted.text(after, "trip"))"
    }

    /// `, 40 trips of another region or type`, and, where trips and share do not show that the
    /// month moved, how many trips are of another class, or `, vendor cost $400.00 → $3,600.00`.
    private static func others(_ move: MonthMove) -> String {
        var text = ""
        if move.regrouped > 0 {
            text = ", \(Counted.text(move.regrouped, "trip")) of another region or type"
        }
        if move.before.inHousePercentHundredths == move.after.inHousePercentHundredths,
            move.reclassified > 0
        {
            text += ", \(Counted.text(move.reclassified, "trip")) of another class"
        }
        let costs = [move.before, move.after].map { $0[.contractedCostCents] }
        if move.weight == 0, costs[0] != costs[1] {
            text +=
                ", vendor cost " + costs.map { NumberFormat.dollars($0) }.joined(separator: " → ")
        }
        return text
    }

    /// `in-house 41.11 → 40.20 %`.
    private static func share(_ move: MonthMove) -> String {
        let shares = [move.before, move.after].map(\.inHousePercentHundredths)
        let texts = shares.map(NumberFormat.percent)
        return "in-house \(shares[0] == shares[1] ? texts[1] : texts.joined(separator: " → ")) %"
    }
}
