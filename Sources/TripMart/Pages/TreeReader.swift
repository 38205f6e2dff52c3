import TripDomain

/// Reads the b-trees of a finished file page by page, several threads at once.
///
/// SQLite steps through a table row by row and interprets its program for each value; reading the
/// pages directly takes a quarter of the time. The reader trusts no byte: a page, cell or value
/// outside its possible range is an error, and so are overlapping cells, space that is neither used
/// nor free, rows on the wrong side of a divider, and overflow chains longer than their record. The
/// caller checks the order of an index.
///     interior  | child, divider | child, divider | … | right-most child
///     leaves    | cell | cell | …     in a table all rows; in an index all entries except the
///     dividers
struct TreeReader: Sendable {
    /// The leaves of a tree from left to right, with the dividers between them.
    struct Outline: Sendable {
        fileprivate(set) var leaves: [UInt32] = []
        /// In an index, the entry after each leaf except the last; none in a table.
        fileprivate(set) var dividers: [[UInt8]] = []
        /// In a table, the greatest possible rowid of each leaf except the last; none in an index.
        fileprivate var rowids: [Int64] = []
        /// The pages of the tree except the leaves and their overflow pages.
        fileprivate(set) var otherPages: [UInt32] = []
    }

    /// 64 pages of 8 KiB: half a megabyte per call, which is still in the cache when it is
    /// processed.
    private static let leavesAtOnce = 64
    /// Deeper than any tree of 2³² pages.
    private static let depthLimit = 32

    let path: String
    let layout: PageLayout
    let pageCount: Int
    private let firstFreePage: Int
    private let freePageCount: Int

    /// Reads the file's header.
    ///
    /// - Throws: ``MartError`` where the file is not a SQLite file, or of a kind that is never
    ///   written here.
    init(path: String) throws(MartError) {
        self.path = path
        let header = try DatabaseHeader(PageFile(path: path, isWritable: false))
        layout = header.layout
        pageCount = header.pageCount
        (firstFreePage, freePageCount) = (header.firstFreePage, header.freePageCount)
    }

    /// Finds the leaves of a tree.
    ///
    /// - Complexity: O(*p*) in the pages above the leaves.
    func outline(root: Int, _ kind: TreeKind) throws(MartError) -> Outline {
        var outline = Outline()
        let pages = try window(1)
        let overflow = try window(1)
        let height = try height(root: UInt32(clamping: root), kind, pages)
        try descend(UInt32(clamping: root), kind, height: height, pages, overflow, &outline)
        outline.otherPages += overflow.overflowPages
        return outline
    }

    /// The number of levels above the leaves: every path has as many as the first one.
    private func height(
        root: UInt32,
        _ kind: TreeKind,
        _ pages: PageWindow
    ) throws(MartError) -> Int {
        var number = root
        for height in 0..<Self.depthLimit {
            let page = try pages.page(number)
            let mark = page[PageHeader.start(number)]
            if mark == kind.leafMark { return height }
            guard mark == kind.interiorMark else { throw pages.damaged }
            let cells = try PageCells(page, number, layout, kind, isLeaf: false, pages)
            number = cells.count > 0 ? try cells.child(0) : cells.rightmostChild
        }
        throw pages.damaged
    }

    /// Adds the leaves below a page; the leaves are not read here.
    private func descend(
        _ number: UInt32,
        _ kind: TreeKind,
        height: Int,
        _ pages: PageWindow,
        _ overflow: PageWindow,
        _ outline: inout Outline
    ) throws(MartError) {
        guard outline.leaves.count < pageCount else { throw pages.damaged }
        guard height > 0 else {
            outline.leaves.append(number)
            return
        }
        let page = try pages.page(number)
        guard page[PageHeader.start(number)] == kind.interiorMark,
            outline.otherPages.count < pageCount
        else { throw pages.damaged }
        outline.otherPages.append(number)
        var children: [UInt32] = []
        var dividers: [[UInt8]] = []
        var rowids: [Int64] = []
        let cells = try PageCells(page, number, layout, kind, isLeaf: false, pages)
        // On the first page the file's header may leave space for only the right-most child.
        guard cells.count > 0 || number == 1 else { throw pages.damaged }
        try cells.requireAccounted()
        for index in 0..<cells.count {
            children.append(try cells.child(index))
            let cell = try cells.cell(index)
            switch kind {
            case .table: rowids.append(cell.rowid)
            case .index: dividers.append(Array(try cells.record(cell, overflow)))
            }
        }
        children.append(cells.rightmostChild)
        // Reading another page overwrites this one, so its contents were copied.
        for (index, child) in children.enumerated() {
            try descend(child, kind, height: height - 1, pages, overflow, &outline)
            if index < dividers.count { outline.dividers.append(dividers[index]) }
            if index < rowids.count { outline.rowids.append(rowids[index]) }
        }
    }

