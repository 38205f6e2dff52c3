/// The sizes of a SQLite file's pages, and the part of a record that stays within one.
///
/// In this folder *page*, *leaf*, *cell*, *record* and *overflow* have the meaning of the
/// description of the file format. A *leaf run* is a fixed range of rows and the consecutive leaves
/// that hold them.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html>
struct PageLayout: Sendable, Hashable {
    /// The largest page number of SQLite.
    static let maxPageNumber = 0xFFFF_FFFE

    /// The size of a page: a power of two from 512 to 65536.
    let pageSize: Int
    /// The bytes of a page before the reserved bytes at its end, which are normally none.
    let usableSize: Int
    /// The page over byte 2³⁰ of the file, which holds locks on some systems and never data.
    let lockPageNumber: Int

    init(pageSize: Int, reservedSize: Int = 0) {
        self.pageSize = pageSize
        usableSize = pageSize - reservedSize
        lockPageNumber = (1 << 30) / pageSize + 1
    }

    /// The largest record that a cell of a leaf holds without overflow.
    func maxLocalSize(_ kind: TreeKind) -> Int {
        switch kind {
        case .table: usableSize - 35
        case .index: (usableSize - 12) * 64 / 255 - 23
        }
    }

    /// The size of the part of an overflowing record that stays in its cell.
    func localSize(of recordSize: Int, _ kind: TreeKind) -> Int {
        let least = (usableSize - 12) * 32 / 255 - 23
        let size = least + (recordSize - least) % overflowSize
        return size <= maxLocalSize(kind) ? size : least
    }

    /// The size of the part of a record in one overflow page, after the number of the next page.
    var overflowSize: Int { usableSize - 4 }

    /// The page number of the page with the given ordinal.
    ///
    /// Ordinals count the pages from 1 without the lock page, so that they have no gap.
    func pageNumber(ordinal: Int) -> Int {
        ordinal < lockPageNumber ? ordinal : ordinal + 1
    }

    /// The ordinal of the last page of a file, from its page number.
    func ordinal(lastPageNumber: Int) -> Int {
        lastPageNumber < lockPageNumber ? lastPageNumber : lastPageNumber - 1
    }
}

/// The kind of a b-tree.
enum TreeKind: Sendable {
    /// Rows by rowid; the leaves hold all of them.
    case table
    /// Records in the order of their columns, each once, in leaves and above: an index, or a table
    /// WITHOUT ROWID.
    case index

    /// The first byte of a leaf.
    var leafMark: UInt8 { self == .table ? 13 : 10 }
    /// The first byte of an interior page.
    var interiorMark: UInt8 { self == .table ? 5 : 2 }
}

/// The first bytes of a page of a b-tree.
///
///     | mark | first free block  | cells | start of cells | fragmented  | right-most child |
///     | 1    | 2, written as 0   | 2     | 2              | 1, as 0     | 4, not in leaves |
enum PageHeader {
    static let leafSize = 8
    static let interiorSize = 12
    /// A shorter cell of a leaf is padded, since SQLite needs a free block of that size when it is
    /// freed.
    static let leastCellSize = 4

    /// The offset of the header of a page: on the first page it follows the file's header.
    @inline(__always)
    static func start(_ number: UInt32) -> Int { number == 1 ? DatabaseHeader.size : 0 }

    @inline(__always)
    static func write(
        _ mark: UInt8,
        _ cellCount: Int,
        _ cellsStart: Int,
        to page: UnsafeMutableRawPointer
    ) {
        page.storeBytes(of: 0, as: UInt64.self)
        page.storeBytes(of: mark, as: UInt8.self)
        let count = UInt16(truncatingIfNeeded: cellCount)
        page.storeBytes(of: count.bigEndian, toByteOffset: 3, as: UInt16.self)
        // 65536 is written as 0.
        let start = UInt16(truncatingIfNeeded: cellsStart)
        page.storeBytes(of: start.bigEndian, toByteOffset: 5, as: UInt16.self)
    }
}

/// Pages in memory, one after the other, which are reused for each leaf run.
struct PageBuffer: ~Copyable {
    let pageSize: Int
    /// The address of the first page; valid until pages are appended.
    private(set) var start: UnsafeMutableRawPointer
    /// The number of pages.
    private(set) var count = 0
    private var capacity = 64

    init(pageSize: Int) {
        self.pageSize = pageSize
        start = .allocate(byteCount: capacity * pageSize, alignment: 4096)
    }

    deinit {
        start.deallocate()
    }

    /// Appends pages whose bytes are not set, and returns the offset of the first.
    mutating func append(_ number: Int) -> Int {
        if count + number > capacity {
            capacity = max(2 * capacity, count + number)
            let moved = UnsafeMutableRawPointer.allocate(
                byteCount: capacity * pageSize,
                alignment: 4096
            )
            moved.copyMemory(from: start, byteCount: count * pageSize)
            start.deallocate()
            start = moved
        }
        count += number
        return (count - number) * pageSize
    }

    mutating func removeAll() {
        count = 0
    }

    /// Sets a range of bytes to zero.
    func clear(_ range: Range<Int>) {
        (start + range.lowerBound)
            .initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
}
