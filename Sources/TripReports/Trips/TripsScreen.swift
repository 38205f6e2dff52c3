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
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        let rows = Array(zip(trips.page.trips, trips.refs).map { Row($0, $1) })
        guard format == .table else { return table.text(rows, format, on: screen) }
        return screen.text(lines(table.table(rows, hasCosts: trips.hasCosts), on: screen))
    }

    /// What `--limit` left out, as `the newest 50 trips alone; more: --limit 200`; nil where
    /// nothing.
    public var cut: String? {
        guard trips.page.next != nil else { return nil }
        let shown = Counted.text(trips.page.trips.count, "trip")
        return "the newest \(shown) alone; more: \(higherLimit)"
    }

    private var higherLimit: String {
        "--limit \(min(trips.page.trips.count * 4, CutList.greatest))"
    }

    private var table: ReportTable<Row> {
        ReportTable([
            TableColumn(nil, "trip_ref") { .text($0.ref) },
            TableColumn("trip", "trip_id", .left) { .text($0.trip.tripID) },
            TableColumn("pick-up", "pickup_at", .left) { .text($0.trip.pickupAt) },
            TableColumn(nil, "month") { .text($0.trip.month) },
            TableColumn("type", "trip_type", .left) { .text($0.trip.tripType) },
            label(.tripType, \.tripType),
            TableColumn("region", "region", .left) { .text($0.trip.region) },
            label(.region, \.region),
            TableColumn("class", "class", .left) { .text($0.trip.tripClass.word) },
            TableColumn("basis", "basis", .left, rank: 4) { .text($0.trip.basis) },
            TableColumn("rule", "rule", .left, rank: 3) { .text($0.trip.ruleID) },
            TableColumn(nil, "counted") { Self.counted($0) },
            TableColumn("cost", "cost_cents", rank: 1) { .dollars($0.trip.costCents) },
            TableColumn("counted", nil, .left, rank: 2) { Self.counted($0) },
            TableColumn(nil, "miles_hundredths") { row in
                TableCell(shown: "", value: .integer(row.trip.milesHundredths))
            },
            TableColumn(nil, "generation") { [trips] _ in .number(trips.header.number) },
        ])
    }

    /// What people call a value, for people alone.
    private func label(
        _ dimension: KPIDimension,
        _ value: @escaping (TripSummary) -> String
    ) -> TableColumn<Row> {
        TableColumn("", nil, .label, rank: 9) { [trips] row in
            TableCell(shown: trips.labels.text(value(row.trip), of: dimension), value: .null)
        }
    }

    private static func counted(_ row: Row) -> TableCell { .truth(row.trip.isCounted, "yes", "no") }

    private func lines(_ table: TextTable, on screen: Screen) -> [String] {
        let (header, page) = (trips.header, trips.page)
        let synthetic = header.isSynthetic ? "SYNTHETIC DATA · " : ""
        let head = "Generation \(header.number) · \(synthetic)"
        guard let first = page.trips.first else {
            let empty = EmptyAnswer.text(header, asked: trips.askedMonths, has: trips.months)
            return [head + "no trip matches", "", empty]
        }
        let others = page.trips.count { !$0.isCounted }
        let uncounted = others == 0 ? "" : ", \(NumberFormat.count(others)) of them not counted"
        var lines = [
            head + "the newest \(Counted.text(page.trips.count, "trip"))\(uncounted) · "
                + Counted.text(trips.total, "counted trip")
                + (trips.total == 1 ? " matches" : " match"), "",
        ]
        lines += table.lines(on: screen)
        if page.next != nil { lines += ["", "More: \(higherLimit)"] }
        let trip = ShellWord.quoted(first.tripID)
        lines.append("One trip: triptych explain \(trip)\(trips.martFlags)")
        return lines
    }
}
