import TripDomain

/// The rows of `trip_row` in stored order, encoded for pages.
struct TripRows: LeafSource {
    let contents: GenerationContents
    private let sources: [TripSource]
    private let blockSize: Int
    private let blocks: TripBlockPool

    init(
        _ contents: GenerationContents,
        tables: TripTables,
        coding: TextCoding,
        patients: PatientTable,
        blockSize: Int
    ) {
        self.blockSize = blockSize
        self.contents = contents
        sources = TripSource.all(contents, tables: tables, coding: coding, patients: patients)
        blocks = TripBlockPool(sources.count, capacity: blockSize)
    }

    var count: Int { contents.acceptedOrder.count }

    /// The trip's number, and the stored columns after it.
    var columnCount: Int { 1 + sources.count }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) {
        let block = blocks.take()
        defer { blocks.giveBack(block) }
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: blockSize) {
            let end = min(start + blockSize, rows.upperBound)
            block.fill(contents.acceptedOrder[start..<end], from: sources)
            for row in 0..<block.count {
                // The trip's number is the row's own.
                leafRun.record.appendNull()
                for column in 0..<sources.count { block.append(column, row, to: &leafRun) }
                leafRun.endRow(rowid: Int64(start + row + 1))
            }
        }
    }
}

/// The trip ids by row.
struct TripIDs: TextSource {
    private let order: [TripPosition]
    private let ids: [PackedTexts.Reader]
    /// Kept alive for the readers, which point into them.
    private let batches: [PackedBatch]

    init(_ contents: GenerationContents) {
        order = contents.acceptedOrder
        batches = contents.batches
        ids = batches.map { $0.columns[contents.shape.tripIDIndex].texts.reader }
    }

    var count: Int { order.count }

    @inline(__always)
    func text(_ row: Int) -> UnsafeRawBufferPointer? {
        let position = order[row]
        return ids[Int(position.batch)][Int(position.row)]
    }
}

/// The entries of `trip_row_trip_id`.
struct TripIDEntries: LeafSource {
    /// The number of ids that are fetched at a time: they lie far apart, and the processor waits
    /// for many at once.
    private static let fetchCount = 64

    private let ids: TripIDs
    /// The rows in order of their ids.
    private let rows: [UInt32]

    init(_ ids: TripIDs, rows: [UInt32]) {
        self.ids = ids
        self.rows = rows
    }

    var count: Int { rows.count }
    var columnCount: Int { 2 }

    func encode(_ range: Range<Int>, into leafRun: inout LeafRun) {
        var texts: [UnsafeRawBufferPointer] = []
        texts.reserveCapacity(Self.fetchCount)
        var touched: UInt8 = 0
        for first in stride(from: range.lowerBound, to: range.upperBound, by: Self.fetchCount) {
            let end = min(first + Self.fetchCount, range.upperBound)
            texts.removeAll(keepingCapacity: true)
            for index in first..<end {
                guard let text = ids.text(Int(rows[index])) else { continue }
                touched ^= text.first ?? 0
                texts.append(text)
            }
            for (index, text) in zip(first..<end, texts) {
                leafRun.record.append(text: text)
                leafRun.record.append(integer: Int64(rows[index]) + 1)
                leafRun.endEntry()
            }
        }
        withExtendedLifetime(touched) {}
    }
}
