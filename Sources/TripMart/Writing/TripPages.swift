import TripDomain

/// Writes the trips, their indexes and the patients as pages, without SQLite's INSERT.
///
///     patient                rows in order of their references, sealed portion by portion
///     trip_row               rows in stored order, encoded portion by portion on all cores
///     trip_row_trip_id       sorted by id; a repetition is an error, as a unique index has it
///     trip_row_type_region   sorted by the two codes
///
/// The slow twin is ``TripInsertion``; tests hold the two together.
struct TripPages {
    /// The root pages of the table and its indexes, empty so far.
    struct Roots {
        let patients: Int
        let rows: Int
        let ids: Int
        let typeRegions: Int

        /// Finds them while SQLite still has the file open.
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
    private let portionSize: Int?
    private let threads: Int
    /// The patients, until their rows and those of the trips are written.
    private var patients: PatientTable?

    /// - Parameters:
    ///   - contents: The generation.
    ///   - tables: The columns of a trip.
    ///   - coding: The codes of texts.
    ///   - patients: The patients; whoever lets go of them spares the indexes their memory.
    ///   - keys: What seals the patients.
    ///   - portionSize: Rows and entries in a portion of each tree; those that are fast unless told.
    ///   - threads: The number of threads.
    init(
        _ contents: GenerationContents,
        tables: TripTables,
        coding: TextCoding,
        patients: consuming PatientTable,
        keys: MartKeys,
        portionSize: Int?,
        threads: Int
    ) {
        self.contents = contents
        self.tables = tables
        self.coding = coding
        self.patients = patients
        self.keys = keys
        self.portionSize = portionSize
        self.threads = threads
    }

    /// Fills the four trees of a file that SQLite has closed; once.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roots: Where the trees begin.
    ///   - progress: Called now and then with the number of trips written.
    /// - Throws: ``MartError`` with code `imbalance` where two trips have one id, or of the file or the key.
    /// - Complexity: O(*n*) for ids that differ within few bytes; 20 bytes of memory per trip.
    mutating func write(
        to path: String,
        _ roots: Roots,
        progress: (Int) -> Void
    ) throws(MartError) {
        let file = try MartError.converting { () throws(PageError) in try BTreeFile(path: path) }
        try writeTables(to: file, roots, progress: progress)
        try writeIDs(to: file, path, roots)
        let codes = TypeRegionCodes(contents, coding)
        try MartError.converting { () throws(PageError) in
            try Self.finish(file, roots, codes, portionSize: portionSize, threads: threads)
        }
    }

    /// Fills the index of ids, and lets go of their order.
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
                remedy: "Two accepted trips have one id. This is a fault of the program: keep the "
                    + "mart and report it."
            )
        }
        try MartError.converting { () throws(PageError) in
            try file.fillIndex(
                root: roots.ids,
                TripIDEntries(ids, rows: order.rows),
                threads: threads,
                portionSize: portionSize ?? Portions.entriesOfIndex
            )
        }
    }

    /// Fills the two tables, and lets go of all that they alone need.
    private mutating func writeTables(
        to file: BTreeFile,
        _ roots: Roots,
        progress: (Int) -> Void
    ) throws(MartError) {
        guard let patients = patients.take() else {
            preconditionFailure("pages are written once")
        }
        let sealed = PatientRows(patients, keys: keys)
        let rows = TripRows(
            contents,
            tables: tables,
            coding: coding,
            patients: patients,
            blockSize: portionSize ?? Portions.trips
        )
        try MartError.converting { () throws(PageError) in
            try Self.fillTables(
                of: file,
                roots,
                patients: sealed,
                rows: rows,
                portionSize: portionSize,
                threads: threads,
                progress: progress
            )
        }
        try sealed.requireSealed()
    }

    /// Fills the two tables, whatever their rows come from.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - roots: Where the trees begin.
    ///   - patients: The rows of `patient`.
    ///   - rows: The rows of `trip_row`.
    ///   - portionSize: Rows in a portion of each tree; those that are fast unless told.
    ///   - threads: The number of threads.
    ///   - progress: Called now and then with the number of trips written.
    /// - Throws: ``PageError`` of the file, or of what a source reads.
    static func fillTables(
        of file: BTreeFile,
        _ roots: Roots,
        patients: some LeafSource,
        rows: some LeafSource,
        portionSize: Int?,
        threads: Int,
        progress: (Int) -> Void
    ) throws(PageError) {
        try file.fillTable(
            root: roots.patients,
            patients,
            threads: threads,
            portionSize: portionSize ?? Portions.rowsOfTable
        )
        try file.fillTable(
            root: roots.rows,
            rows,
            threads: threads,
            portionSize: portionSize ?? Portions.trips,
            progress: progress
        )
    }

    /// Fills the index of trip types and regions, and finishes the file.
    ///
    /// - Parameters:
    ///   - file: The file, whose other trees are filled.
    ///   - roots: Where the trees begin.
    ///   - codes: What the index is sorted by.
    ///   - portionSize: Entries in a portion; those that are fast unless told.
    ///   - threads: The number of threads.
    /// - Throws: ``PageError`` of the file.
    static func finish(
        _ file: BTreeFile,
        _ roots: Roots,
        _ codes: TypeRegionCodes,
        portionSize: Int?,
        threads: Int
    ) throws(PageError) {
        let rows = RadixOrder.rows(codes.count, bits: codes.keyBits, threads: threads) {
            codes.key($0)
        }
        try file.fillIndex(
            root: roots.typeRegions,
            TypeRegionEntries(codes, rows: rows),
            threads: threads,
            portionSize: portionSize ?? Portions.entriesOfIndex
        )
        try file.finish()
    }
}
