import TripDomain

/// Reads the b-trees of a finished file page by page, several threads at once.
///
/// SQLite steps through a table row by row, with a check of its own program for each value; reading
/// the pages as they are takes a quarter of the time. Nothing read is trusted: a page, a cell or a
/// value that lies where none can lie is an error, and so are cells over each other, room that nothing
/// accounts for, rows on the wrong side of a divider, and chains of overflow pages that go on behind their
/// record. The order of an index is left to whoever knows what it is.
///
///     interior  | child, divider | child, divider | … | right-most child
///     leaves    | cell | cell | …     in a table all rows; in an index all entries but the dividers
struct TreeReader: Sendable {
    /// The leaves of a tree from left to right, with what stands between them.
    struct Outline: Sendable {
        fileprivate(set) var leaves: [UInt32] = []
        /// In an index the entry behind each leaf but the last; none in a table.
        fileprivate(set) var dividers: [[UInt8]] = []
        /// In a table the greatest rowid there may be in each leaf but the last; none in an index.
        fileprivate var rowids: [Int64] = []
        /// The pages of the tree but for the leaves and what overflows from them.
        fileprivate(set) var otherPages: [UInt32] = []
    }

    /// 64 of 8 KiB: half a megabyte a call, and still in the cache when it is looked at.
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
    /// - Throws: ``PageError`` where the file is no SQLite file, or of a kind that is never written
    ///   here.
    init(path: String) throws(PageError) {
        self.path = path
        let header = try FileHeader(PageFile(path: path, isWritable: false))
        layout = header.layout
        pageCount = header.pageCount
        (firstFreePage, freePageCount) = (header.firstFreePage, header.freePageCount)
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
        outline.otherPages += overflow.overflowPages
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
            let mark = page[PageHeader.start(number)]
            if mark == kind.leafMark { return height }
            guard mark == kind.interiorMark else { throw pages.damaged(number) }
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
        guard page[PageHeader.start(number)] == kind.interiorMark,
            outline.otherPages.count < pageCount
        else { throw pages.damaged(number) }
        outline.otherPages.append(number)
        var children: [UInt32] = []
        var dividers: [[UInt8]] = []
        var rowids: [Int64] = []
        let cells = try PageCells(page, number, layout, kind, isLeaf: false, pages)
        // On the first page the file's header may leave room for no more than the right-most child.
        guard cells.count > 0 || number == 1 else { throw pages.damaged(number) }
        try cells.requireAccounted()
        for index in 0..<cells.count {
            children.append(try cells.child(index))
            let place = try cells.place(index)
            switch kind {
            case .table: rowids.append(place.rowid)
            case .index: dividers.append(Array(try cells.record(place, overflow)))
            }
        }
        children.append(cells.rightmostChild)
        // The page is gone once another one is read.
        for (index, child) in children.enumerated() {
            try descend(child, kind, height: height - 1, pages, overflow, &outline)
            if index < dividers.count { outline.dividers.append(dividers[index]) }
            if index < rowids.count { outline.rowids.append(rowids[index]) }
        }
    }

    /// Calls a function for each cell of some leaves, and for each divider between or behind them.
    ///
    /// - Parameters:
    ///   - outline: The tree.
    ///   - leaves: Which of its leaves; the divider behind the last belongs to them.
    ///   - kind: What the tree holds.
    ///   - body: Receives the rowid, 0 in an index, and the record, good for the call.
    /// - Returns: The pages of what overflows from these leaves.
    /// - Throws: ``PageError`` with code `damaged` where a page is none of the tree; of the file; or
    ///   what the body throws.
    @discardableResult
    func each(
        _ outline: Outline,
        leaves: Range<Int>,
        _ kind: TreeKind,
        _ body: (Int64, UnsafeRawBufferPointer) throws(PageError) -> Void
    ) throws(PageError) -> [UInt32] {
        let pages = try window(Self.leavesAtOnce)
        let overflow = try window(1)
        for leaf in leaves {
            let number = outline.leaves[leaf]
            let page = try pages.page(number)
            guard page[PageHeader.start(number)] == kind.leafMark else {
                throw pages.damaged(number)
            }
            let cells = try PageCells(page, number, layout, kind, isLeaf: true, pages)
            // Only a tree of nothing has an empty leaf.
            guard cells.count > 0 || outline.leaves.count == 1 else { throw pages.damaged(number) }
            var (lowest, isInOrder) = (layout.usableSize, true)
            var last = leaf > 0 && kind == .table ? outline.rowids[leaf - 1] : .min
            for index in 0..<cells.count {
                let place = try cells.place(index)
                isInOrder = isInOrder && place.extent.upperBound == lowest
                lowest = place.extent.lowerBound
                // The first leaf may begin with the least there is.
                guard kind == .index || place.rowid > last || index == 0 && leaf == 0 else {
                    throw pages.damaged(number)
                }
                last = place.rowid
                try body(place.rowid, try cells.record(place, overflow))
            }
            if !isInOrder || !cells.isFilled(downTo: lowest) { try cells.requireAccounted() }
            if kind == .table, leaf < outline.rowids.count, last > outline.rowids[leaf] {
                throw pages.damaged(number)
            }
            guard leaf < outline.dividers.count else { continue }
            try outline.dividers[leaf].withUnsafeBufferPointer { record throws(PageError) in
                try body(0, UnsafeRawBufferPointer(record))
            }
        }
        return overflow.overflowPages
    }

