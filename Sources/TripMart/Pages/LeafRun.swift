/// The leaves of one leaf run, with the overflow pages of their cells.
///
/// A source appends the values of a row to the record and ends it; the leaf run writes the cell
/// into the open leaf, from the page's end downwards, and opens the next leaf when it is full. No
/// leaf is rebalanced later, so that all are full except the last of each leaf run. Pages refer to
/// each other by their index in the leaf run until its position in the file is known.
///
///     leaf   | mark, counts | offsets of cells → |   zeros   | ← cells |
///
/// In an index each entry is stored once: where a leaf is full, the entry that does not fit becomes
/// the divider above, and the next leaf begins after it.
struct LeafRun: ~Copyable {
    let layout: PageLayout
    let kind: TreeKind
    private let maxLocalSize: Int
    /// The open row; a source appends its values here.
    var record: RecordScratch

    private(set) var pages: PageBuffer
    /// The indexes of the leaves among the pages.
    private(set) var leaves: [UInt32] = []
    /// The dividers between the leaves; also before the first leaf, unless the tree begins with it.
    private(set) var dividers = DividerList()
    /// The offsets of page numbers of overflow pages in `pages`.
    private(set) var overflowOffsets: [Int] = []
    /// The offsets of page numbers of overflow pages in `dividers`.
    private(set) var dividerOverflowOffsets: [Int] = []
    private(set) var firstRowid: Int64?
    private(set) var lastRowid: Int64 = .min

    private var rowsLeft = 0
    private var beginsWithDivider = false
    /// The open leaf: its offset, the number of its cells, and the start of the lowest cell.
    private var leafOffset = 0
    private var cellCount = 0
    private var cellsStart = 0
    /// The lowest cell's own size, which padding may exceed.
    private var lastCellSize = 0

    init(_ layout: PageLayout, _ kind: TreeKind, columnCount: Int) {
        self.layout = layout
        self.kind = kind
        maxLocalSize = layout.maxLocalSize(kind)
        record = RecordScratch(columnCount: columnCount)
        pages = PageBuffer(pageSize: layout.pageSize)
    }

    // MARK: Called by a source

    /// Ends a row of a table.
    ///
    /// A column that is the rowid itself is appended as NULL.
    ///
    /// - Precondition: Rowids ascend.
    mutating func endRow(rowid: Int64) {
        assert(kind == .table, "the entries of an index have no rowid of their own")
        precondition(
            rowid > lastRowid || firstRowid == nil,
            "rows arrive in order of rowid"
        )
        if firstRowid == nil { firstRowid = rowid }
        rowsLeft &-= 1
        let whole = record.finish()
        guard var start = whole.baseAddress else { return }
        let size = UInt64(truncatingIfNeeded: whole.count)
        let rowidSize = Varint.size(UInt64(bitPattern: rowid))
        start -= rowidSize
        Varint.write(UInt64(bitPattern: rowid), to: start)
        start -= Varint.size(size)
        Varint.write(size, to: start)
        var end = start + (whole.count &+ rowidSize &+ Varint.size(size))
        let overflows = whole.count > maxLocalSize
        if overflows { end = moveToOverflow(whole) ?? end }
        let cellSize = end - start
        if isFull(cellSize) {
            closeLeaf()
            appendRowidDivider()
            openLeaf()
        }
        lastRowid = rowid
        lay(UnsafeRawBufferPointer(start: start, count: cellSize), overflows)
    }

    /// Ends an entry of an index, or a row of a table WITHOUT ROWID.
    ///
    /// - Precondition: Entries arrive in the order of the index, which is not checked here.
    mutating func endEntry() {
        assert(kind == .index, "the rows of a table have a rowid")
        rowsLeft &-= 1
        let whole = record.finish()
        guard var start = whole.baseAddress else { return }
        let size = UInt64(truncatingIfNeeded: whole.count)
        start -= Varint.size(size)
        Varint.write(size, to: start)
        var end = start + (whole.count &+ Varint.size(size))
        let overflows = whole.count > maxLocalSize
        if overflows { end = moveToOverflow(whole) ?? end }
        let cell = UnsafeRawBufferPointer(start: start, count: end - start)
        if isFull(cell.count) || beginsWithDivider {
            divide(cell, overflows)
        } else {
            lay(cell, overflows)
        }
    }

