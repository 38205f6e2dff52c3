import TripDomain
import TripRuns

extension [RejectTally] {
    /// A table shows no more reasons than the operator can act on at once.
    private static let shownCount = 12

    /// The counts as a text table.
    var lines: [String] {
        var table = TextTable([
            ("rejects", .right), ("reason", .left), ("field", .left), ("first of them", .left),
        ])
        for tally in prefix(Self.shownCount) {
            table.add([
                NumberFormat.count(tally.count), tally.reason.rawValue, tally.field ?? "–",
                tally.first.text,
            ])
        }
        guard count > Self.shownCount else { return table.lines }
        let rest = dropFirst(Self.shownCount)
        let restCount = rest.reduce(0) { $0 + $1.count }
        return table.lines + [
            "and \(Counted.text(restCount, "reject")) of \(Counted.text(rest.count, "other kind"))"
        ]
    }
}