    /// All pages of a tree.
    ///
    /// - Throws: ``PageError`` as ``each(_:leaves:_:_:)``.
    func pages(root: Int) throws(PageError) -> [UInt32] {
        let kind = try kind(root: root)
        let outline = try outline(root: root, kind)
        let overflows = try each(outline, leaves: outline.leaves.indices, kind) { _, _ in }
        return outline.otherPages + outline.leaves + overflows
    }

    /// The pages that are listed as free: none where nothing was ever deleted.
    ///
    /// - Throws: ``PageError`` with code `damaged` where the list is none; of the file.
    func freePages() throws(PageError) -> [UInt32] {
        let window = try window(1)
        var pages: [UInt32] = []
        var next = UInt32(clamping: firstFreePage)
        while next != 0 {
            let page = try window.page(next)
            let count = Int(page.bigEndian(at: 4, as: UInt32.self))
            guard count <= layout.usableSize / 4 - 2, pages.count <= pageCount else {
                throw window.damaged(next)
            }
            pages.append(next)
            for index in 0..<count {
                pages.append(page.bigEndian(at: 8 + 4 * index, as: UInt32.self))
            }
            next = page.bigEndian(at: 0, as: UInt32.self)
        }
        guard pages.count == freePageCount else { throw window.damaged(1) }
        return pages
    }

    /// What the root page says that a tree holds.
    func kind(root: Int) throws(PageError) -> TreeKind {
        let pages = try window(1)
        let number = UInt32(clamping: root)
        let mark = try pages.page(number)[PageHeader.start(number)]
        let kinds: [TreeKind] = [.table, .index]
        guard let kind = kinds.first(where: { $0.leafMark == mark || $0.interiorMark == mark })
        else { throw pages.damaged(number) }
        return kind
    }

    /// The leaves of a table that hold some rows.
    ///
    /// - Parameters:
    ///   - rowids: The rows, which are there.
    ///   - outline: The table.
    /// - Returns: The places of the leaves.
    func leaves(of rowids: ClosedRange<Int64>, in outline: Outline) -> Range<Int> {
        let first = outline.rowids.partitioningIndex { $0 >= rowids.lowerBound }
        let last = outline.rowids.partitioningIndex { $0 >= rowids.upperBound }
        return first..<last + 1
    }

    /// How many rows or entries each leaf has, the divider behind it among them.
    ///
    /// - Parameters:
    ///   - outline: The tree.
    ///   - kind: What the tree holds.
    ///   - threads: The number of threads.
    /// - Returns: A number for each leaf.
    /// - Throws: ``PageError`` with code `damaged` where a page is none of the tree; of the file.
    func counts(
        _ outline: Outline,
        _ kind: TreeKind,
        threads: Int
    ) throws(PageError) -> [Int] {
        let parts = Slices.map(outline.leaves.count, threads: threads) { leaves in
            Result { () throws(PageError) in try counts(outline, leaves: leaves, kind) }
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
    ) throws(PageError) -> [Int] {
        let pages = try window(Self.leavesAtOnce)
        var counts: [Int] = []
        counts.reserveCapacity(leaves.count)
        for leaf in leaves {
            let number = outline.leaves[leaf]
            let page = try pages.page(number)
            guard page[PageHeader.start(number)] == kind.leafMark else {
                throw pages.damaged(number)
            }
            let cells = try PageCells(page, number, layout, kind, isLeaf: true, pages)
            counts.append(cells.count + (leaf < outline.dividers.count ? 1 : 0))
        }
        return counts
    }

    private func window(_ capacity: Int) throws(PageError) -> PageWindow {
        try PageWindow(path: path, layout: layout, pageCount: pageCount, capacity: capacity)
    }
}
