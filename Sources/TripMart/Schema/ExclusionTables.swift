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
