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
    private let coding: TextCoding
    private let rows: TripRows
    private let patients: PatientRows
    private let portionSize: Int?
    private let threads: Int

    /// - Parameters:
    ///   - contents: The generation.
    ///   - coding: The codes of texts.
    ///   - rows: The trips.
    ///   - patients: The patients.
    ///   - portionSize: Rows and entries in a portion of each tree; those that are fast unless told.
    ///   - threads: The number of threads.
    init(
        _ contents: GenerationContents,
        coding: TextCoding,
        rows: TripRows,
        patients: PatientRows,
        portionSize: Int?,
        threads: Int
    ) {
        self.portionSize = portionSize
        self.contents = contents
        self.coding = coding
        self.rows = rows
        self.patients = patients
        self.threads = threads
    }

    /// Fills the four trees of a file that SQLite has closed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roots: Where the trees begin.
    ///   - progress: Called now and then with the number of trips written.
    /// - Throws: ``MartError`` with code `imbalance` where two trips have one id, or of the file or the key.
    /// - Complexity: O(*n*) for ids that differ within few bytes; 28 bytes of memory per trip.
    func write(
        to path: String,
        _ roots: Roots,
        progress: (Int) -> Void
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
        do throws(PageError) {
            try Self.fill(
                path,
                roots,
                patients: patients,
                rows: rows,
                ids: TripIDEntries(ids, rows: order.rows),
                codes: TypeRegionCodes(contents, coding),
                portionSize: portionSize,
                threads: threads,
                progress: progress,
                release: rows.release
            )
        } catch {
            throw MartError(error)
        }
        try patients.requireSealed()
    }

    /// Fills the four trees, whatever their rows and entries come from.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roots: Where the trees begin.
    ///   - patients: The rows of `patient`.
    ///   - rows: The rows of `trip_row`.
    ///   - ids: The entries of `trip_row_trip_id`.
    ///   - codes: What `trip_row_type_region` is sorted by.
    ///   - portionSize: Rows and entries in a portion of each tree; those that are fast unless told.
    ///   - threads: The number of threads.
    ///   - progress: Called now and then with the number of trips written.
    ///   - release: Lets go of what the rows alone need, before the indexes.
    /// - Throws: ``PageError`` of the file, or of what a source reads.
    static func fill(
        _ path: String,
        _ roots: Roots,
        patients: some LeafSource,
        rows: some LeafSource,
        ids: some LeafSource,
        codes: TypeRegionCodes,
        portionSize: Int?,
        threads: Int,
        progress: (Int) -> Void,
        release: () -> Void = {}
    ) throws(PageError) {
        let file = try BTreeFile(path: path)
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
        release()
        let entryCount = portionSize ?? Portions.entriesOfIndex
        try file.fillIndex(root: roots.ids, ids, threads: threads, portionSize: entryCount)
        let codeEntries = TypeRegionEntries(
            codes,
            rows: RadixOrder.rows(codes.count, bits: codes.keyBits, threads: threads) {
                codes.key($0)
            }
        )
        try file.fillIndex(
            root: roots.typeRegions,
            codeEntries,
            threads: threads,
            portionSize: entryCount
        )
        try file.finish()
    }
}
