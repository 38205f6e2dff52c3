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
    /// Where the page's own header begins: behind the file's on the first page.
    private let headerStart: Int
    private let headerEnd: Int
    let count: Int

    /// Where a cell lies and what it says of its record.
    struct Place {
        let rowid: Int64
        /// The cell with its padding.
        let extent: Range<Int>
        /// What of the record the cell holds.
        let local: Range<Int>
        /// The size of the record.
        let size: Int
    }

    /// Takes a page whose mark has been looked at.
    init(
        _ page: UnsafeRawBufferPointer,
        _ number: UInt32,
        _ layout: PageLayout,
        _ kind: TreeKind,
        isLeaf: Bool,
        _ window: PageWindow
    ) throws(PageError) {
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
        guard headerEnd + 2 * count <= layout.usableSize else { throw window.damaged(number) }
    }

    /// The child behind the last cell of a page above the leaves.
    var rightmostChild: UInt32 {
        page.bigEndian(at: headerStart + PageHeader.leafSize, as: UInt32.self)
    }

    /// The child a cell of a page above the leaves points to.
    func child(_ index: Int) throws(PageError) -> UInt32 {
        let start = try start(index)
        guard start + 4 <= layout.usableSize else { throw window.damaged(number) }
        return page.bigEndian(at: start, as: UInt32.self)
    }

    /// Where a cell lies.
    ///
    /// - Parameter index: Its place on the page.
    /// - Returns: Its place in bytes; a cell above the leaves of a table has no record.
    /// - Throws: ``PageError`` with code `damaged` where the cell is none.
    @inline(__always)
    func place(_ index: Int) throws(PageError) -> Place {
        let start = try start(index)
        var offset = start + (isLeaf ? 0 : 4)
        let end = layout.usableSize
        var size: UInt64 = 0
        if isLeaf || kind == .index {
            guard let found = Varint.read(page, at: &offset, before: end) else {
                throw window.damaged(number)
            }
            size = found
        }
        var rowid: UInt64 = 0
        if kind == .table {
            guard let found = Varint.read(page, at: &offset, before: end) else {
                throw window.damaged(number)
            }
            rowid = found
        }
        var local = offset..<offset
        var cellEnd = offset
        if size <= UInt64(maxLocalSize) {
            local = offset..<offset + Int(size)
            cellEnd = local.upperBound
        } else {
            guard size <= UInt64(window.fileSize) else { throw window.damaged(number) }
            local = offset..<offset + layout.localSize(of: Int(size), kind)
            cellEnd = local.upperBound + 4
        }
        cellEnd = max(cellEnd, start + PageHeader.leastCellSize)
        guard cellEnd <= end else { throw window.damaged(number) }
        return Place(
            rowid: Int64(bitPattern: rowid),
            extent: start..<cellEnd,
            local: local,
            size: Int(size)
        )
    }

    /// The record of a cell.
    ///
    /// - Parameters:
    ///   - place: Where the cell lies.
    ///   - overflow: Where overflow pages are read.
    /// - Returns: The record, good until the next one is read.
    /// - Throws: ``PageError`` with code `damaged` where its overflow pages are none, or of the file.
    @inline(__always)
    func record(
        _ place: Place,
        _ overflow: PageWindow
    ) throws(PageError) -> UnsafeRawBufferPointer {
        let local = UnsafeRawBufferPointer(rebasing: page[place.local])
        guard place.size > place.local.count else { return local }
        return try overflow.whole(
            place.size,
            local,
            page.bigEndian(at: place.local.upperBound, as: UInt32.self),
            layout
        )
    }

    @inline(__always)
    private func start(_ index: Int) throws(PageError) -> Int {
        let start = Int(page.bigEndian(at: headerEnd + 2 * index, as: UInt16.self))
        guard start >= headerEnd + 2 * count, start < layout.usableSize else {
            throw window.damaged(number)
        }
        return start
    }

    // MARK: Room

    /// Whether the cells, one below the other, fill the page from its end down to its lowest cell, as they
    /// do where pages are written in one go.
    @inline(__always)
    func isFilled(downTo lowest: Int) -> Bool {
        contentStart == lowest && page.bigEndian(at: headerStart + 1, as: UInt16.self) == 0
            && page[headerStart + 7] == 0
    }

    /// Refuses a page where cells lie over each other, or where room is neither used nor listed as free.
    ///
    /// - Throws: ``PageError`` with code `damaged`.
    func requireAccounted() throws(PageError) {
        var lowest = layout.usableSize
        var isInOrder = true
        for index in 0..<count {
            let extent = try place(index).extent
            isInOrder = isInOrder && extent.upperBound == lowest
            lowest = extent.lowerBound
        }
        if isInOrder, isFilled(downTo: lowest) { return }
        var used = try freeBlocks()
        for index in 0..<count { used.append(try place(index).extent) }
        used.sort { $0.lowerBound < $1.lowerBound }
        var (end, unused) = (contentStart, 0)
        for block in used {
            guard block.lowerBound >= end else { throw window.damaged(number) }
            unused += block.lowerBound - end
            end = block.upperBound
        }
        unused += layout.usableSize - end
        guard unused == Int(page[headerStart + 7]) else { throw window.damaged(number) }
    }

    private var contentStart: Int {
        let start = Int(page.bigEndian(at: headerStart + 5, as: UInt16.self))
        return start == 0 ? 65_536 : start
    }

    /// The blocks between cells that are listed as free.
    private func freeBlocks() throws(PageError) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var next = Int(page.bigEndian(at: headerStart + 1, as: UInt16.self))
        while next > 0 {
            // Fewer than four bytes between two blocks cannot be listed, and SQLite joins such blocks.
            let least = blocks.last.map { $0.upperBound + 4 } ?? headerEnd
            guard next >= least, next + 4 <= layout.usableSize else {
                throw window.damaged(number)
            }
            let size = Int(page.bigEndian(at: next + 2, as: UInt16.self))
            guard size >= 4, next + size <= layout.usableSize else { throw window.damaged(number) }
            blocks.append(next..<next + size)
            next = Int(page.bigEndian(at: next, as: UInt16.self))
        }
        return blocks
    }
}

extension UnsafeRawBufferPointer {
    /// An integer that is kept with its highest byte first.
    @inline(__always)
    func bigEndian<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type) -> Value {
        Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}
