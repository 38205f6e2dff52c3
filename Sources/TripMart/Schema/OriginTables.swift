/// The origin of a generation: its own row, its inputs, its rules and its checks.
enum OriginTables {
    /// The inputs of a generation or a plan.
    static let inputDDL = """
        CREATE TABLE generation_input(
            role TEXT NOT NULL,
            path TEXT NOT NULL,
            hash TEXT NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY(role, path)
        ) WITHOUT ROWID;
        """

    static let ddl = """
        CREATE TABLE meta(
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE generation(
            number INTEGER PRIMARY KEY,
            pipeline TEXT NOT NULL,
            synthetic INTEGER NOT NULL,
            published_at TEXT NOT NULL,
            data_through TEXT,
            stale_after TEXT,
            settles_after_days INTEGER NOT NULL,
            suppress_below INTEGER NOT NULL,
            rules_hash TEXT NOT NULL,
            reference_hash TEXT NOT NULL
        );

        \(inputDDL)

        CREATE TABLE rule(
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            class TEXT NOT NULL,
            basis TEXT NOT NULL,
            because TEXT NOT NULL,
            condition TEXT NOT NULL,
            valid_from TEXT,
            valid_to TEXT
        );

        CREATE TABLE check_result(
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            condition TEXT NOT NULL,
            outcome TEXT NOT NULL,
            detail TEXT NOT NULL
        );
        """
}
