import TripDomain

/// Writes the trips, their indexes, the patients and the rejects as pages, without SQLite's INSERT.
///
///     reject                 rows in order of exports, sealed by leaf run on all cores
///     reject_trip_id         sorted by id; only of rejects whose id is known
///     patient                rows in order of their references, sealed by leaf run on all cores
///     trip_row               rows in stored order, encoded by leaf run on all cores
///     trip_row_trip_id       sorted by id; a repetition is an error, as in a unique index
///     trip_row_type_region   sorted by the two codes
struct TripPages {
    /// The root pages of the tables and indexes, which are empty so far.
    struct Roots {
        let rejects: Int
        let rejectIDs: Int
        let patients: Int
        let rows: Int
        let ids: Int
        let typeRegions: Int

        /// Reads them while SQLite still has the file open.
        init(_ connection: RawConnection) throws(MartError) {
            func root(_ name: String) throws(MartError) -> Int {
                Int(
                    try connection.integer(
                        "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"
                    )
                )
            }
            rejects = try root("reject")
            rejectIDs = try root("reject_trip_id")
            patients = try root("patient")
            rows = try root("trip_row")
            ids = try root("trip_row_trip_id")
            typeRegions = try root("trip_row_type_region")
        }
    }

    private let contents: GenerationContents
    private let tables: TripTables
    private let coding: TextCoding
    private let keys: MartKeys
    private let leafRunSize: Int?
    private let threads: Int
    /// The patients, until their rows and those of the trips are written.
    private var patients: PatientTable?

    /// - Parameters:
    ///   - contents: The generation.
    ///   - tables: The columns of a trip.
    ///   - coding: The codes of texts.
    ///   - patients: The patients; a caller that gives them up frees their memory before the
    ///     indexes are built.
    ///   - keys: The keys that seal the patients.
    ///   - leafRunSize: Rows and entries in a leaf run of each tree; nil for the measured sizes.
    ///   - threads: The number of threads.
    init(
        _ contents: GenerationContents,
        tables: TripTables,
        coding: TextCoding,
        patients: consuming PatientTable,
        keys: MartKeys,
        leafRunSize: Int?,
        threads: Int
    ) {
        self.contents = contents
        self.tables = tables
        self.coding = coding
        self.patients = patients
        self.keys = keys
        self.leafRunSize = leafRunSize
        self.threads = threads
    }

    /// Fills the trees of a file that SQLite has closed; once.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roots: The root pages of the trees.
    ///   - progress: Called now and then with the number of trips written.
    /// - Throws: ``MartError`` with code `imbalance` where two trips have one id, or of the file or
    ///   the key.
    /// - Complexity: O(*n*) for ids that differ within few bytes; 20 bytes of memory per trip.
    mutating func write(
        to path: String,
        _ roots: Roots,
        progress: (Int) -> Void
    ) throws(MartError) {
        let file = try BTreeFile(path: path)
        try writeRejects(to: file, roots)
        try writeTables(to: file, roots, progress: progress)
        try writeIDs(to: file, path, roots)
        let codes = TypeRegionCodes(contents, coding)
        try Self.finish(file, roots, codes, leafRunSize: leafRunSize, threads: threads)
    }

    /// Fills the index of ids, and frees their order.
    private func writeIDs(
        to file: BTreeFile,
        _ path: String,
        _ roots: Roots
    ) throws(MartError) {
        let ids = TripIDs(contents)
        let order = TextOrder(ids, threads: threads)
        guard order.firstEqual == nil else {
            throw MartError(
                .imbalance,
                file: path,
                remedy: "Two accepted trips have one id. This is a fault of Triptych: keep the "
                    + "mart and report it."
            )
        }
        try file.fill(
            .index,
            root: roots.ids,
            TripIDEntries(ids, rows: order.rows),
            threads: threads,
            leafRunSize: leafRunSize
        )
    }

    private func writeRejects(to file: BTreeFile, _ roots: Roots) throws(MartError) {
        try file.fill(
            .table,
            root: roots.rejects,
            RejectRows(contents, keys: keys),
            threads: threads,
            leafRunSize: leafRunSize ?? RejectRows.leafRunSize
        )
        try file.fill(
            .index,
            root: roots.rejectIDs,
            RejectIDEntries(contents.rejects),
            threads: threads,
            leafRunSize: leafRunSize
        )
    }

