/// Reads the b-trees of a finished file page by page, several threads at once.
///
/// SQLite steps through a table row by row, with a check of its own program for each value; reading
/// the pages as they are takes a quarter of the time. Nothing read is trusted: a page, a cell or a
/// value that lies where none can lie is an error. Whether cells overlap, whether dividers of tables
/// divide and where chains of overflow pages end is left to SQLite's own check of the structure, which
/// a file has to pass as well.
///
///     interior  | child, divider | child, divider | … | right-most child
///     leaves    | cell | cell | …     in a table all rows; in an index all entries but the dividers
struct TreeReader: Sendable {
    /// The leaves of a tree from left to right, with what stands between them.
    struct Outline: Sendable {
        fileprivate(set) var leaves: [UInt32] = []
        /// In an index the entry behind each leaf but the last; none in a table.
        fileprivate(set) var dividers: [[UInt8]] = []
    }

    /// 64 of 8 KiB: half a megabyte a call, and still in the cache when it is looked at.
    private static let leavesAtOnce = 64
    /// Deeper than any tree of 2³² pages.
    private static let depthLimit = 32

    let path: String
    private let layout: PageLayout
    private let pageCount: Int

    /// Reads the file's header.
    ///
    /// - Throws: ``PageError`` where the file is no SQLite file, or of a kind that is never written
    ///   here.
    init(path: String) throws(PageError) {
        self.path = path
        let header = try FileHeader(PageFile(path: path, isWritable: false))
        layout = header.layout
        pageCount = header.pageCount
    }

    /// Finds the leaves of a tree.
    ///
    /// - Complexity: O(*p*) in the pages above the leaves.
    func outline(root: Int, _ kind: TreeKind) throws(PageError) -> Outline {
        var outline = Outline()
        let pages = try window(1)
        let overflow = try window(1)
        let height = try height(root: UInt32(clamping: root), kind, pages)
        try descend(UInt32(clamping: root), kind, height: height, pages, overflow, &outline)
        return outline
    }

    /// How many levels of pages are above the leaves: as many on every way down, as on the first.
    private func height(
        root: UInt32,
        _ kind: TreeKind,
        _ pages: PageWindow
    ) throws(PageError) -> Int {
        var number = root
        for height in 0..<Self.depthLimit {
            let page = try pages.page(number)
            if page[0] == kind.leafMark { return height }
            guard page[0] == kind.interiorMark else { throw pages.damaged(number) }
            let cells = try PageCells(page, number, layout, kind, isLeaf: false, pages)
            number = cells.count > 0 ? try cells.child(0) : cells.rightmostChild
        }
        throw pages.damaged(root)
    }

    /// Adds the leaves below a page; they themselves are not read here.
    private func descend(
        _ number: UInt32,
        _ kind: TreeKind,
        height: Int,
        _ pages: PageWindow,
        _ overflow: PageWindow,
        _ outline: inout Outline
    ) throws(PageError) {
        guard outline.leaves.count < pageCount else { throw pages.damaged(number) }
        guard height > 0 else {
            outline.leaves.append(number)
            return
        }
        let page = try pages.page(number)
        guard page[0] == kind.interiorMark else { throw pages.damaged(number) }
        var children: [UInt32] = []
        var dividers: [[UInt8]] = []
        let cells = try PageCells(page, number, layout, kind, isLeaf: false, pages)
        for index in 0..<cells.count {
            children.append(try cells.child(index))
            guard kind == .index else { continue }
            dividers.append(Array(try cells.cell(index, overflow).record))
        }
        children.append(cells.rightmostChild)
        // The page is gone once another one is read.
        for (index, child) in children.enumerated() {
            try descend(child, kind, height: height - 1, pages, overflow, &outline)
            if index < dividers.count { outline.dividers.append(dividers[index]) }
        }
    }

    /// Calls a function for each cell of some leaves, and for each divider between or behind them.
    ///
    /// - Parameters:
    ///   - outline: The tree.
    ///   - leaves: Which of its leaves; the divider behind the last belongs to them.
    ///   - kind: What the tree holds.
    ///   - body: Receives the rowid, 0 in an index, and the record, good for the call.
    /// - Throws: ``PageError`` with code `damaged` where a page is none of the tree; of the file; or
    ///   what the body throws.
    func each(
        _ outline: Outline,
        leaves: Range<Int>,
        _ kind: TreeKind,
        _ body: (Int64, UnsafeRawBufferPointer) throws(PageError) -> Void
    ) throws(PageError) {
        let pages = try window(Self.leavesAtOnce)
        let overflow = try window(1)
        for leaf in leaves {
            let number = outline.leaves[leaf]
            let page = try pages.page(number)
            guard page[0] == kind.leafMark else { throw pages.damaged(number) }
            let cells = try PageCells(page, number, layout, kind, isLeaf: true, pages)
            for index in 0..<cells.count {
                let cell = try cells.cell(index, overflow)
                try body(cell.rowid, cell.record)
            }
            guard leaf < outline.dividers.count else { continue }
            try outline.dividers[leaf].withUnsafeBufferPointer { record throws(PageError) in
                try body(0, UnsafeRawBufferPointer(record))
            }
        }
    }

    private func window(_ capacity: Int) throws(PageError) -> PageWindow {
        try PageWindow(path: path, layout: layout, pageCount: pageCount, capacity: capacity)
    }
}
