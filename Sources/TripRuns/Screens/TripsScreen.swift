public import TripDomain
public import TripMart

/// A page of trips.
public struct TripsScreen {
    private let header: GenerationHeader
    private let page: TripPage
    private let total: Int64
    private let refs: [String]

    /// Shows one page.
    ///
    /// - Parameters:
    ///   - header: The generation it is from.
    ///   - page: The trips.
    ///   - total: The number of counted trips that match the filters.
    ///   - keys: Turns trip ids into trip refs.
    public init(header: GenerationHeader, page: TripPage, total: Int64, keys: MartKeys) {
        self.header = header
        self.page = page
        self.total = total
        refs = page.trips.map { keys.ref(ofTrip: $0.tripID).text }
    }

    /// The page in one format.
    public func text(_ format: OutputFormat) -> String {
        switch format {
        case .table: lines.joined(separator: "\n")
        case .json: rowSet.json
        case .csv: rowSet.csv
        }
    }

    private var lines: [String] {
        var table = TextTable([
            ("trip", .left), ("pick-up", .left), ("type", .left), ("region", .left),
            ("class", .left), ("basis", .left), ("rule", .left), ("cost", .right),
            ("counted", .left),
        ])
        for trip in page.trips {
            table.add([
                trip.tripID, trip.pickupAt, trip.tripType, trip.region, trip.tripClass.word,
                trip.basis, trip.ruleID ?? "–",
                trip.costCents.map(NumberFormat.dollars) ?? "not known",
                trip.isCounted ? "yes" : "no",
            ])
        }
        let synthetic = header.isSynthetic ? "SYNTHETIC DATA · " : ""
        var lines = [
            "Generation \(header.number) · \(synthetic)the newest "
                + Counted.text(page.trips.count, "trip") + " · "
                + Counted.text(total, "counted trip") + (total == 1 ? " matches" : " match"), "",
        ]
        lines += table.lines
        if page.next != nil { lines += ["", "More: --limit \(page.trips.count * 4)"] }
        if let first = page.trips.first {
            lines.append("One trip: triptych explain \(NumberFormat.shell(first.tripID))")
        }
        return lines
    }

    private var rowSet: RowSet {
        var set = RowSet([
            "trip_ref", "trip_id", "pickup_at", "month", "trip_type", "region", "class", "basis",
            "rule", "counted", "cost_cents", "miles_hundredths", "generation",
        ])
        for (trip, ref) in zip(page.trips, refs) {
            set.add([
                .text(ref), .text(trip.tripID), .text(trip.pickupAt), .text(trip.month),
                .text(trip.tripType), .text(trip.region), .text(trip.tripClass.word),
                .text(trip.basis), .text(trip.ruleID), .truth(trip.isCounted),
                .integer(trip.costCents), .integer(trip.milesHundredths),
                .integer(Int64(header.number)),
            ])
        }
        return set
    }
}
