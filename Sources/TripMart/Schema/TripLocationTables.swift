import TripDomain

/// The tables that say where the trips of a generation lie; a file that has its trips has none of
/// them.
enum TripLocationTables {
    static let ddl = """
        CREATE TABLE trip_location(
            uri TEXT NOT NULL,
            plan_hash TEXT NOT NULL,
            results_hash TEXT NOT NULL
        );

        CREATE TABLE trip_location_month(
            month TEXT PRIMARY KEY,
            trips INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// Of the generation's own file alone: no version is there to compare a reject with.
    static let correctionDDL = "CREATE TABLE rejected_correction(number INTEGER PRIMARY KEY);"

    /// Whether a file says that its trips lie elsewhere.
    static func isIn(_ connection: RawConnection) throws(MartError) -> Bool {
        let tables = try connection.prepare(
            "SELECT 1 FROM sqlite_schema WHERE name = 'trip_location'"
        )
        return try tables.step()
    }
}

extension RawConnection {
    /// Creates and fills the tables that say where trips lie.
    func insert(_ location: TripLocation) throws(MartError) {
        try execute(TripLocationTables.ddl)
        try insert(
            into: "trip_location",
            3,
            [[.text(location.uri), .text(location.planHash), .text(location.resultsHash)]]
        )
        try insert(
            into: "trip_location_month",
            2,
            location.months.map { [.text($0.month.text), .integer($0.trips)] }
        )
    }
}

extension RawConnection {
    /// Creates and fills the list of rejects that come after all valid versions of their trips.
    func insertCorrections(_ rejects: [Reject]) throws(MartError) {
        try execute(TripLocationTables.correctionDDL)
        try insert(
            into: "rejected_correction",
            1,
            rejects.indices.filter { rejects[$0].isCorrection }.map { [StoredValue($0 + 1)] }
        )
    }
}

extension SummarySource {
    /// The small tables of a generation whose trips lie elsewhere.
    init(_ summary: GenerationSummary, _ location: TripLocation) {
        var last: Int64 = 0
        let months = location.months.map { counted in
            defer { last += counted.trips }
            return MonthRange(
                month: counted.month,
                firstTrip: Int(last + 1),
                lastTrip: Int(last + counted.trips)
            )
        }
        self.init(
            summary,
            months: months,
            bridge: location.statuses.map {
                ReconciliationRow(status: $0.status, isCounted: $0.isCounted, trips: $0.trips)
            }
        )
    }
}
