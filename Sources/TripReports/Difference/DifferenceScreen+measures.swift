import TripDomain
import TripMart
import TripRuns

/// The declared measures of two generations, under the parts that the trips are divided into.
extension DifferenceScreen {
    /// The lines for people: each measure or, in groups, those that moved.
    func measures(on screen: Screen) -> [String] {
        let groups = table.measures.map { group in
            MeasureTable.Group(
                keys: group.keys,
                trips: (group.tripsBefore, group.tripsAfter),
                changes: group.changes
            )
        }
        let names = [answer.first, answer.second].map { "generation \($0.number)" }
        let lines = MeasureTable(
            by: query.by.map(\.rawValue),
            before: (names[0], "before"),
            after: (names[1], "after")
        ).lines(groups, on: screen)
        guard lines.isEmpty, let count = groups.first?.changes.count else { return lines }
        return [count == 1 ? "The declared measure did not move" : "No declared measure moved"]
    }

    /// Whether a declared measure of any group reads otherwise.
    var hasMovedMeasures: Bool {
        table.measures.contains { group in group.changes.contains { !$0.isUnmoved } }
    }

    /// The columns that rows have where a measure is declared.
    static let measureNames = [
        "comparison", "before", "after", "change", "before_known_trips", "after_known_trips",
    ]

    /// A row for each measure, in groups for each that moved; what other rows say is null.
    var measureRows: [[JSONValue]] {
        table.measures.flatMap { group in
            group.changes.filter { query.by.isEmpty || !$0.isUnmoved }.map { row($0, group.keys) }
        }
    }

    private func row(_ change: MeasureChange, _ keys: [String]) -> [JSONValue] {
        var row: [JSONValue] = keys.map { .text($0) }
        row += [.null, .text("measure"), .text(change.measure.columnName)]
        // The moved trips, the changes and the sums of other rows.
        row += (0..<15).map { _ in .null }
        row += generations
        row += [.list([]), .list([]), .text(change.comparison.rawValue)]
        row += [change.before, change.after].map { $0?.json ?? .null }
        row.append(change.measure.json(change.change))
        row += [change.before, change.after].map { .integer($0?.value.knownTrips) }
        return row
    }
}

extension MeasureChange.State {
    /// The value, as its own state declares it.
    var json: JSONValue { measure.json(value.value) }
}
