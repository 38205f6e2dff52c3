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

    /// Fills the trees of the trips in a file that SQLite has closed.
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
            throw error.position?.file == path ? error : stored.error(error)
        }
    }
}

/// A tree of a finished file that is copied into another file.
struct StoredTree: LeafSource {
    /// The number of records that are read before they are laid into pages.
    private static let blockSize = 128

    private let tree: TreeReader
    private let outline: TreeReader.Outline
    private let kind: TreeKind
    /// For each leaf, the number of entries before it; at the end, that of the whole tree.
    private let starts: [Int]
    let columnCount: Int

    /// Counts the entries of the leaves.
    ///
    /// - Parameters:
    ///   - tree: The file.
    ///   - root: The root page.
    ///   - kind: The kind of the tree.
    ///   - columnCount: The values of each row or entry.
    ///   - threads: The number of threads that count.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: O(*p*) in the pages.
    init(
        _ tree: TreeReader,
        root: Int,
        _ kind: TreeKind,
        columnCount: Int,
        threads: Int
    ) throws(MartError) {
        self.tree = tree
        self.kind = kind
        self.columnCount = columnCount
        outline = try tree.outline(root: root, kind)
        var starts = [0]
        starts.reserveCapacity(outline.leaves.count + 1)
        for count in try tree.counts(outline, kind, threads: threads) {
            starts.append(starts[starts.count - 1] + count)
        }
        self.starts = starts
    }

    var count: Int { starts[starts.count - 1] }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError) {
        // The last leaf whose first row is at or before the range's first row.
        let first = starts.partitioningIndex { $0 > rows.lowerBound } - 1
        let last = starts.partitioningIndex { $0 >= rows.upperBound }
        var block = StoredRecords(rowCount: Self.blockSize, columnCount: columnCount)
        var rowids: [Int64] = []
        var index = starts[first]
        try tree.each(outline, leaves: first..<last, kind) { rowid, record throws(MartError) in
            defer { index += 1 }
            guard rows.contains(index) else { return }
            guard block.append(record) else { throw MartError.damagedRow(tree.path) }
            rowids.append(rowid)
            if block.count == Self.blockSize { lay(&block, &rowids, into: &leafRun) }
        }
        lay(&block, &rowids, into: &leafRun)
    }

    private func lay(
        _ block: inout StoredRecords,
        _ rowids: inout [Int64],
        into leafRun: inout LeafRun
    ) {
        for row in 0..<block.count {
            block.append(0..<columnCount, of: row, to: &leafRun)
            switch kind {
            case .table: leafRun.endRow(rowid: rowids[row])
            case .index: leafRun.endEntry()
            }
        }
        block.removeAll()
        rowids.removeAll(keepingCapacity: true)
    }
}
