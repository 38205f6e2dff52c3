import TripDomain

/// The rows of a batch while they are read, column by column.
///
///     block   | record | record | …    copied from their pages, so that they stay while others are read
///     places  | types and starts of each record's values |
///
/// A block is taken apart column by column: one column's values mostly have one type, which the
/// processor guesses, and those of a row do not. Used by one thread.
struct StoredRows: ~Copyable {
    private static let firstCapacity = 32_768
    /// Rows of a block: their places and bytes stay in the nearest cache.
    private static let blockSize = 128

    private let plan: StoredColumns
    private let columns: UnsafeMutableBufferPointer<StoredColumn>
    /// Texts that are kept in the rows themselves, by column.
    private var pools: [TextPool]
    private var block: RecordBlock
    private var count = 0
    private var capacity = firstCapacity
    private var firstNumber: Int64 = 0

    init(_ plan: StoredColumns) {
        self.plan = plan
        pools = plan.entries.map { _ in TextPool() }
        block = RecordBlock(rowCount: Self.blockSize, columnCount: plan.count)
        columns = .allocate(capacity: plan.entries.count)
        for (place, entry) in plan.entries.enumerated() {
            let column = StoredColumn(entry, codeCount: plan.texts.count, capacity: capacity)
            columns.initializeElement(at: place, to: column)
        }
    }

    deinit {
        for column in columns { column.deallocate() }
        columns.deallocate()
    }

    /// Appends a row; false where it, or one shortly before it, is not one that a run writes.
    @inline(__always)
    mutating func append(_ number: Int64, _ record: UnsafeRawBufferPointer) -> Bool {
        let row = count &+ block.count
        if row == 0 { firstNumber = number }
        guard number == firstNumber &+ Int64(row), block.append(record) else { return false }
        return block.count < Self.blockSize || takeBlock()
    }

    private mutating func takeBlock() -> Bool {
        if count + block.count > capacity {
            for place in columns.indices { columns[place].grow(count, to: 2 * capacity) }
            capacity *= 2
        }
        for place in columns.indices {
            guard columns[place].take(block, at: count) else { return false }
            if columns[place].isInline { takeTexts(place) }
        }
        count += block.count
        block.removeAll()
        return true
    }

    private mutating func takeTexts(_ place: Int) {
        for row in 0..<block.count {
            guard let text = block.text(plan.entries[place].place, row) else { continue }
            // Bytes of a record, read as such.
            let code = pools[place].append(text.assumingMemoryBound(to: UInt8.self))
            columns[place].set(count + row, code: code)
        }
    }

    /// Whether no column holds what would be no day, or would leave 64 bits when it is added up.
    private var isPlausible: Bool {
        plan.entries.indices.allSatisfy { place in
            switch plan.entries[place].kind {
            case .timestamp: columns[place].words(count).allSatisfy { Plausible.isTime($0) }
            case .date:
                columns[place].words(count).allSatisfy {
                    $0.magnitude < 1 << 32 && Plausible.isTime($0 * CivilTime.daySeconds)
                }
            case .money, .miles: columns[place].words(count).allSatisfy { Plausible.isAmount($0) }
            default: true
            }
        }
    }

    /// The rows as a batch; nil where one of them is not one that a run writes.
    consuming func batch() -> StoredTrips.Batch? {
        guard takeBlock() else { return nil }
        let decision = plan.decision.map { columns[$0].integers(count) }
        let isDecided = decision[0].values.allSatisfy { 0...Int64(plan.ruleCount) ~= $0 }
        guard isDecided, isPlausible, decision.allSatisfy(\.nulls.isEmpty) else { return nil }
        var all = [Column](
            repeating: .integer(IntegerColumn(values: [])),
            count: plan.shape.columns.count
        )
        for (place, entry) in plan.entries.enumerated() {
            guard let index = entry.index else { continue }
            all[index] = columns[place].column(count, texts: plan.texts, inline: pools[place])
        }
        // Where trips came from changes no decision.
        let nowhere = [UInt32](repeating: 0, count: count)
        let origin = plan.origin.map { columns[$0].integers(count) }
        let isOrigin = origin.allSatisfy { column in
            column.nulls.isEmpty && column.values.allSatisfy { 1...Int64(UInt32.max) ~= $0 }
        }
        guard isOrigin else { return nil }
        let places = origin.map { $0.values.map { UInt32(truncatingIfNeeded: $0) } }
        var trips = TripBatch(
            fileIndex: 0,
            columns: all,
            recordNumbers: places.last ?? nowhere,
            lineNumbers: nowhere
        )
        trips.ruleNumbers = decision[0].values.map { UInt16(truncatingIfNeeded: $0) }
        trips.counted = decision[1].values.map { $0 != 0 }
        return StoredTrips.Batch(
            firstNumber: firstNumber,
            trips: trips,
            fileNumbers: places.first ?? [],
            usedCodes: plan.fieldEntries.flatMap { columns[$0].seenCodes }
        )
    }
}
