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
    let count: Int

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
        count = Int(page.bigEndian(at: 3, as: UInt16.self))
        let headerSize = isLeaf ? PageHeader.leafSize : PageHeader.interiorSize
        guard headerSize + 2 * count <= layout.usableSize else { throw window.damaged(number) }
    }

    /// The child behind the last cell of a page above the leaves.
    var rightmostChild: UInt32 { page.bigEndian(at: PageHeader.leafSize, as: UInt32.self) }

    /// The child a cell of a page above the leaves points to.
    func child(_ index: Int) throws(PageError) -> UInt32 {
        let start = try start(index)
        guard start + 4 <= layout.usableSize else { throw window.damaged(number) }
        return page.bigEndian(at: start, as: UInt32.self)
    }

    /// A cell that holds a record.
    ///
    /// - Parameters:
    ///   - index: Its place on the page.
    ///   - overflow: Where overflow pages are read.
    /// - Returns: The rowid, 0 in an index, and the record, good until the next cell is read.
    /// - Throws: ``PageError`` with code `damaged` where the cell is none, or of the file.
    @inline(__always)
    func cell(
        _ index: Int,
        _ overflow: PageWindow
    ) throws(PageError) -> (rowid: Int64, record: UnsafeRawBufferPointer) {
        var offset = try start(index) + (isLeaf ? 0 : 4)
        let end = layout.usableSize
        guard let size = Varint.read(page, at: &offset, before: end) else {
            throw window.damaged(number)
        }
        var rowid: UInt64 = 0
        if kind == .table {
            guard let found = Varint.read(page, at: &offset, before: end) else {
                throw window.damaged(number)
            }
            rowid = found
        }
        let record: UnsafeRawBufferPointer
        if size <= UInt64(maxLocalSize) {
            guard offset + Int(size) <= end else { throw window.damaged(number) }
            record = UnsafeRawBufferPointer(rebasing: page[offset..<offset + Int(size)])
        } else {
            guard size <= UInt64(window.fileSize) else { throw window.damaged(number) }
            let local = offset..<offset + layout.localSize(of: Int(size), kind)
            guard local.upperBound + 4 <= end else { throw window.damaged(number) }
            record = try overflow.whole(
                Int(size),
                UnsafeRawBufferPointer(rebasing: page[local]),
                page.bigEndian(at: local.upperBound, as: UInt32.self),
                layout
            )
        }
        return (Int64(bitPattern: rowid), record)
    }

    private func start(_ index: Int) throws(PageError) -> Int {
        let headerSize = isLeaf ? PageHeader.leafSize : PageHeader.interiorSize
        let start = Int(page.bigEndian(at: headerSize + 2 * index, as: UInt16.self))
        guard start >= headerSize + 2 * count, start < layout.usableSize else {
            throw window.damaged(number)
        }
        return start
    }
}

extension UnsafeRawBufferPointer {
    /// An integer that is kept with its highest byte first.
    @inline(__always)
    func bigEndian<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type) -> Value {
        Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}
