public import TripDomain

/// The trips of a generation, read back batch by batch.
///
/// The effects of an analyst's edit are computed from the stored trips, without their exports.
/// Pages are read directly; several threads may read batches at the same time.
///
///     leaves of trip_row | 1 … 256 | 257 … 512 | …      a batch is the trips of so many leaves,
///                                                        in stored order: rows of similar times
public struct StoredTrips: Sendable {
    /// Some of the trips, in stored order.
    public struct Batch: Sendable {
        /// The number of the first trip; the others follow without a gap.
        public let firstNumber: Int64
        /// The trips; only the requested columns of the shape have rows.
        ///
        /// Rules and count flags are as stored. Lines are not read, and records only where origins
        /// are.
        public let trips: TripBatch
        /// The number of each trip's file; empty where origins are not read.
        public let fileNumbers: [UInt32]
        /// The codes of texts in the fields that were read, some of them more than once.
        let usedCodes: [UInt32]
    }

    /// About twenty thousand trips: enough that look-ups once per batch cost little, and few enough
    /// that their columns reuse freed memory instead of new memory from the system.
    public static let usualLeavesOfBatch = 256

    private let tree: TreeReader
    private let outline: TreeReader.Outline
    private let plan: StoredColumns
    private let leafCount: Int
    private let damaged: MartError
    private let mart: ServedMart
    var tables: TripTables { mart.tables }
    var path: String { mart.file.path }
    /// The values of coded texts, by code.
    var texts: TextPool { plan.texts }

    /// Prepares to read the trips of a generation.
    ///
    /// - Parameters:
    ///   - mart: The generation.
    ///   - columns: The columns to read, by their index in its shape.
    ///   - readsOrigins: Whether to read file and record of each trip.
    ///   - leavesOfBatch: The number of leaf pages of a batch; fewer in tests.
    /// - Throws: ``MartError`` of the file.
    public init(
        _ mart: ServedMart,
        columns: Set<Int>,
        readsOrigins: Bool = false,
        leavesOfBatch: Int = Self.usualLeavesOfBatch
    ) throws(MartError) {
        leafCount = leavesOfBatch
        damaged = mart.damaged
        self.mart = mart
        let path = mart.file.path
        let root = try Self.root("trip_row", mart)
        let texts = try mart.file.rows("SELECT value FROM text_value ORDER BY code") {
            try $0[0] as String
        }
        plan = StoredColumns(
            mart.tables,
            wanted: columns,
            texts: TextPool(texts),
            ruleCount: try mart.rules().count,
            readsOrigins: readsOrigins
        )
        do throws(MartError) {
            tree = try TreeReader(path: path)
            outline = try tree.outline(root: root, .table)
        } catch {
            throw error.code == .damaged ? mart.damaged : error
        }
    }

    /// The number of batches.
    public var batchCount: Int { (outline.leaves.count + leafCount - 1) / leafCount }

    /// Reads one batch.
    ///
    /// - Parameter index: The index of the batch, from 0.
    /// - Returns: Its trips.
    /// - Throws: ``MartError`` with code `damaged` where a run cannot have written a row; or an
    ///   error of the file.
    /// - Complexity: O(*n*) in the values of the trips.
    public func batch(_ index: Int) throws(MartError) -> Batch {
        var rows = StoredRows(plan)
        do throws(MartError) {
            try tree.each(outline, leaves: leaves(of: index), .table) {
                number,
                record throws(MartError) in
                guard rows.append(number, record) else {
                    throw damagedRow
                }
            }
        } catch {
            throw self.error(error)
        }
        guard let batch = rows.batch() else { throw damaged }
        return batch
    }

    private func leaves(of index: Int) -> Range<Int> {
        index * leafCount..<min((index + 1) * leafCount, outline.leaves.count)
    }

    // MARK: Copying

    /// Calls a function for the stored records of some rows.
    func each(
        _ rows: Range<Int>,
        _ body: (UnsafeRawBufferPointer) throws(MartError) -> Void
    ) throws(MartError) {
        let numbers = Int64(rows.lowerBound + 1)...Int64(rows.upperBound)
        let leaves = tree.leaves(of: numbers, in: outline)
        try tree.each(outline, leaves: leaves, .table) { number, record throws(MartError) in
            if numbers.contains(number) { try body(record) }
        }
    }

    /// A whole tree of the file.
    func tree(
        named name: String,
        _ kind: TreeKind,
        columnCount: Int,
        threads: Int
    ) throws(MartError) -> StoredTree {
        let root = try Self.root(name, mart)
        do throws(MartError) {
            return try StoredTree(
                tree,
                root: root,
                kind,
                columnCount: columnCount,
                threads: threads
            )
        } catch {
            throw self.error(error)
        }
    }

    /// The root page of a table or an index.
    static func root(_ name: String, _ mart: ServedMart) throws(MartError) -> Int {
        let roots = try mart.file.rows(
            "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"
        ) { try $0[0] as Int }
        guard let root = roots.first else { throw mart.damaged }
        return root
    }

    /// The months that have trips, in order of time.
    func months() throws(MartError) -> [MonthRange] {
        try mart.file.rows("SELECT * FROM month_range ORDER BY month") { [damaged] row in
            guard let month = Month(text: try row["month"]) else { throw damaged }
            return try MonthRange(
                month: month,
                firstTrip: row["first_trip"],
                lastTrip: row["last_trip"]
            )
        }
    }

    /// The error of the mart for an error from reading pages.
    func error(_ error: MartError) -> MartError {
        error.code == .damaged ? damaged : error
    }

    var damagedRow: MartError { MartError.damagedRow(tree.path) }
}
