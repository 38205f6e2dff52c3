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
        try descend(UInt32(clamping: root), kind, depth: 0, pages, overflow, &outline)
        return outline
    }

    private func descend(
        _ number: UInt32,
        _ kind: TreeKind,
        depth: Int,
        _ pages: PageWindow,
        _ overflow: PageWindow,
        _ outline: inout Outline
    ) throws(PageError) {
        guard depth < Self.depthLimit, outline.leaves.count < pageCount else {
            throw pages.damaged(number)
        }
        let page = try pages.page(number)
        if page[0] == kind.leafMark {
            outline.leaves.append(number)
            return
        }
        guard page[0] == kind.interiorMark else { throw pages.damaged(number) }
        var children: [(number: UInt32, divider: [UInt8]?)] = []
        let cells = try PageCells(page, number, layout, kind, isLeaf: false, pages)
        for index in 0..<cells.count {
            let child = try cells.child(index)
            let divider =
                kind == .table ? nil : Array(try cells.cell(index, overflow).record)
            children.append((child, divider))
        }
        children.append((cells.rightmostChild, nil))
        // The page is gone once another one is read.
        for child in children {
            try descend(child.number, kind, depth: depth + 1, pages, overflow, &outline)
            if let divider = child.divider { outline.dividers.append(divider) }
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