    /// Fills the two tables, and frees the memory that they alone need.
    private mutating func writeTables(
        to file: BTreeFile,
        _ roots: Roots,
        progress: (Int) -> Void
    ) throws(MartError) {
        guard let patients = patients.take() else {
            preconditionFailure("pages are written once")
        }
        try file.fill(
            .table,
            root: roots.patients,
            PatientRows(patients, keys: keys),
            threads: threads,
            leafRunSize: leafRunSize
        )
        let rows = TripRows(
            contents,
            tables: tables,
            coding: coding,
            patients: patients,
            blockSize: leafRunSize ?? LeafRuns.trips
        )
        try file.fill(
            .table,
            root: roots.rows,
            rows,
            threads: threads,
            leafRunSize: leafRunSize ?? LeafRuns.trips,
            progress: progress
        )
    }

    /// Fills the index of trip types and regions, and finishes the file.
    ///
    /// - Parameters:
    ///   - file: The file, whose other trees are filled.
    ///   - roots: The root pages of the trees.
    ///   - codes: The codes that the index is sorted by.
    ///   - leafRunSize: Entries in a leaf run; nil for the measured size.
    ///   - threads: The number of threads.
    /// - Throws: ``MartError`` of the file.
    static func finish(
        _ file: BTreeFile,
        _ roots: Roots,
        _ codes: TypeRegionCodes,
        leafRunSize: Int?,
        threads: Int
    ) throws(MartError) {
        let rows = RadixOrder.rows(codes.count, bits: codes.keyBits, threads: threads) {
            codes.key($0)
        }
        try file.fill(
            .index,
            root: roots.typeRegions,
            TypeRegionEntries(codes, rows: rows),
            threads: threads,
            leafRunSize: leafRunSize
        )
        try file.finish()
    }
}

/// The rows of `trip_row` in stored order, encoded for pages.
struct TripRows: LeafSource {
    let contents: GenerationContents
    private let sources: [TripSource]
    private let blockSize: Int
    private let blocks: TripBlockPool

    init(
        _ contents: GenerationContents,
        tables: TripTables,
        coding: TextCoding,
        patients: PatientTable,
        blockSize: Int
    ) {
        self.blockSize = blockSize
        self.contents = contents
        sources = TripSource.all(contents, tables: tables, coding: coding, patients: patients)
        blocks = TripBlockPool(sources.count, capacity: blockSize)
    }

    var count: Int { contents.acceptedOrder.count }

    /// The trip's number, and the stored columns after it.
    var columnCount: Int { 1 + sources.count }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) {
        let block = blocks.take()
        defer { blocks.giveBack(block) }
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: blockSize) {
            let end = min(start + blockSize, rows.upperBound)
            block.fill(contents.acceptedOrder[start..<end], from: sources)
            for row in 0..<block.count {
                // The trip's number is the row's own.
                leafRun.record.appendNull()
                for column in 0..<sources.count { block.append(column, row, to: &leafRun) }
                leafRun.endRow(rowid: Int64(start + row + 1))
            }
        }
    }
}

/// The trip ids by row.
struct TripIDs: TextSource {
    private let order: [TripPosition]
    private let ids: [PackedTexts.Reader]
    /// Kept alive for the readers, which point into them.
    private let batches: [PackedBatch]

    init(_ contents: GenerationContents) {
        order = contents.acceptedOrder
        batches = contents.batches
        ids = batches.map { $0.columns[contents.shape.tripIDIndex].texts.reader }
    }

    var count: Int { order.count }

    @inline(__always)
    func text(_ row: Int) -> UnsafeRawBufferPointer? {
        let position = order[row]
        return ids[Int(position.batch)][Int(position.row)]
    }
}

/// The entries of `trip_row_trip_id`.
struct TripIDEntries: LeafSource {
    /// The number of ids that are fetched at a time: they lie far apart, and the processor waits
    /// for many at once.
    private static let fetchCount = 64

    private let ids: TripIDs
    /// The rows in order of their ids.
    private let rows: [UInt32]

    init(_ ids: TripIDs, rows: [UInt32]) {
        self.ids = ids
        self.rows = rows
    }

    var count: Int { rows.count }
    var columnCount: Int { 2 }

    func encode(_ range: Range<Int>, into leafRun: inout LeafRun) {
        var texts: [UnsafeRawBufferPointer] = []
        texts.reserveCapacity(Self.fetchCount)
        var touched: UInt8 = 0
        for first in stride(from: range.lowerBound, to: range.upperBound, by: Self.fetchCount) {
            let end = min(first + Self.fetchCount, range.upperBound)
            texts.removeAll(keepingCapacity: true)
            for index in first..<end {
                guard let text = ids.text(Int(rows[index])) else { continue }
                touched ^= text.first ?? 0
                texts.append(text)
            }
            for (index, text) in zip(first..<end, texts) {
                leafRun.record.append(text: text)
                leafRun.record.append(integer: Int64(rows[index]) + 1)
                leafRun.endEntry()
            }
        }
        withExtendedLifetime(touched) {}
    }
}
