import TripDomain

/// Writes the trips, their indexes and the patients as pages, without SQLite's INSERT.
///
///     patient                rows in order of their references, sealed by leaf run on all cores
///     trip_row               rows in stored order, encoded by leaf run on all cores
///     trip_row_trip_id       sorted by id; a repetition is an error, as in a unique index
///     trip_row_type_region   sorted by the two codes
struct TripPages {
    /// The root pages of the tables and indexes, which are empty so far.
    struct Roots {
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

    /// Fills the four trees of a file that SQLite has closed; once.
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
