import TripDomain

/// The declared measures of two states: a line for each, or for each in each group.
struct MeasureTable {
    /// The measures of one group of trips.
    struct Group {
        /// The words of the group; none where all trips are one.
        var keys: [String] = []
        /// Its trips before and after.
        let trips: (before: Int64, after: Int64)
        let changes: [MeasureChange]
    }

    /// One measure of one group.
    fileprivate struct Row {
        let keys: [String]
        let trips: (before: Int64, after: Int64)
        let change: MeasureChange
    }

    private let keyNames: [String]
    private let before: (title: String, name: String)
    private let after: (title: String, name: String)

    /// - Parameters:
    ///   - keyNames: The names of the words of a group.
    ///   - before: The earlier state, for people and for programs.
    ///   - after: The later one.
    init(
        by keyNames: [String] = [],
        before: (title: String, name: String),
        after: (title: String, name: String)
    ) {
        self.keyNames = keyNames
        self.before = before
        self.after = after
    }

    /// The lines for people: every measure or, where groups have words, those that moved.
    func lines(_ groups: [Group], on screen: Screen) -> [String] {
        let rows = Self.rows(groups).filter { keyNames.isEmpty || !$0.change.isUnmoved }
        return rows.isEmpty ? [] : table.table(rows).lines(on: screen)
    }

    /// The measures of one group for programs.
    func objects(_ group: Group) -> JSONValue { table.objects(Self.rows([group])) }

    private static func rows(_ groups: [Group]) -> [Row] {
        groups.flatMap { group in
            group.changes.map { Row(keys: group.keys, trips: group.trips, change: $0) }
        }
    }

    private var table: ReportTable<Row> {
        ReportTable(
            keyNames.enumerated().map { index, name in
                TableColumn(name, name, .left) { row in
                    let key = row.keys[index]
                    return TableCell(shown: key.isEmpty ? "(none)" : key, value: .text(key))
                }
            } + [
                TableColumn("measure", "measure", .prose) { row in
                    let measure = row.change.measure
                    return TableCell(shown: measure.title, value: .text(measure.columnName))
                },
                TableColumn(nil, "label", .left) { .text($0.change.measure.label) },
                TableColumn(nil, "kind", .left) { .text($0.change.measure.kind.rawValue) },
                TableColumn(nil, "unit", .left) { .text($0.change.measure.unit) },
                TableColumn(nil, "comparison", .left) { .text($0.change.comparison.rawValue) },
                TableColumn(before.title, before.name) { .of($0.change.before) },
                TableColumn(after.title, after.name) { .of($0.change.after) },
                TableColumn("change", "change") { row in
                    TableCell(
                        shown: row.change.text,
                        value: row.change.measure.json(row.change.change)
                    )
                },
                TableColumn("known trips", nil, rank: 1) { .text($0.known) },
                TableColumn(nil, before.name + "_known_trips") { .known($0.change.before) },
                TableColumn(nil, after.name + "_known_trips") { .known($0.change.after) },
            ]
        )
    }
}

extension MeasureTable.Row {
    /// `97`, or `95 → 97`: of how many trips it is known; empty where of all, before and after.
    fileprivate var known: String {
        func count(_ state: MeasureChange.State?, of trips: Int64) -> Int64? {
            guard let state, state.measure.kind != .count else { return nil }
            return state.value.knownTrips == trips ? nil : state.value.knownTrips
        }
        let short = (
            count(change.before, of: trips.before), count(change.after, of: trips.after)
        )
        guard short.0 != nil || short.1 != nil else { return "" }
        // Where one state lacks some, the other one's number stands beside it.
        let counts = [change.before, change.after].compactMap { $0?.value.knownTrips }
            .map { NumberFormat.count($0) }
        return Set(counts).count == 1 ? counts[0] : counts.joined(separator: " → ")
    }
}

extension TableCell {
    /// A measure's value as its own state declares it; a dash where it is not known of any trip, or
    /// not declared.
    fileprivate static func of(_ state: MeasureChange.State?) -> TableCell {
        guard let state else { return TableCell(shown: "–", value: .null) }
        return TableCell(shown: state.measure.text(state.value), value: state.json)
    }

    /// Of how many trips it is known, for programs.
    fileprivate static func known(_ state: MeasureChange.State?) -> TableCell {
        TableCell(shown: "", value: .integer(state?.value.knownTrips))
    }
}

extension MeasureChange {
    /// `+3.33`, `-$0.05`, `±0` or, where the values cannot be compared, why.
    var text: String {
        switch comparison {
        case .declaredSince: return "declared since"
        case .noLongerDeclared: return "no longer declared"
        case .declaredOtherwise: return "declared otherwise"
        case .same: break
        }
        guard let change else { return "–" }
        switch measure.amount {
        case .cents where measure.kind != .count: return NumberFormat.dollarChange(change)
        case .hundredthsOfMile where measure.kind != .count: return Self.hundredths(change)
        default:
            // Values show one decimal; a difference shows both, so that none reads as nothing.
            return measure.isInHundredths
                ? Self.hundredths(change) : NumberFormat.change(change)
        }
    }

    private static func hundredths(_ change: Int64) -> String {
        (change > 0 ? "+" : "") + Counted.hundredths(change)
    }
}
