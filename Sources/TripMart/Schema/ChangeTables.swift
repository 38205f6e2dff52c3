/// The tables of a file of changes: what moved the numbers from one generation to another.
enum ChangeTables {
    static let ddl = """
        CREATE TABLE changes(
            from_generation INTEGER NOT NULL,
            to_generation INTEGER NOT NULL
        );

        CREATE TABLE cause(
            number INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            name TEXT NOT NULL
        );

        CREATE TABLE change(
            cause INTEGER NOT NULL,
            month TEXT NOT NULL,
            trip_type TEXT NOT NULL,
            region TEXT NOT NULL,
            \(CubeTables.sumColumns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ",\n    "))
        );
        """
}
