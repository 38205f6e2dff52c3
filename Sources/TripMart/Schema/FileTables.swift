/// The files of a generation, their ledger, and the reconciliation of its trips.
enum FileTables {
    static let ddl = """
        CREATE TABLE source(
            name TEXT PRIMARY KEY,
            expects TEXT,
            last_arrival_at TEXT,
            awaited_since TEXT,
            overdue_after TEXT
        ) WITHOUT ROWID;

        CREATE TABLE source_file(
            number INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            path TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            content_hash TEXT NOT NULL,
            archive_hash TEXT NOT NULL,
            archive_size INTEGER NOT NULL,
            expanded_size INTEGER NOT NULL,
            order_key TEXT NOT NULL,
            period TEXT NOT NULL,
            layout TEXT NOT NULL,
            record_count INTEGER NOT NULL,
            line_count INTEGER NOT NULL,
            blank_line_count INTEGER NOT NULL,
            status TEXT NOT NULL,
            taken_in TEXT
        );

        CREATE TABLE ledger(
            file_number INTEGER NOT NULL,
            term TEXT NOT NULL,
            items INTEGER NOT NULL,
            cents INTEGER NOT NULL,
            unpriced INTEGER NOT NULL,
            PRIMARY KEY(file_number, term)
        ) WITHOUT ROWID;

        CREATE VIEW ledger_total AS
            SELECT term, sum(items) AS items, sum(cents) AS cents, sum(unpriced) AS unpriced
            FROM ledger GROUP BY term;

        CREATE TABLE bridge(
            status TEXT NOT NULL,
            counted INTEGER NOT NULL,
            trips INTEGER NOT NULL,
            PRIMARY KEY(status, counted)
        ) WITHOUT ROWID;
        """
}

/// The exclusions that rollbacks left (table `hold`).
enum ExclusionTables {
    static let ddl = """
        CREATE TABLE IF NOT EXISTS hold(
            kind TEXT NOT NULL,
            source TEXT NOT NULL,
            path TEXT NOT NULL,
            content_hash TEXT NOT NULL,
            archive_hash TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            after INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            PRIMARY KEY(kind, source, path, content_hash)
        ) WITHOUT ROWID;
        """
}
