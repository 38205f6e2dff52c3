/// The values of the cube's dimensions, with their displayed names.
enum DimensionTables {
    static let ddl = """
        CREATE TABLE month(
            month TEXT PRIMARY KEY,
            label TEXT NOT NULL,
            fiscal_year INTEGER NOT NULL,
            month_open INTEGER NOT NULL,
            settles_on TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE trip_type(
            trip_type TEXT PRIMARY KEY,
            label TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE region(
            region TEXT PRIMARY KEY,
            label TEXT NOT NULL
        ) WITHOUT ROWID;
        """
}
