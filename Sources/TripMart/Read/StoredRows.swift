import TripDomain

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
