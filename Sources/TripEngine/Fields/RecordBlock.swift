import TripDomain

/// A buffer of well-formed records of one slice, to be converted column by column.
///
///     slices   | r0 c0 | r1 c0 | … | r0 c1 | …     the range of each cell, counted from
///     bases    | r0 | r1 | …                       the window, or the copy of a decoded record
///
/// Converting one column of many records keeps the tables of that column (its known cells, its
/// pattern) in the processor's cache and its branches predictable. Converting record by record
/// would use the tables of all columns for every record. The block is small enough to stay in the
/// processor's cache.
///
/// BE ADVISED: the block points into the window, which is valid until the sink's `finish()` has
/// returned; `finish()` empties the block.
final class RecordBlock {
    /// 1,024 records of 15 cells are 120 KB; 128, 256 and 512 took 3 to 9 % longer, 2026-11.
    static let maxCapacity = 1024
    /// The gap between the slices of two columns, so that they do not compete for the same cache
    /// lines.
    private static let gap = 8
    /// 256 KB of slices of cells.
    private static let cellBudget = 1 << 15
    private static let chunkSize = 1 << 16

    let fieldCount: Int
    /// The greatest number of records: fewer where records have many cells.
    let capacity: Int
    private(set) var count = 0
    private let slices: UnsafeMutablePointer<FieldSlice>
    /// The distance from one column's slices to the next column's.
    private let columnStride: Int
    private let bases: UnsafeMutablePointer<UnsafePointer<UInt8>>
    private let raws: UnsafeMutablePointer<UnsafePointer<UInt8>?>
    private let positions: UnsafeMutablePointer<RecordPosition>
    /// Copies of decoded records.
    private var chunks: [UnsafeMutablePointer<UInt8>] = []
    /// The free part of the last chunk.
    private var free: UnsafeMutablePointer<UInt8>?
    private var freeSize = 0
    private var firstChunkSize = 0
    /// The cells of the current field, where they are joined from several columns.
    private let joinedSlices: UnsafeMutablePointer<FieldSlice>
    private let joinedBases: UnsafeMutablePointer<UnsafePointer<UInt8>>

    init(fieldCount: Int) {
        self.fieldCount = fieldCount
        capacity = max(16, min(Self.maxCapacity, Self.cellBudget / max(1, fieldCount)))
        columnStride = capacity + Self.gap
        slices = .allocate(capacity: fieldCount * columnStride)
        bases = .allocate(capacity: capacity)
        raws = .allocate(capacity: capacity)
        positions = .allocate(capacity: capacity)
        joinedSlices = .allocate(capacity: capacity)
        joinedBases = .allocate(capacity: capacity)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
        slices.deallocate()
        bases.deallocate()
        raws.deallocate()
        positions.deallocate()
        joinedSlices.deallocate()
        joinedBases.deallocate()
    }

    var isFull: Bool { count == capacity }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - cells: Its cells, without escapes, in UTF-8; valid until the block is cleared, with
    ///     ``CellMemo/paddingSize`` bytes after the last.
    ///   - position: The position of the record.
    @inline(__always)
    func add(_ cells: CellRow, at position: RecordPosition) {
        var target = slices + count
        for index in 0..<fieldCount {
            target.initialize(to: cells.slices[index])
            target += columnStride
        }
        bases[count] = cells.base
        raws[count] = cells.raw.baseAddress
        positions[count] = position
        count += 1
    }

    /// The same cells in a copy of their text that is valid until the block is cleared.
    func copy(of cells: CellRow, textSize: Int) -> CellRow {
        let text = textBuffer(for: textSize)
        text.update(from: cells.base, count: textSize)
        return CellRow(base: UnsafePointer(text), slices: cells.slices, raw: cells.raw)
    }

    /// Memory for a text and its padding; valid until the block is cleared.
    private func textBuffer(for size: Int) -> UnsafeMutablePointer<UInt8> {
        let needed = size + CellMemo.paddingSize
        if let buffer = free, needed <= freeSize {
            free = buffer + needed
            freeSize -= needed
            return buffer
        }
        let chunkSize = max(needed, Self.chunkSize)
        let chunk = UnsafeMutablePointer<UInt8>.allocate(capacity: chunkSize)
        chunk.initialize(repeating: 0, count: chunkSize)
        if chunks.isEmpty { firstChunkSize = chunkSize }
        chunks.append(chunk)
        free = chunk + needed
        freeSize = chunkSize - needed
        return chunk
    }

    /// Removes all records.
    func clear() {
        count = 0
        // The first chunk is kept, because the block may be cleared often: many lines that are no
        // records empty it early.
        while chunks.count > 1 { chunks.removeLast().deallocate() }
        free = chunks.first
        freeSize = chunks.isEmpty ? 0 : firstChunkSize
    }

    // MARK: - Records

    @inline(__always)
    func position(_ row: Int) -> RecordPosition { positions[row] }

    /// A record as delivered, without its line end.
    func raw(_ row: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: raws[row], count: positions[row].byteSize)
    }

    /// The cells of one column of the file.
    func cells(_ column: Int) -> BlockCells {
        BlockCells(
            bases: UnsafePointer(bases),
            slices: UnsafePointer(slices + column * columnStride),
            count: count
        )
    }
}

