import TripDomain

/// Writes the trips of another generation with other decisions, and takes over what stays.
///
///     patient, trip_row_trip_id    as they are: the same rows and entries
///     trip_row                     ``RevisedRows``
///     trip_row_type_region         sorted by the two codes
struct RevisedPages {
    private let revision: GenerationRevision
    private let tables: TripTables
    private let coding: RevisedCoding
    private let portionSize: Int?
    private let threads: Int

    /// - Parameters:
    ///   - revision: The generation.
    ///   - tables: The columns of a trip.
    ///   - coding: The codes of texts.
    ///   - portionSize: Rows and entries in a portion of each tree; those that are fast unless told.
    ///   - threads: The number of threads.
    init(
        _ revision: GenerationRevision,
        tables: TripTables,
        coding: RevisedCoding,
        portionSize: Int?,
        threads: Int
    ) {
        self.revision = revision
        self.tables = tables
        self.coding = coding
        self.portionSize = portionSize
        self.threads = threads
    }

    /// Takes over what did not become the accepted version of a trip, while SQLite has the file open.
    ///
    /// - Parameter connection: The new file, with the other generation beside it as `base`.
    /// - Throws: ``MartError`` of either file.
    static func copyRecords(_ connection: RawConnection) throws(MartError) {
        for table in ["reject", "trip_version"] {
            try connection.execute("INSERT INTO main.\(table) SELECT * FROM base.\(table)")
        }
    }

    /// Fills the four trees of a file that SQLite has closed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roots: Where the trees begin.
    ///   - progress: Called now and then with the number of trips written.
    /// - Throws: ``MartError`` with code `damaged` where the other generation is, or of a file.
    /// - Complexity: O(*n*) in the trips.
    func write(
        to path: String,
        _ roots: TripPages.Roots,
        progress: (Int) -> Void
    ) throws(MartError) {
        let stored = revision.stored
        let order = revision.places(threads: threads)
        let rows = RevisedRows(
            revision,
            order: order,
            tables: tables,
            coding: coding,
            portionSize: portionSize ?? Portions.trips
        )
        let patients = try stored.tree(
            named: "patient",
            .table,
            columnCount: 2,
            threads: threads
        )
        let ids = try stored.tree(
            named: "trip_row_trip_id",
            .index,
            columnCount: 2,
            threads: threads
        )
        do throws(PageError) {
            let file = try BTreeFile(path: path)
            try TripPages.fillTables(
                of: file,
                roots,
                patients: patients,
                rows: rows,
                portionSize: portionSize,
                threads: threads,
                progress: progress
            )
            try file.fillIndex(
                root: roots.ids,
                ids,
                threads: threads,
                portionSize: portionSize ?? Portions.entriesOfIndex
            )
            try TripPages.finish(
                file,
                roots,
                TypeRegionCodes(revision, order: order, coding.coding),
                portionSize: portionSize,
                threads: threads
            )
        } catch {
            throw error.path == path ? MartError(error) : stored.error(error)
        }
    }
}
