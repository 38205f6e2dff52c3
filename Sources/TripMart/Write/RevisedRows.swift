import TripDomain

/// The rows of `trip_row` with new classifications; the fields are copied byte by byte.
///
///     stored  | number | fields …            | derived … | rule, counted | file, record, line |
///     new     | number | the same, or recoded | derived … | rule, counted | the same           |
struct RevisedRows: LeafSource {
    /// The number of rows that are read before they are laid into pages: they stay in the nearest
    /// cache.
    private static let blockSize = 128

    /// The source of the next values of a row.
    private enum Piece {
        /// Values of the stored row, unchanged.
        case stored(Range<Int>)
        /// A text's code in the stored row, which has another code now.
        case code(Int)
        /// One of the columns of the new classification.
        case decided(Int)
    }

    private let stored: StoredTrips
    /// Kept alive for the sources, which point into them.
    private let batches: [RevisedBatch]
    private let order: [TripPosition]
    private let pieces: [Piece]
    private let newCodes: [UInt32]
    private let sources: [TripSource]
    private let blocks: TripBlockPool
    private let leafRunSize: Int

    /// - Parameters:
    ///   - revision: The generation.
    ///   - order: The trips in stored order.
    ///   - tables: The columns of a trip.
    ///   - coding: The codes of texts.
    ///   - leafRunSize: The number of reclassified trips that are laid out at once.
    init(
        _ revision: GenerationRevision,
        order: [TripPosition],
        tables: TripTables,
        coding: RevisedCoding,
        leafRunSize: Int
    ) {
        stored = revision.stored
        batches = revision.batches
        self.order = order
        self.leafRunSize = leafRunSize
        newCodes = coding.newCodes
        let derived = tables.shape.columns.indices.filter { tables.shape.columns[$0].isDerived }
        sources =
            derived.map { Self.source(revision.batches, $0, tables.storage[$0], coding.coding) }
            + [
                .integer(revision.batches.map(\.ruleNumbers.reader)),
                .integer(revision.batches.map(\.counted.reader)),
            ]
        pieces = Self.pieces(tables, revision.stored.tables, keepsCodes: coding.keepsCodes)
        columnCount = 1 + tables.storage.count + TripTables.fixedColumns.count
        blocks = TripBlockPool(sources.count, capacity: leafRunSize)
    }

