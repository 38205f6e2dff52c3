import TripDomain

/// The reference tables of the lookups, so that a rule's condition runs in the sqlite3 shell.
enum ReferenceTables {
    static let ddl = """
        CREATE TABLE reference(
            lookup TEXT PRIMARY KEY,
            position INTEGER NOT NULL,
            table_name TEXT NOT NULL,
            file TEXT NOT NULL
        ) WITHOUT ROWID;
        """

    /// The name of a lookup's table.
    static func name(_ lookup: String) -> String { "reference_" + lookup }

    /// The statement that creates a lookup's table: its columns under their names, typed as rules
    /// read them, after the row's number and the line of the file where it starts.
    static func ddl(_ table: ReferenceTable) -> String {
        let columns = zip(table.columnNames, table.columnKinds).map { name, kind in
            "\(QuotedText.quoted(name)) \(type(kind))"
        }
        let all = ["reference_row INTEGER PRIMARY KEY", "reference_line INTEGER NOT NULL"]
        return "CREATE TABLE \(QuotedText.quoted(name(table.lookup)))(\n    "
            + (all + columns).joined(separator: ",\n    ") + "\n);"
    }

    private static func type(_ kind: ColumnKind) -> String {
        switch kind {
        case .text, .date, .timestamp, .patient: "TEXT"
        case .integer, .boolean, .money, .miles: "INTEGER"
        case .decimal: "REAL"
        }
    }
}
