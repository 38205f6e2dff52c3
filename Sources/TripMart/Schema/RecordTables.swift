/// The records that are not the accepted version of a trip (rejects and older versions), and the
/// patients.
enum RecordTables {
    static let ddl = """
        CREATE TABLE reject(
            number INTEGER PRIMARY KEY,
            file_number INTEGER NOT NULL,
            record_number INTEGER NOT NULL,
            line_number INTEGER NOT NULL,
            byte_offset INTEGER NOT NULL,
            byte_size INTEGER NOT NULL,
            item_count INTEGER NOT NULL,
            field TEXT,
            reason TEXT NOT NULL,
            amount_cents INTEGER,
            unpriced INTEGER NOT NULL,
            trip_id TEXT,
            sealed_text BLOB NOT NULL
        );

        CREATE TABLE trip_version(
            trip_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            term TEXT NOT NULL,
            file_number INTEGER NOT NULL,
            record_number INTEGER NOT NULL,
            line_number INTEGER NOT NULL,
            amount_cents INTEGER,
            PRIMARY KEY(trip_id, number)
        ) WITHOUT ROWID;

        CREATE TABLE patient(
            patient_ref INTEGER PRIMARY KEY,
            sealed BLOB NOT NULL
        );
        """

    /// Created when all rows are inserted.
    static let indexes = """
        -- explain: the rejected corrections of one trip
        CREATE INDEX reject_trip_id ON reject(trip_id) WHERE trip_id IS NOT NULL;
        """
}
