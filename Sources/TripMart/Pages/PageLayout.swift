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
