import TripDomain
import TripRuns

extension [RejectTally] {
    /// A table shows no more reasons than the operator can act on at once.
    private static let shownCount = 12

    /// Whether a reject counts as several items, so that both numbers are shown.
    private var areItems: Bool { contains { $0.itemCount != $0.count } }

    /// The counts as a text table; the first column adds up to the rejected items of the ledger.
    func lines(on screen: Screen) -> [String] {
        let areItems = areItems
        var table = TextTable(
            (areItems ? [("items", .right), ("records", .right)] : [("rejects", .right)])
                + [("reason", .left), ("field", .left), ("first of them", .prose)]
        )
        for tally in prefix(Self.shownCount) {
            table.add(
                (areItems ? [NumberFormat.count(tally.itemCount)] : []) + [
                    NumberFormat.count(tally.count), tally.reason.rawValue, tally.field ?? "–",
                    "\(tally.first.file), line \(tally.first.lineNumber)",
                ]
            )
        }
        guard count > Self.shownCount else { return table.lines(on: screen) }
        let rest = dropFirst(Self.shownCount)
        let kinds = Counted.text(rest.count, "other kind")
        let items = Counted.text(
            rest.reduce(0) { $0 + $1.itemCount },
            areItems ? "item" : "reject"
        )
        return table.lines(on: screen) + ["and \(items) of \(kinds)"]
    }

    /// `22 rejected`, or `16,192 items of 15,259 records rejected`.
    ///
    /// - Parameter items: The rejected items of the ledger.
    /// - Returns: The clause.
    func clause(items: Int64) -> String {
        guard areItems else { return "\(NumberFormat.count(items)) rejected" }
        return "\(Counted.text(items, "item")) of "
            + "\(Counted.text(reduce(0) { $0 + $1.count }, "record")) rejected"
    }
}
