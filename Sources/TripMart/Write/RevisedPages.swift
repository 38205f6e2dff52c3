import TripDomain

/// Writes the trips of a base generation with new classifications, and copies the trees that stay.
///
///     patient, trip_row_trip_id    copied: the same rows and entries
///     trip_row                     ``RevisedRows``
///     trip_row_type_region         sorted by the two codes
struct RevisedPages {
    private let revision: GenerationRevision
    private let tables: TripTables
    private let coding: RevisedCoding
    private let leafRunSize: Int?
    private let threads: Int

    /// - Parameters:
    ///   - revision: The generation.
    ///   - tables: The columns of a trip.
    ///   - coding: The codes of texts.
    ///   - leafRunSize: Rows and entries in a leaf run of each tree; nil for the measured sizes.
    ///   - threads: The number of threads.
    init(
        _ revision: GenerationRevision,
        tables: TripTables,
        coding: RevisedCoding,
        leafRunSize: Int?,
        threads: Int
    ) {
        self.revision = revision
        self.tables = tables
        self.coding = coding
        self.leafRunSize = leafRunSize
        self.threads = threads
    }

    /// Copies the rejects and the versions that were not accepted, while SQLite has the file open.
    ///
    /// - Parameter connection: The new file, with the base generation attached as `base`.
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
    ///   - roots: The root pages of the trees.
    ///   - progress: Called now and then with the number of trips written.
    /// - Throws: ``MartError`` with code `damaged` where the base generation is damaged, or an
    ///   error of a file.
    /// - Complexity: O(*n*) in the trips.
    func write(
        to path: String,
        _ roots: TripPages.Roots,
        progress: (Int) -> Void
    ) throws(MartError) {
        let stored = revision.stored
        let order = revision.positions(threads: threads)
        let rows = RevisedRows(
            revision,
            order: order,
            tables: tables,
            coding: coding,
            leafRunSize: leafRunSize ?? LeafRuns.trips
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
        do throws(MartError) {
            let file = try BTreeFile(path: path)
            try file.fill(
                .table,
                root: roots.patients,
                patients,
                threads: threads,
                leafRunSize: leafRunSize
            )
            try file.fill(
                .table,
                root: roots.rows,
                rows,
                threads: threads,
                leafRunSize: leafRunSize ?? LeafRuns.trips,
                progress: progress
            )
            try file.fill(
                .index,
                root: roots.ids,
                ids,
                threads: threads,
                leafRunSize: leafRunSize
            )
            try TripPages.finish(
                file,
                roots,
                TypeRegionCodes(revision, order: order, coding.coding),
                leafRunSize: leafRunSize,
                threads: threads
            )
        } catch {
            throw error.place?.file == path ? error : stored.error(error)
        }
    }
}
