/// The cells of one page.
///
///     table leaf      | record size | rowid | record … | first overflow page |
///     index leaf      | record size | record … | first overflow page |
///     table interior  | child | rowid |
///     index interior  | child | record size | record … | first overflow page |
struct PageCells {
    private let page: UnsafeRawBufferPointer
    private let number: UInt32
    private let layout: PageLayout
    private let kind: TreeKind
    private let isLeaf: Bool
    private let window: PageWindow
    private let maxLocalSize: Int
    /// The offset of the page's header, which follows the file's header on the first page.
    private let headerStart: Int
    private let headerEnd: Int
    let count: Int

    /// The position of a cell, and the rowid and size of its record.
    struct Cell {
        let rowid: Int64
        /// The range of the cell, with its padding.
        let extent: Range<Int>
        /// The range of the part of the record in the cell.
        let local: Range<Int>
        /// The size of the record.
        let size: Int
    }

    /// Opens a page whose mark has been checked.
    init(
        _ page: UnsafeRawBufferPointer,
        _ number: UInt32,
        _ layout: PageLayout,
        _ kind: TreeKind,
        isLeaf: Bool,
        _ window: PageWindow
    ) throws(MartError) {
        self.page = page
        self.number = number
        self.layout = layout
        self.kind = kind
        self.isLeaf = isLeaf
        self.window = window
        maxLocalSize = layout.maxLocalSize(kind)
        headerStart = PageHeader.start(number)
        headerEnd = headerStart + (isLeaf ? PageHeader.leafSize : PageHeader.interiorSize)
        count = Int(page.bigEndian(at: headerStart + 3, as: UInt16.self))
        guard headerEnd + 2 * count <= layout.usableSize else { throw window.damaged }
    }

    /// The child after the last cell of an interior page.
    var rightmostChild: UInt32 {
        page.bigEndian(at: headerStart + PageHeader.leafSize, as: UInt32.self)
    }

    /// The child that a cell of an interior page points to.
    func child(_ index: Int) throws(MartError) -> UInt32 {
        let start = try start(index)
        guard start + 4 <= layout.usableSize else { throw window.damaged }
        return page.bigEndian(at: start, as: UInt32.self)
    }

    /// Where a cell lies.
    ///
    /// - Parameter index: The index of the cell on the page.
    /// - Returns: The position of the cell; in an interior page of a table a cell has no record.
    /// - Throws: ``MartError`` with code `damaged` where the bytes are not a cell.
    @inline(__always)
    func cell(_ index: Int) throws(MartError) -> Cell {
        let start = try start(index)
        var offset = start + (isLeaf ? 0 : 4)
        let end = layout.usableSize
        var size: UInt64 = 0
        if isLeaf || kind == .index {
            guard let found = Varint.read(page, at: &offset, before: end) else {
                throw window.damaged
            }
            size = found
        }
        var rowid: UInt64 = 0
        if kind == .table {
            guard let found = Varint.read(page, at: &offset, before: end) else {
                throw window.damaged
            }
            rowid = found
        }
        var local = offset..<offset
        var cellEnd = offset
        if size <= UInt64(maxLocalSize) {
            local = offset..<offset + Int(size)
            cellEnd = local.upperBound
        } else {
            guard size <= UInt64(window.fileSize) else { throw window.damaged }
            local = offset..<offset + layout.localSize(of: Int(size), kind)
            cellEnd = local.upperBound + 4
        }
        cellEnd = max(cellEnd, start + PageHeader.leastCellSize)
        guard cellEnd <= end else { throw window.damaged }
        return Cell(
            rowid: Int64(bitPattern: rowid),
            extent: start..<cellEnd,
            local: local,
            size: Int(size)
        )
    }

    /// The record of a cell.
    ///
    /// - Parameters:
    ///   - cell: The position of the cell.
    ///   - overflow: The window through which overflow pages are read.
    /// - Returns: The record, valid until the next one is read.
    /// - Throws: ``MartError`` with code `damaged` where its overflow pages are wrong, or an error
    ///   of the file.
    @inline(__always)
    func record(
        _ cell: Cell,
        _ overflow: PageWindow
    ) throws(MartError) -> UnsafeRawBufferPointer {
        let local = UnsafeRawBufferPointer(rebasing: page[cell.local])
        guard cell.size > cell.local.count else { return local }
        return try overflow.whole(
            cell.size,
            local,
            page.bigEndian(at: cell.local.upperBound, as: UInt32.self),
            layout
        )
    }

    @inline(__always)
    private func start(_ index: Int) throws(MartError) -> Int {
        let start = Int(page.bigEndian(at: headerEnd + 2 * index, as: UInt16.self))
        guard start >= headerEnd + 2 * count, start < layout.usableSize else {
            throw window.damaged
        }
        return start
    }

    // MARK: Space

    /// Whether the cells fill the page without gaps from its end down to the lowest cell, as in
    /// pages that are written at once.
    @inline(__always)
    func isFilled(downTo lowest: Int) -> Bool {
        contentStart == lowest && page.bigEndian(at: headerStart + 1, as: UInt16.self) == 0
            && page[headerStart + 7] == 0
    }

    /// Refuses a page where cells overlap, or where space is neither used nor listed as free.
    ///
    /// - Throws: ``MartError`` with code `damaged`.
    func requireAccounted() throws(MartError) {
        var lowest = layout.usableSize
        var isInOrder = true
        for index in 0..<count {
            let extent = try cell(index).extent
            isInOrder = isInOrder && extent.upperBound == lowest
            lowest = extent.lowerBound
        }
        if isInOrder, isFilled(downTo: lowest) { return }
        var used = try freeBlocks()
        for index in 0..<count { used.append(try cell(index).extent) }
        used.sort { $0.lowerBound < $1.lowerBound }
        var (end, unused) = (contentStart, 0)
        for block in used {
            guard block.lowerBound >= end else { throw window.damaged }
            unused += block.lowerBound - end
            end = block.upperBound
        }
        unused += layout.usableSize - end
        guard unused == Int(page[headerStart + 7]) else { throw window.damaged }
    }

    private var contentStart: Int {
        let start = Int(page.bigEndian(at: headerStart + 5, as: UInt16.self))
        return start == 0 ? 65_536 : start
    }

    /// The blocks between cells that are listed as free.
    private func freeBlocks() throws(MartError) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var next = Int(page.bigEndian(at: headerStart + 1, as: UInt16.self))
        while next > 0 {
            // A gap of fewer than four bytes between two blocks cannot be listed, and SQLite merges
            // such blocks.
            let least = blocks.last.map { $0.upperBound + 4 } ?? headerEnd
            guard next >= least, next + 4 <= layout.usableSize else {
                throw window.damaged
            }
            let size = Int(page.bigEndian(at: next + 2, as: UInt16.self))
            guard size >= 4, next + size <= layout.usableSize else { throw window.damaged }
            blocks.append(next..<next + size)
            next = Int(page.bigEndian(at: next, as: UInt16.self))
        }
        return blocks
    }
}

extension UnsafeRawBufferPointer {
    /// An integer that is stored in big-endian order.
    @inline(__always)
    func bigEndian<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type) -> Value {
        Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}