/// Which parts of a text that is joined from several columns must not be blank; where one lacks,
/// the whole counts as blank.
enum NeededParts: Sendable {
    /// Each: an id without one of its parts could be that of another trip.
    case all
    /// At least one.
    case some
    /// None of them.
    case none

    init(_ definition: FieldDefinition) {
        let isTripID = definition.name == "trip_id" && definition.columns.count > 1
        self = definition.allowsBlankParts ? .some : isTripID ? .all : .none
    }

    /// Whether too many parts are blank.
    @inline(__always)
    func isLacking(_ blankCount: Int, of count: Int) -> Bool {
        switch self {
        case .all: blankCount > 0
        case .some: blankCount == count
        case .none: false
        }
    }
}

extension RecordBlock {
    /// The cells of a field that is read from the first of several columns that can be read.
    ///
    /// - Returns: The cells; valid until the next call for a field of several columns.
    func firstReadableCells(_ columns: [Int], _ choice: FirstReadable) -> BlockCells {
        for row in 0..<count {
            let place = choice.place(among: columns.count) { cells(columns[$0])[row] }
            joinedBases[row] = UnsafePointer(bases[row])
            joinedSlices[row] = slices[columns[place] * columnStride + row]
        }
        return BlockCells(
            bases: UnsafePointer(joinedBases),
            slices: UnsafePointer(joinedSlices),
            count: count
        )
    }

    /// The cells of a field that is joined from several columns, or of a constant.
    ///
    /// - Parameters:
    ///   - columns: The columns of the file; empty for a constant.
    ///   - joiner: The text between theirs; for a constant, the constant itself.
    ///   - identifier: Joins parts that would give the text of others; nil where that is no fault.
    ///   - isTripID: Whether they are a trip's id, which has no number that a spreadsheet
    ///     shortened.
    ///   - needed: Which of the parts must not be blank.
    /// - Returns: The cells; valid until the next call.
    func joinedCells(
        _ columns: [Int],
        joiner: [UInt8],
        identifier: IdentifierParts?,
        isTripID: Bool,
        needed: NeededParts
    ) -> BlockCells {
        joiner.withUnsafeBufferPointer { joiner in
            for row in 0..<count {
                joinCells(columns, joiner: joiner, needed, row: row)
                guard let identifier, joinedSlices[row].end > 0 else { continue }
                escapeCells(columns, identifier, isTripID: isTripID, row: row)
            }
        }
        return BlockCells(
            bases: UnsafePointer(joinedBases),
            slices: UnsafePointer(joinedSlices),
            count: count
        )
    }

    /// Joins the cells of one record; allocates nothing, as it is done for every record.
    private func joinCells(
        _ columns: [Int],
        joiner: UnsafeBufferPointer<UInt8>,
        _ needed: NeededParts,
        row: Int
    ) {
        var size = joiner.count * (columns.isEmpty ? 1 : columns.count - 1)
        var blankCount = 0
        for column in columns {
            let cell = cells(column)[row]
            size += cell.count
            if needed != .none, trimmed(cell).isEmpty { blankCount += 1 }
        }
        if needed.isLacking(blankCount, of: columns.count) { size = 0 }
        let target = textBuffer(for: size)
        var end = target
        if columns.isEmpty { end = Self.append(joiner, at: end) }
        if size > 0 {
            for (index, column) in columns.enumerated() {
                if index > 0 { end = Self.append(joiner, at: end) }
                end = Self.append(cells(column)[row], at: end)
            }
        }
        joinedBases[row] = UnsafePointer(target)
        joinedSlices[row] = FieldSlice(start: 0, end: size, isQuoted: false, hasEscapes: false)
    }

    /// Joins the cells of one record once more where the plain text could be that of others.
    private func escapeCells(
        _ columns: [Int],
        _ identifier: IdentifierParts,
        isTripID: Bool,
        row: Int
    ) {
        var isPlain = true
        for (index, column) in columns.enumerated() {
            let cell = cells(column)[row]
            isPlain = isPlain && identifier.isPlain(cell, isFirst: index == 0)
            guard isTripID, SpreadsheetText.isOne(trimmed(cell)) else { continue }
            // The number alone, so that the id is set aside for it.
            return set(Array(trimmed(cell)), row: row)
        }
        guard !isPlain else { return }
        set(identifier.joined(columns.map { Array(cells($0)[row]) }), row: row)
    }

    private func set(_ text: [UInt8], row: Int) {
        let target = textBuffer(for: text.count)
        _ = text.withUnsafeBufferPointer { Self.append($0, at: target) }
        joinedBases[row] = UnsafePointer(target)
        joinedSlices[row] = FieldSlice(
            start: 0,
            end: text.count,
            isQuoted: false,
            hasEscapes: false
        )
    }

    @inline(__always)
    private static func append(
        _ text: UnsafeBufferPointer<UInt8>,
        at target: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        if let source = text.baseAddress { target.update(from: source, count: text.count) }
        return target + text.count
    }
}

/// The cells of one field in the records of a block.
struct BlockCells {
    fileprivate let bases: UnsafePointer<UnsafePointer<UInt8>>
    fileprivate let slices: UnsafePointer<FieldSlice>
    let count: Int

    @inline(__always)
    subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
        slices[row].bytes(of: bases[row])
    }
}
