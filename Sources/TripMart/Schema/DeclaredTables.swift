import TripDomain

/// The tables of declared measures and dimensions; a file has only those that its pipeline needs.
///
/// They are kept by the finest group alone: a cell of the cube without `all`, with class and basis.
/// Whatever is asked is added up from these, so that nothing is stored twice.
enum DeclaredTables {
    static let measures = """
        CREATE TABLE measure(
            name TEXT PRIMARY KEY,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL,
            column_name TEXT NOT NULL,
            amount TEXT NOT NULL,
            label TEXT NOT NULL,
            unit TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE kpi_measure(
            measure TEXT NOT NULL,
            month TEXT NOT NULL,
            trip_type TEXT NOT NULL,
            region TEXT NOT NULL,
            class TEXT NOT NULL,
            basis TEXT NOT NULL,
            known_trips INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            PRIMARY KEY(measure, month, trip_type, region, class, basis)
        ) WITHOUT ROWID;

        CREATE TABLE kpi_measure_value(
            measure TEXT NOT NULL,
            month TEXT NOT NULL,
            trip_type TEXT NOT NULL,
            region TEXT NOT NULL,
            class TEXT NOT NULL,
            basis TEXT NOT NULL,
            value INTEGER NOT NULL,
            trips INTEGER NOT NULL,
            PRIMARY KEY(measure, month, trip_type, region, class, basis, value)
        ) WITHOUT ROWID;
        """

    static let dimensions = """
        CREATE TABLE dimension(
            name TEXT PRIMARY KEY,
            position INTEGER NOT NULL,
            column_name TEXT NOT NULL,
            label TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE kpi_dimension(
            dimension TEXT NOT NULL,
            value TEXT NOT NULL,
            month TEXT NOT NULL,
            trip_type TEXT NOT NULL,
            region TEXT NOT NULL,
            class TEXT NOT NULL,
            basis TEXT NOT NULL,
            trips INTEGER NOT NULL,
            costed_trips INTEGER NOT NULL,
            cost_cents INTEGER NOT NULL,
            PRIMARY KEY(dimension, value, month, trip_type, region, class, basis)
        ) WITHOUT ROWID;
        """

    /// The columns of a group.
    static let group = "month, trip_type, region, class, basis"
}