    // MARK: Called by the file

    /// Begins a leaf run with a number of rows.
    mutating func begin(rowCount: Int, beginsWithDivider: Bool) {
        pages.removeAll()
        leaves.removeAll(keepingCapacity: true)
        dividers.removeAll()
        overflowOffsets.removeAll(keepingCapacity: true)
        dividerOverflowOffsets.removeAll(keepingCapacity: true)
        firstRowid = nil
        lastRowid = .min
        rowsLeft = rowCount
        self.beginsWithDivider = beginsWithDivider
        openLeaf()
    }

    /// Closes the last leaf.
    mutating func finish() {
        precondition(rowsLeft == 0, "a source encodes the rows it was asked for")
        closeLeaf()
        if kind == .table { appendRowidDivider() }
    }

    /// Replaces indexes in the leaf run by page numbers.
    mutating func resolve(_ pageNumber: (Int) -> Int) {
        for offset in overflowOffsets {
            let target = pages.start + offset
            let number = UInt32(bigEndian: target.loadUnaligned(as: UInt32.self))
            let resolved = UInt32(pageNumber(Int(number)))
            target.storeBytes(of: resolved.bigEndian, as: UInt32.self)
        }
        for offset in dividerOverflowOffsets {
            let index = Int(dividers.number(at: offset))
            dividers.write(UInt32(pageNumber(index)), at: offset)
        }
    }

    // MARK: Leaves

    @inline(__always)
    private func isFull(_ cellSize: Int) -> Bool {
        cellsStart &- max(cellSize, PageHeader.leastCellSize)
            < PageHeader.leafSize &+ 2 &* (cellCount &+ 1)
    }

    @inline(__always)
    private mutating func lay(_ cell: UnsafeRawBufferPointer, _ overflows: Bool) {
        guard let start = cell.baseAddress else { return }
        let leaf = pages.start + leafOffset
        if cell.count < PageHeader.leastCellSize {
            cellsStart &-= PageHeader.leastCellSize
            (leaf + cellsStart).storeBytes(of: 0, as: UInt32.self)
        } else {
            cellsStart &-= cell.count
        }
        (leaf + cellsStart).copyMemory(from: start, byteCount: cell.count)
        let offset = UInt16(truncatingIfNeeded: cellsStart)
        leaf.storeBytes(
            of: offset.bigEndian,
            toByteOffset: PageHeader.leafSize &+ 2 &* cellCount,
            as: UInt16.self
        )
        cellCount &+= 1
        lastCellSize = cell.count
        if overflows { overflowOffsets.append(leafOffset + cellsStart + cell.count - 4) }
    }

    private mutating func openLeaf() {
        leaves.append(UInt32(pages.count))
        leafOffset = pages.append(1)
        cellCount = 0
        cellsStart = layout.usableSize
    }

    private func closeLeaf() {
        PageHeader.write(kind.leafMark, cellCount, cellsStart, to: pages.start + leafOffset)
        let offsetsEnd = PageHeader.leafSize + 2 * cellCount
        pages.clear(leafOffset + offsetsEnd..<leafOffset + cellsStart)
        pages.clear(leafOffset + layout.usableSize..<leafOffset + layout.pageSize)
    }

    private mutating func appendRowidDivider() {
        withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { buffer in
            guard let start = buffer.baseAddress else { return }
            let size = Varint.write(UInt64(bitPattern: lastRowid), to: start)
            dividers.append(UnsafeRawBufferPointer(rebasing: buffer[..<size]))
        }
    }
}

extension LeafRun {
    /// Uses an entry of an index as the divider before the next leaf.
    private mutating func divide(_ cell: UnsafeRawBufferPointer, _ overflows: Bool) {
        if beginsWithDivider {
            beginsWithDivider = false
            return promote(cell, overflows)
        }
        if rowsLeft > 0 {
            promote(cell, overflows)
            closeLeaf()
            return openLeaf()
        }
        // No leaf is empty: the last entry gets its own leaf, and the one before it becomes the
        // divider.
        precondition(cellCount > 1, "a page holds at least four entries")
        let last = UnsafeRawBufferPointer(
            start: pages.start + leafOffset + cellsStart,
            count: lastCellSize
        )
        let lastEnd = leafOffset + cellsStart + lastCellSize
        let overflowIndex = overflowOffsets.lastIndex(of: lastEnd - 4)
        if let overflowIndex { overflowOffsets.remove(at: overflowIndex) }
        promote(last, overflowIndex != nil)
        cellsStart += max(lastCellSize, PageHeader.leastCellSize)
        cellCount -= 1
        closeLeaf()
        openLeaf()
        lay(cell, overflows)
    }

