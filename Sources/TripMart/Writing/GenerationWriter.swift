public import TripDomain

/// The files of a generation that are written and not yet published.
public struct BuiltGeneration: Sendable, Hashable {
    /// The generation's number.
    public let number: Int
    /// The generation's file, under its building name.
    public let path: String
    /// What will be kept for good, under its building name.
    public let historyPath: String
    /// The cube with small cells suppressed, under its building name.
    public let kpiPath: String
    /// The number of trips.
    public let trips: Int
}

/// Writes a generation into new files beside the served one.
///
/// The files have no journal and are not synced while they grow: a crash throws them away, and
/// publication syncs them. They are readable for their owner and group.
public struct GenerationWriter: Sendable {
    private let folder: MartFolder
    private let keys: MartKeys
    private let programVersion: String
    /// More distinct values than this, and a column is kept as text; smaller in tests.
    var distinctLimit = TextCoding.distinctLimit
    /// Whether trips are written as pages; else row by row through SQLite, the slow twin.
    var writesPages = true
    /// Rows in a portion of pages and in a block of trips; smaller in tests.
    var portionSize: Int?
    private let threadCount: Int

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - folder: The mart, whose folders exist and whose lock the run holds.
    ///   - keys: The mart's keys.
    ///   - programVersion: Kept in `meta`; not compared by `verify`.
    ///   - threadCount: Threads that encode pages; the file does not depend on it.
    public init(
        folder: MartFolder,
        keys: MartKeys,
        programVersion: String,
        threadCount: Int = 2
    ) {
        self.threadCount = threadCount
        self.folder = folder
        self.keys = keys
        self.programVersion = programVersion
    }

    /// Names that a pipeline's fields and derived columns must not take, in lower case.
    public static var reservedNames: Set<String> { TripTables.fixedNames }

    /// Writes one generation; nothing of it can be seen by readers.
    ///
    /// - Parameters:
    ///   - contents: The generation; its number is the folder's next number.
    ///   - progress: Called now and then with the number of trips written.
    /// - Returns: The files, to be checked and published.
    /// - Throws: ``MartError`` with code `numberTaken`, `nameClash`, `patientClash`, or of a file.
    /// - Complexity: O(*n* log *n*) in the trips, for the indexes; about 64 MiB of page cache.
    public func write(
        _ contents: GenerationContents,
        progress: (Int) -> Void = { _ in }
    ) throws(MartError) -> BuiltGeneration {
        let number = contents.header.number
        guard number >= (try folder.nextNumber()) else {
            throw MartError(
                .numberTaken,
                file: folder.generationPath(number),
                remedy: "The number was given out before. Run again."
            )
        }
        try TripTables.requireFreeNames(contents.shape)
        let built = BuiltGeneration(
            number: number,
            path: folder.generationsPath + "/.building-\(number).sqlite",
            historyPath: folder.historyPath + "/.building-\(number).sqlite",
            kpiPath: folder.generationsPath + "/.building-\(number).kpi.sqlite",
            trips: contents.acceptedOrder.count
        )
        // What is kept for good and which cells are suppressed follow from the cube alone.
        let (written, suppressed) = Parallel.both(threads: threadCount) {
            Result { () throws(MartError) in
                try writeGeneration(contents, to: built.path, progress: progress)
            }
        } _: {
            Result { () throws(MartError) in
                try writeHistory(contents, to: built.historyPath)
                try SuppressedCube(contents).write(to: built.kpiPath)
            }
        }
        try written.get()
        try suppressed.get()
        return built
    }

