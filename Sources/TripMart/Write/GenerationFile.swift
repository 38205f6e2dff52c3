import TripDomain

/// A generation's file while SQLite writes it: SQLite inserts the small tables and leaves the large
/// ones empty.
struct GenerationFile {
    let connection: RawConnection

    /// Creates the file with all its tables, and fills the tables that do not depend on the source
    /// of the trips.
    ///
    /// - Parameters:
    ///   - path: The file; an existing one is replaced.
    ///   - source: The contents of the small tables.
    ///   - tables: The columns of a trip.
    ///   - values: The values of coded texts, in order of their codes, which count from 1.
    ///   - meta: The rows of `meta`.
    ///   - base: A finished generation that is attached as `base`; nil where there is none.
    /// - Throws: ``MartError`` of a file.
    init(
        path: String,
        _ source: SummarySource,
        tables: TripTables,
        values: [ArraySlice<UInt8>],
        meta: [(String, String)],
        base: String? = nil
    ) throws(MartError) {
        let location = source.summary.tripLocation
        connection = try Self.make(path, base: base, hasTrips: location == nil)
        try connection.execute(GenerationSchema.summaryTables)
        try connection.execute(
            [RecordTables.ddl, ReferenceTables.ddl, TripTables.supportDDL, tables.rowDDL]
                .joined(separator: "\n")
        )
        try SummaryTables(connection: connection, source: source).write(meta: meta)
        try ReferenceWriting(connection: connection).write(source.summary.references)
        try writeColumns(tables)
        try writeValues(values)
        // Without trips there are no trip numbers.
        if location == nil { try writeRanges(source.months) }
    }

    /// Writes a file that holds the small tables and no trip.
    static func writeSummary(
        path: String,
        _ source: SummarySource,
        meta: [(String, String)]
    ) throws(MartError) {
        let connection = try make(path, hasTrips: source.summary.tripLocation == nil)
        try connection.execute(GenerationSchema.summaryTables)
        try SummaryTables(connection: connection, source: source).write(meta: meta)
        try connection.execute("COMMIT")
        try connection.close()
    }

    /// Creates the indexes and views, and closes the file.
    ///
    /// - Returns: The root pages of the large tables.
    func close(_ tables: TripTables) throws(MartError) -> TripPages.Roots {
        for index in TripTables.indexes {
            try connection.execute(index.sql)
        }
        try connection.execute(RecordTables.indexes)
        try connection.execute(tables.viewDDL)
        try connection.execute("COMMIT")
        let roots = try TripPages.Roots(connection)
        try connection.close()
        return roots
    }

    /// Creates an empty file with the marks of Triptych, and begins a transaction.
    static func make(
        _ path: String,
        base: String? = nil,
        hasTrips: Bool = true
    ) throws(MartError) -> RawConnection {
        try FileSystem.remove(path)
        // The file is created first with its permissions: SQLite would make it readable for all
        // users.
        try FileSystem.writeNew([], to: path, mode: 0o640)
        let connection = try RawConnection(path: path, mode: .create)
        try connection.execute(
            """
            PRAGMA page_size = 8192;
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA cache_size = -65536;
            PRAGMA threads = 2;
            PRAGMA secure_delete = OFF;
            \(GenerationSchema.marks(hasTrips: hasTrips))
            """
        )
        if let base { try connection.attach(base, as: "base") }
        try connection.execute("BEGIN")
        return connection
    }

    private func writeColumns(_ tables: TripTables) throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("trip_column", 7))
        let shape = tables.shape
        for (index, column) in shape.columns.enumerated() {
            try statement.insert([
                StoredValue(index + 1), .text(column.name), .text(column.kind.rawValue),
                StoredValue(column.isDerived ? 1 : 0), .text(tables.storage[index].word),
                .text(tables.storedName(index)),
                index == shape.costIndex ? .text("cost") : .null,
            ])
        }
    }

    private func writeRanges(_ ranges: [MonthRange]) throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("month_range", 3))
        for range in ranges {
            try statement.insert([
                .text(range.month.text), StoredValue(range.firstTrip),
                StoredValue(range.lastTrip),
            ])
        }
    }

    private func writeValues(_ values: [ArraySlice<UInt8>]) throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("text_value", 2))
        for (index, value) in values.enumerated() {
            try statement.insert([
                StoredValue(index + 1), .text(String(decoding: value, as: UTF8.self)),
            ])
        }
    }
}