    let columnCount: Int
    var count: Int { order.count }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError) {
        let decided = blocks.take()
        defer { blocks.giveBack(decided) }
        let storedCount = 1 + stored.tables.storage.count + TripTables.fixedColumns.count
        var block = StoredRecords(rowCount: Self.blockSize, columnCount: storedCount)
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: leafRunSize) {
            let end = min(start + leafRunSize, rows.upperBound)
            decided.fill(order[start..<end], from: sources)
            var next = start
            try stored.each(start..<end) { record throws(MartError) in
                guard block.append(record) else { throw stored.damagedRow }
                if block.count == Self.blockSize {
                    try lay(&block, at: next - start, decided, firstRow: next, into: &leafRun)
                    next += Self.blockSize
                }
            }
            let rest = block.count
            try lay(&block, at: next - start, decided, firstRow: next, into: &leafRun)
            guard next + rest == end else { throw stored.damagedRow }
        }
    }

    /// Lays the rows of a block into pages.
    private func lay(
        _ block: inout StoredRecords,
        at start: Int,
        _ decided: TripBlock,
        firstRow: Int,
        into leafRun: inout LeafRun
    ) throws(MartError) {
        var isFit = true
        for row in 0..<block.count {
            // The trip's number is the row's own.
            leafRun.record.appendNull()
            for piece in pieces {
                switch piece {
                case .stored(let columns): block.append(columns, of: row, to: &leafRun)
                case .decided(let column): decided.append(column, start + row, to: &leafRun)
                case .code(let column):
                    let code = block.code(column, row, &isFit)
                    guard isFit, newCodes.indices.contains(code) else { throw stored.damagedRow }
                    code == 0
                        ? leafRun.record.appendNull()
                        : leafRun.record.append(integer: Int64(newCodes[code]))
                }
            }
            leafRun.endRow(rowid: Int64(firstRow + row + 1))
        }
        block.removeAll()
    }

    /// The sources of the values of a row after its number.
    private static func pieces(
        _ tables: TripTables,
        _ stored: TripTables,
        keepsCodes: Bool
    ) -> [Piece] {
        var pieces: [Piece] = []
        var decidedCount = 0
        func take(_ column: Int) {
            if case .stored(let columns)? = pieces.last, columns.upperBound == column {
                pieces[pieces.count - 1] = .stored(columns.lowerBound..<column + 1)
            } else {
                pieces.append(.stored(column..<column + 1))
            }
        }
        for index in tables.storage.indices {
            if tables.shape.columns[index].isDerived {
                pieces.append(.decided(decidedCount))
                decidedCount += 1
            } else if tables.storage[index] == .codedText, !keepsCodes {
                pieces.append(.code(index + 1))
            } else {
                take(index + 1)
            }
        }
        pieces += [.decided(decidedCount), .decided(decidedCount + 1)]
        // The first two fixed columns are the deciding rule and whether the trip counts.
        let fixed = stored.storage.count + 1
        for index in 2..<TripTables.fixedColumns.count { take(fixed + index) }
        return pieces
    }

    private static func source(
        _ batches: [RevisedBatch],
        _ index: Int,
        _ storage: TripStorage,
        _ coding: TextCoding
    ) -> TripSource {
        let columns = batches.map { $0.column(index) }
        switch storage {
        case .codedText:
            return .coded(columns.map(\.texts.codes.reader), coding.codes[index, default: []])
        case .inlineText: return .text(columns.map(\.texts.reader))
        case .integer, .days, .seconds: return .integer(columns.map(\.integers.reader))
        case .real: return .real(columns.map(\.reals))
        case .offset, .patient:
            preconditionFailure("no expression returns a time stamp or a patient")
        }
    }
}

/// The codes of a generation that keeps the fields of a base generation and classifies again.
struct RevisedCoding {
    /// The codes of the derived columns, the trip types and the regions.
    let coding: TextCoding
    /// For each code of the base generation, its code here; 0 where no field uses it.
    let newCodes: [UInt32]
    /// Whether each value that a field uses keeps its code.
    let keepsCodes: Bool

    /// - Complexity: O(*n*) in the trips for each derived column, and *m* log *m* in the values.
    init(_ revision: GenerationRevision, limit: Int, threads: Int) {
        let shape = revision.shape
        let sources = RevisedBatch.textColumns(of: shape).map { index in
            TextCoding.Source(shape, index, revision.batches.map { $0.column(index).texts })
        }
        let old = revision.stored.texts
        var isUsed = [Bool](repeating: false, count: old.count)
        for batch in revision.batches {
            for code in batch.usedCodes { isUsed[Int(code)] = true }
        }
        let used = isUsed.indices.filter { isUsed[$0] }
        let coding = TextCoding(
            sources,
            accepted: revision.batches.map { [Bool](repeating: true, count: $0.count) },
            kept: used.map { old.slice(UInt32($0)) },
            limit: limit,
            threads: threads
        )
        var newCodes = [UInt32](repeating: 0, count: old.count)
        for code in used { newCodes[code] = coding.code(of: old.slice(UInt32(code))) }
        keepsCodes = used.allSatisfy { newCodes[$0] == $0 }
        self.coding = coding
        self.newCodes = newCodes
    }
}

extension TextCoding {
    /// The code of one of the values.
    ///
    /// - Precondition: The values contain it.
    fileprivate func code(of value: ArraySlice<UInt8>) -> UInt32 {
        let index = values.partitioningIndex { !$0.lexicographicallyPrecedes(value) }
        precondition(
            index < values.count && values[index] == value,
            "values that are kept have a code"
        )
        return UInt32(index + 1)
    }
}
