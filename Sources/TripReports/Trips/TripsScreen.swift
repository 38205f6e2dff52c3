import TripDomain
import TripMart
public import TripRuns

/// A page of trips.
public struct TripsScreen {
    private typealias Row = (trip: TripSummary, ref: String)

    private let trips: PublishedTrips

    /// Shows one page.
    ///
    /// - Parameter trips: The page.
    public init(_ trips: PublishedTrips) {
        self.trips = trips
    }

    /// The page in one format.
    ///
    /// - Parameter format: The format.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat) -> String {
        let rows = Array(zip(trips.page.trips, trips.refs).map { Row($0, $1) })
        guard format == .table else { return table.text(rows, format) }
        return lines(table.table(rows)).joined(separator: "\n")
    }

    private var table: ReportTable<Row> {
        ReportTable([
            TableColumn(nil, "trip_ref") { .text($0.ref) },
            TableColumn("trip", "trip_id", .left) { .text($0.trip.tripID) },
            TableColumn("pick-up", "pickup_at", .left) { .text($0.trip.pickupAt) },
            TableColumn(nil, "month") { .text($0.trip.month) },
            TableColumn("type", "trip_type", .left) { .text($0.trip.tripType) },
            TableColumn("region", "region", .left) { .text($0.trip.region) },
            TableColumn("class", "class", .left) { .text($0.trip.tripClass.word) },
            TableColumn("basis", "basis", .left) { .text($0.trip.basis) },
            TableColumn("rule", "rule", .left) { .text($0.trip.ruleID) },
            TableColumn(nil, "counted") { Self.counted($0) },
            TableColumn("cost", "cost_cents") { .dollars($0.trip.costCents) },
            TableColumn("counted", nil, .left) { Self.counted($0) },
            TableColumn(nil, "miles_hundredths") { row in
                TableCell(shown: "", value: .integer(row.trip.milesHundredths))
            },
            TableColumn(nil, "generation") { [trips] _ in .number(trips.header.number) },
        ])
    }

    private static func counted(_ row: Row) -> TableCell { .truth(row.trip.isCounted, "yes", "no") }

    private func lines(_ table: TextTable) -> [String] {
        let (header, page) = (trips.header, trips.page)
        let synthetic = header.isSynthetic ? "SYNTHETIC DATA · " : ""
        var lines = [
            "Generation \(header.number) · \(synthetic)the newest "
                + Counted.text(page.trips.count, "trip") + " · "
                + Counted.text(trips.total, "counted trip")
                + (trips.total == 1 ? " matches" : " match"), "",
        ]
        lines += table.lines
        if page.next != nil { lines += ["", "More: --limit \(page.trips.count * 4)"] }
        if let first = page.trips.first {
            lines.append("One trip: triptych explain \(ShellWord.quoted(first.tripID))")
        }
        return lines
    }
}