    private func writeGeneration(
        _ contents: GenerationContents,
        to path: String,
        progress: (Int) -> Void
    ) throws(MartError) {
        var accepted = contents.batches.map { [Bool](repeating: false, count: $0.count) }
        for place in contents.acceptedOrder {
            accepted[Int(place.batch)][Int(place.row)] = true
        }
        let coding = TextCoding(contents, accepted: accepted, limit: distinctLimit)
        let patients = try PatientTable(contents, accepted: accepted, threads: threadCount) {
            [keys] in keys.patientRef($0)
        }
        let tables = TripTables(
            shape: contents.shape,
            storage: Self.storage(contents.shape, coding)
        )

        let connection = try Self.newFile(path)
        try connection.execute(GenerationSchema.summaryTables)
        try connection.execute(
            [RecordTables.ddl, ReferenceTables.ddl, TripTables.supportDDL, tables.rowDDL]
                .joined(separator: "\n")
        )
        try SummaryTables(connection: connection, contents: contents).write(meta: meta(contents))
        try RecordWriting(connection: connection, contents: contents, keys: keys).write()
        try ReferenceWriting(connection: connection).write(contents.references)
        try Self.writeColumns(tables, connection)
        try Self.writeValues(coding, connection)
        try Self.writeRanges(contents, connection)
        if !writesPages {
            try patients.write(to: connection, keys: keys)
            try TripInsertion(
                contents,
                tables: tables,
                coding: coding,
                patients: patients,
                blockSize: portionSize ?? Portions.trips
            ).run(connection, progress: progress)
        }
        for index in TripTables.indexes {
            try connection.execute(index.sql)
        }
        try connection.execute(RecordTables.indexes)
        try connection.execute(tables.viewDDL)
        try connection.execute("COMMIT")
        let roots = try TripPages.Roots(connection)
        try connection.close()
        guard writesPages else { return }
        let rows = TripRows(
            contents,
            tables: tables,
            coding: coding,
            patients: patients,
            blockSize: portionSize ?? Portions.trips
        )
        try TripPages(
            contents,
            coding: coding,
            rows: rows,
            patients: PatientRows(patients, keys: keys),
            portionSize: portionSize,
            threads: threadCount
        ).write(to: path, roots, progress: progress)
    }

    private func writeHistory(
        _ contents: GenerationContents,
        to path: String
    ) throws(MartError) {
        let connection = try Self.newFile(path)
        try connection.execute(GenerationSchema.summaryTables)
        try SummaryTables(connection: connection, contents: contents).write(meta: meta(contents))
        try connection.execute("COMMIT")
        try connection.close()
    }

    private func meta(_ contents: GenerationContents) -> [(String, String)] {
        [
            ("key_check", keys.checkValue),
            ("pipeline", contents.header.pipeline),
            ("program_version", programVersion),
            ("synthetic", contents.header.isSynthetic ? "1" : "0"),
        ]
    }

    /// Makes an empty file of ours, inside one transaction.
    static func newFile(_ path: String) throws(MartError) -> RawConnection {
        try FileSystem.remove(path)
        // Made first with its rights, since SQLite would make it readable for everybody.
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
            \(GenerationSchema.marks)
            BEGIN
            """
        )
        return connection
    }

    private static func storage(_ shape: TripShape, _ coding: TextCoding) -> [TripStorage] {
        shape.columns.enumerated().map { index, column in
            switch column.kind {
            case .text: return coding.codes[index] == nil ? .inlineText : .codedText
            case .integer, .boolean, .money, .miles: return .integer
            case .decimal: return .real
            case .date: return .days
            case .patient: return .patient
            case .timestamp:
                guard column.name.hasSuffix("_utc"),
                    let local = shape.columns.firstIndex(where: {
                        $0.kind == .timestamp && $0.name == column.name.dropLast(4)
                    })
                else { return .seconds }
                return .offset(of: local)
            }
        }
    }

    private static func writeColumns(
        _ tables: TripTables,
        _ connection: RawConnection
    ) throws(MartError) {
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

    private static func writeRanges(
        _ contents: GenerationContents,
        _ connection: RawConnection
    ) throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("month_range", 3))
        for range in MonthRanges.find(in: contents) {
            try statement.insert([
                .text(range.month.text), StoredValue(range.firstTrip),
                StoredValue(range.lastTrip),
            ])
        }
    }

    private static func writeValues(
        _ coding: TextCoding,
        _ connection: RawConnection
    ) throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("text_value", 2))
        for (index, value) in coding.values.enumerated() {
            try statement.insert([
                StoredValue(index + 1), .text(String(decoding: value, as: UTF8.self)),
            ])
        }
    }
}
