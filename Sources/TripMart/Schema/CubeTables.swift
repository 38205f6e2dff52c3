import TripDomain

/// The precomputed sums: one row per group of trips, in all eight groupings.
enum CubeTables {
    /// The names of the stored sums, in the order of the table.
    static let sumColumns = KPISum.allCases.map(\.name)

    /// The cube with small cells suppressed: the same columns, NULL where a value is suppressed.
    static let suppressedDDL = cube(
        sumColumns.map { "\($0) INTEGER" } + ["suppressed INTEGER NOT NULL"]
    )

    /// The primary key is the filter of every route: one read answers it.
    private static func cube(_ columns: [String]) -> String {
        """
        CREATE TABLE kpi_cube(
            month TEXT NOT NULL,
            trip_type TEXT NOT NULL,
            region TEXT NOT NULL,
            \(columns.joined(separator: ",\n    ")),
            PRIMARY KEY(month, trip_type, region)
        ) WITHOUT ROWID;
        """
    }

    static let ddl =
        cube(sumColumns.map { "\($0) INTEGER NOT NULL" }) + """


            CREATE TABLE kpi_basis(
                month TEXT NOT NULL,
                trip_type TEXT NOT NULL,
                region TEXT NOT NULL,
                class TEXT NOT NULL,
                basis TEXT NOT NULL,
                trips INTEGER NOT NULL,
                costed_trips INTEGER NOT NULL,
                cost_cents INTEGER NOT NULL,
                PRIMARY KEY(month, trip_type, region, class, basis)
            ) WITHOUT ROWID;
            """
}
