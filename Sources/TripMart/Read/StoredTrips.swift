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
        try mart.requireTrips()
        damaged = mart.damaged
        self.mart = mart
        let path = mart.file.path
        // The pages are read past the connection, most of them.
        try mart.file.requireWhole()
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

/// The rows of a batch while they are read, column by column.
///
///     block   | record | record | …    copied from their pages, which other reads overwrite
///     values  | types and starts of each record's values |
///
/// A block is decoded column by column: the values of one column mostly have one type, which the
/// processor predicts, and those of a row do not. Used by one thread.
struct StoredRows: ~Copyable {
    private static let firstCapacity = 32_768
    /// The number of rows of a block: their positions and bytes stay in the nearest cache.
    private static let blockSize = 128

    private let plan: StoredColumns
    private let columns: UnsafeMutableBufferPointer<StoredColumn>
    /// Texts that are stored in the rows themselves, by column.
    private var pools: [TextPool]
    private var block: StoredRecords
    private var count = 0
    private var capacity = firstCapacity
    private var firstNumber: Int64 = 0

    init(_ plan: StoredColumns) {
        self.plan = plan
        pools = plan.entries.map { _ in TextPool() }
        block = StoredRecords(rowCount: Self.blockSize, columnCount: plan.count)
        columns = .allocate(capacity: plan.entries.count)
        for (index, entry) in plan.entries.enumerated() {
            let column = StoredColumn(entry, codeCount: plan.texts.count, capacity: capacity)
            columns.initializeElement(at: index, to: column)
        }
    }

    deinit {
        for column in columns { column.deallocate() }
        columns.deallocate()
    }

    /// Appends a row; false where a run cannot have written it, or one shortly before it.
    @inline(__always)
    mutating func append(_ number: Int64, _ record: UnsafeRawBufferPointer) -> Bool {
        let row = count &+ block.count
        if row == 0 { firstNumber = number }
        guard number == firstNumber &+ Int64(row), block.append(record) else { return false }
        return block.count < Self.blockSize || takeBlock()
    }

    private mutating func takeBlock() -> Bool {
        if count + block.count > capacity {
            for index in columns.indices { columns[index].grow(count, to: 2 * capacity) }
            capacity *= 2
        }
        for index in columns.indices {
            guard columns[index].take(block, at: count) else { return false }
            if columns[index].isInline { takeTexts(index) }
        }
        count += block.count
        block.removeAll()
        return true
    }

    private mutating func takeTexts(_ index: Int) {
        for row in 0..<block.count {
            guard let text = block.text(plan.entries[index].position, row) else { continue }
            // The bytes of a record are read as bytes.
            let code = pools[index].append(text.assumingMemoryBound(to: UInt8.self))
            columns[index].set(count + row, code: code)
        }
    }

    /// Whether every time is a possible day, and every amount can be added up in 64 bits.
    private var isPlausible: Bool {
        plan.entries.indices.allSatisfy { index in
            switch plan.entries[index].kind {
            case .timestamp: columns[index].words(count).allSatisfy { ValueLimits.isTime($0) }
            case .date:
                columns[index].words(count).allSatisfy {
                    $0.magnitude < 1 << 32 && ValueLimits.isTime($0 * CivilTime.daySeconds)
                }
            case .money, .miles: columns[index].words(count).allSatisfy { ValueLimits.isAmount($0) }
            default: true
            }
        }
    }

    /// The rows as a batch; nil where a run cannot have written one of them.
    consuming func batch() -> StoredTrips.Batch? {
        guard takeBlock() else { return nil }
        let decision = plan.decision.map { columns[$0].integers(count) }
        let isDecided = decision[0].values.allSatisfy { 0...Int64(plan.ruleCount) ~= $0 }
        guard isDecided, isPlausible, decision.allSatisfy(\.nulls.isEmpty) else { return nil }
        var all = [Column](
            repeating: .integer(IntegerColumn(values: [])),
            count: plan.shape.columns.count
        )
        for (position, entry) in plan.entries.enumerated() {
            guard let index = entry.index else { continue }
            let column = columns[position]
            all[index] = column.column(count, texts: plan.texts, inline: pools[position])
        }
        // The origin of trips changes no classification.
        let nowhere = [UInt32](repeating: 0, count: count)
        let origin = plan.origin.map { columns[$0].integers(count) }
        let isOrigin = origin.allSatisfy { column in
            column.nulls.isEmpty && column.values.allSatisfy { 1...Int64(UInt32.max) ~= $0 }
        }
        guard isOrigin else { return nil }
        let numbers = origin.map { $0.values.map { UInt32(truncatingIfNeeded: $0) } }
        var trips = TripBatch(
            fileIndex: 0,
            columns: all,
            recordNumbers: numbers.last ?? nowhere,
            lineNumbers: nowhere
        )
        trips.ruleNumbers = decision[0].values.map { UInt16(truncatingIfNeeded: $0) }
        trips.counted = decision[1].values.map { $0 != 0 }
        return StoredTrips.Batch(
            firstNumber: firstNumber,
            trips: trips,
            fileNumbers: numbers.first ?? [],
            usedCodes: plan.fieldEntries.flatMap { columns[$0].seenCodes }
        )
    }
}