    /// Calls a function for each cell of some leaves, and for each divider between or after them.
    ///
    /// - Parameters:
    ///   - outline: The tree.
    ///   - leaves: The indexes of the leaves; the divider after the last belongs to them.
    ///   - kind: The kind of the tree.
    ///   - body: Receives the rowid, 0 in an index, and the record, valid for the call.
    /// - Returns: The overflow pages of these leaves.
    /// - Throws: ``MartError`` with code `damaged` where a page does not belong to the tree; an
    ///   error of the file; or an error of the body.
    @discardableResult
    func each(
        _ outline: Outline,
        leaves: Range<Int>,
        _ kind: TreeKind,
        _ body: (Int64, UnsafeRawBufferPointer) throws(MartError) -> Void
    ) throws(MartError) -> [UInt32] {
        let pages = try window(Self.leavesAtOnce)
        let overflow = try window(1)
        for leaf in leaves {
            let number = outline.leaves[leaf]
            let page = try pages.page(number)
            guard page[PageHeader.start(number)] == kind.leafMark else {
                throw pages.damaged
            }
            let cells = try PageCells(page, number, layout, kind, isLeaf: true, pages)
            // Only an empty tree has an empty leaf.
            guard cells.count > 0 || outline.leaves.count == 1 else { throw pages.damaged }
            var (lowest, isInOrder) = (layout.usableSize, true)
            var last = leaf > 0 && kind == .table ? outline.rowids[leaf - 1] : .min
            for index in 0..<cells.count {
                let cell = try cells.cell(index)
                isInOrder = isInOrder && cell.extent.upperBound == lowest
                lowest = cell.extent.lowerBound
                // The first leaf may begin with the smallest rowid of all.
                guard kind == .index || cell.rowid > last || index == 0 && leaf == 0 else {
                    throw pages.damaged
                }
                last = cell.rowid
                try body(cell.rowid, try cells.record(cell, overflow))
            }
            if !isInOrder || !cells.isFilled(downTo: lowest) { try cells.requireAccounted() }
            if kind == .table, leaf < outline.rowids.count, last > outline.rowids[leaf] {
                throw pages.damaged
            }
            guard leaf < outline.dividers.count else { continue }
            try outline.dividers[leaf].withUnsafeBufferPointer { record throws(MartError) in
                try body(0, UnsafeRawBufferPointer(record))
            }
        }
        return overflow.overflowPages
    }

    /// All pages of a tree.
    ///
    /// - Throws: ``MartError`` as ``each(_:leaves:_:_:)``.
    func pages(root: Int) throws(MartError) -> [UInt32] {
        let kind = try kind(root: root)
        let outline = try outline(root: root, kind)
        let overflows = try each(outline, leaves: outline.leaves.indices, kind) { _, _ in }
        return outline.otherPages + outline.leaves + overflows
    }

    /// The pages of the free list: none where no row was ever deleted.
    ///
    /// - Throws: ``MartError`` with code `damaged` where the list is invalid; or an error of the
    ///   file.
    func freePages() throws(MartError) -> [UInt32] {
        let window = try window(1)
        var pages: [UInt32] = []
        var next = UInt32(clamping: firstFreePage)
        while next != 0 {
            let page = try window.page(next)
            let count = Int(page.bigEndian(at: 4, as: UInt32.self))
            guard count <= layout.usableSize / 4 - 2, pages.count <= pageCount else {
                throw window.damaged
            }
            pages.append(next)
            for index in 0..<count {
                pages.append(page.bigEndian(at: 8 + 4 * index, as: UInt32.self))
            }
            next = page.bigEndian(at: 0, as: UInt32.self)
        }
        guard pages.count == freePageCount else { throw window.damaged }
        return pages
    }

    /// The kind of a tree, from its root page.
    func kind(root: Int) throws(MartError) -> TreeKind {
        let pages = try window(1)
        let number = UInt32(clamping: root)
        let mark = try pages.page(number)[PageHeader.start(number)]
        let kinds: [TreeKind] = [.table, .index]
        guard let kind = kinds.first(where: { $0.leafMark == mark || $0.interiorMark == mark })
        else { throw pages.damaged }
        return kind
    }

    /// The leaves of a table that hold some rows.
    ///
    /// - Parameters:
    ///   - rowids: The rows, which must exist.
    ///   - outline: The table.
    /// - Returns: The indexes of the leaves.
    func leaves(of rowids: ClosedRange<Int64>, in outline: Outline) -> Range<Int> {
        let first = outline.rowids.partitioningIndex { $0 >= rowids.lowerBound }
        let last = outline.rowids.partitioningIndex { $0 >= rowids.upperBound }
        return first..<last + 1
    }

    /// The number of rows or entries of each leaf, including the divider after it.
    ///
    /// - Parameters:
    ///   - outline: The tree.
    ///   - kind: The kind of the tree.
    ///   - threads: The number of threads.
    /// - Returns: A number for each leaf.
    /// - Throws: ``MartError`` with code `damaged` where a page does not belong to the tree; or an
    ///   error of the file.
    func counts(
        _ outline: Outline,
        _ kind: TreeKind,
        threads: Int
    ) throws(MartError) -> [Int] {
        let parts = Parallel.mapSlices(of: outline.leaves.count, threads: threads) { leaves in
            Result { () throws(MartError) in try counts(outline, leaves: leaves, kind) }
        }
        var all: [Int] = []
        all.reserveCapacity(outline.leaves.count)
        for part in parts { all += try part.get() }
        return all
    }

    private func counts(
        _ outline: Outline,
        leaves: Range<Int>,
        _ kind: TreeKind
    ) throws(MartError) -> [Int] {
        let pages = try window(Self.leavesAtOnce)
        var counts: [Int] = []
        counts.reserveCapacity(leaves.count)
        for leaf in leaves {
            let number = outline.leaves[leaf]
            let page = try pages.page(number)
            guard page[PageHeader.start(number)] == kind.leafMark else {
                throw pages.damaged
            }
            let cells = try PageCells(page, number, layout, kind, isLeaf: true, pages)
            counts.append(cells.count + (leaf < outline.dividers.count ? 1 : 0))
        }
        return counts
    }

    private func window(_ capacity: Int) throws(MartError) -> PageWindow {
        try PageWindow(path: path, layout: layout, pageCount: pageCount, capacity: capacity)
    }
}