    private mutating func promote(_ cell: UnsafeRawBufferPointer, _ overflows: Bool) {
        dividers.append(cell)
        if overflows { dividerOverflowOffsets.append(dividers.bytes.count - 4) }
    }

    /// Moves the part of a record that does not fit in its cell to overflow pages.
    ///
    /// The number of the first overflow page replaces that part.
    ///
    /// - Returns: The end of the cell.
    private mutating func moveToOverflow(
        _ whole: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawPointer? {
        let localSize = layout.localSize(of: whole.count, kind)
        let count = (whole.count - localSize - 1) / layout.overflowSize + 1
        let first = pages.count
        var page = pages.append(count)
        for index in 0..<count {
            let start = localSize + index * layout.overflowSize
            let part = UnsafeRawBufferPointer(
                rebasing: whole[start...].prefix(layout.overflowSize)
            )
            let next = index + 1 < count ? UInt32(first + index + 1) : 0
            let bytes = UnsafeMutableRawBufferPointer(
                start: pages.start + page,
                count: layout.pageSize
            )
            bytes.storeBytes(of: next.bigEndian, as: UInt32.self)
            if next > 0 { overflowOffsets.append(page) }
            UnsafeMutableRawBufferPointer(rebasing: bytes[4...]).copyMemory(from: part)
            pages.clear(page + 4 + part.count..<page + layout.pageSize)
            page += layout.pageSize
        }
        let end = UnsafeMutableRawBufferPointer(rebasing: whole[localSize...])
        end.storeBytes(of: UInt32(first).bigEndian, as: UInt32.self)
        return whole.baseAddress.map { $0 + localSize + 4 }
    }
}

/// Rows of a table, or entries of an index, that can be encoded in any range.
///
/// The encoding of a range depends on the range alone, so that any thread may encode it.
///
/// Most entries of an index lie far apart in memory. A source fetches some dozens of them in a
/// separate loop before it encodes them, so that the processor waits for many at a time: ten
/// million ids took 0.34 s instead of 1.1 s, 2026-11.
protocol LeafSource: Sendable {
    /// The number of rows or entries.
    var count: Int { get }
    /// The number of values of each: the columns of a row, or those of an index and the rowid.
    var columnCount: Int { get }

    /// Appends the values of each row of the range and ends it, in order.
    ///
    /// - Throws: ``MartError`` of the source of the rows; then the tree is not written.
    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError)
}

/// Divides rows into leaf runs, independently of the number of threads.
///
/// The last leaf run also takes the remainder. So no leaf run has a single row, of which an index
/// could not make both a divider and a leaf.
struct LeafRuns {
    /// 16,384: with rows of a hundred bytes, one write of somewhat more than a megabyte.
    static let rowsOfTable = 16_384
    /// 65,536 trips: smaller runs would read as many batches for fewer trips, larger ones would
    /// take more memory.
    static let trips = 65_536
    /// 65,536: entries are shorter.
    static let entriesOfIndex = 65_536

    let rowCount: Int
    let size: Int

    /// - Parameters:
    ///   - kind: The kind of the tree.
    ///   - rowCount: The number of rows or entries.
    ///   - size: Those of a leaf run; nil for the measured size.
    init(_ kind: TreeKind, rowCount: Int, size: Int?) {
        self.rowCount = rowCount
        self.size = size ?? (kind == .table ? Self.rowsOfTable : Self.entriesOfIndex)
        precondition(
            kind == .table || self.size > 1,
            "a leaf run of an index has one entry as divider and one in a leaf"
        )
    }

    var count: Int { max(1, rowCount / size) }

    func rows(_ index: Int) -> Range<Int> {
        index * size..<(index == count - 1 ? rowCount : (index + 1) * size)
    }
}
