import TripDomain

/// The precomputed sums: one row per group of trips, in all eight groupings.
enum CubeTables {
    /// The sums of a cell, in the order of the table.
    ///
    /// All except the last two are the contract of PRODUCT §5; those make cost per mile exact, and
    /// record the number of trips behind it.
    static let sumColumns = [
        "trips", "in_house_trips", "contracted_trips", "undetermined_trips", "cost_cents",
        "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents",
        "in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips",
        "loaded_miles_hundredths", "miles_known_trips", "cost_with_miles_cents",
        "costed_miles_hundredths", "costed_miles_trips",
    ]

    /// The sums that files of all versions have.
    static let firstSumColumns = Array(sumColumns.dropLast())

    /// The number of leading ``sumColumns`` that count trips: of all classes and of each class.
    static let tripColumnCount = 4

    /// A cell's sums, in the order of ``sumColumns``.
    static func values(_ sums: KPISums) -> [Int64] {
        [
            sums.trips, sums.inHouseTrips, sums.contractedTrips, sums.undeterminedTrips,
            sums.costCents, sums.inHouseCostCents, sums.contractedCostCents,
            sums.undeterminedCostCents, sums.inHouseCostedTrips, sums.contractedCostedTrips,
            sums.undeterminedCostedTrips, sums.loadedMilesHundredths, sums.milesKnownTrips,
            sums.costWithMilesCents, sums.costedMilesHundredths, sums.costedMilesTrips,
        ]
    }

    /// The sums of a cell, from values in the order of ``sumColumns``.
    ///
    /// - Precondition: there is one value per column.
    static func sums(_ values: [Int64]) -> KPISums {
        precondition(values.count == sumColumns.count, "one value per column of the cube")
        var sums = KPISums()
        (sums.trips, sums.inHouseTrips) = (values[0], values[1])
        (sums.contractedTrips, sums.undeterminedTrips) = (values[2], values[3])
        (sums.costCents, sums.inHouseCostCents) = (values[4], values[5])
        (sums.contractedCostCents, sums.undeterminedCostCents) = (values[6], values[7])
        (sums.inHouseCostedTrips, sums.contractedCostedTrips) = (values[8], values[9])
        (sums.undeterminedCostedTrips, sums.loadedMilesHundredths) = (values[10], values[11])
        (sums.milesKnownTrips, sums.costWithMilesCents) = (values[12], values[13])
        (sums.costedMilesHundredths, sums.costedMilesTrips) = (values[14], values[15])
        return sums
    }

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
