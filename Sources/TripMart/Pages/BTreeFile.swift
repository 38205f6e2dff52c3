import Dispatch
import Synchronization

/// Fills empty tables and indexes of a SQLite file by writing the pages of their b-trees.
///
/// SQLite makes the file: the schema, the small tables by INSERT, the large tables and indexes
/// empty; and closes it. Then the pages of the large ones are appended here, in one pass each, with
/// their leaves encoded on several threads. Root pages and the file's header are written last, by
/// ``finish()``: without it the file is as SQLite left it, with pages at its end that nothing
/// refers to.
///
///     let file = try BTreeFile(path: path)
///     try file.fillTable(root: 7, rows, threads: 2)
///     try file.fillIndex(root: 8, entries, threads: 2)
///     try file.finish()
///
/// The bytes written depend on the rows alone, not on the number of threads. Nothing is locked and
/// nothing is synced: nobody else may use the file until it is finished.
///
/// This is written to the description of the file format and relies on SQLite to judge it: after
/// a change, run `PRAGMA integrity_check` over every shape in `BTreeFileTests`.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html>
final class BTreeFile {
    private let file: PageFile
    let layout: PageLayout
    private var header: FileHeader
    /// The ordinal of the last page.
    private var lastOrdinal: Int
    /// Whether every tree was written.
    private var isWhole = true
    /// Root pages, written last.
    private var roots: [(number: Int, page: [UInt8])] = []

    /// Opens a file that SQLite has made and closed.
    init(path: String) throws(PageError) {
        file = try PageFile(path: path)
        header = try FileHeader(file)
        layout = header.layout
        lastOrdinal = layout.ordinal(lastPageNumber: header.pageCount)
    }

    /// Fills an empty table.
    ///
    /// - Parameters:
    ///   - root: The root page of the table in `sqlite_schema`.
    ///   - rows: The rows, whose rowids rise.
    ///   - threads: The number of threads that encode and write rows.
    ///   - portionSize: How many rows make a strip of pages.
    ///   - progress: Called by one thread at a time with the number of rows that have their place so far.
    /// - Throws: ``PageError``.
    /// - Complexity: O(*n*); one strip of memory per thread.
    func fillTable(
        root: Int,
        _ rows: some LeafSource,
        threads: Int,
        portionSize: Int = Portions.rowsOfTable,
        progress: (Int) -> Void = { _ in }
    ) throws(PageError) {
        try fill(.table, root, rows, threads, portionSize, progress)
    }

    /// Fills an empty index, or an empty table WITHOUT ROWID.
    ///
    /// - Parameters:
    ///   - root: The root page of the index in `sqlite_schema`.
    ///   - entries: The entries in the order of the index, the rowid last; for a table its columns,
    ///     those of the primary key first.
    ///   - threads: The number of threads that encode and write entries.
    ///   - portionSize: How many entries make a strip of pages, at least 2.
    /// - Throws: ``PageError``.
    /// - Complexity: O(*n*); one strip of memory per thread.
    func fillIndex(
        root: Int,
        _ entries: some LeafSource,
        threads: Int,
        portionSize: Int = Portions.entriesOfIndex
    ) throws(PageError) {
        precondition(
            portionSize > 1,
            "a portion of an index has an entry to divide and one to keep"
        )
        try fill(.index, root, entries, threads, portionSize) { _ in }
    }

    /// Writes the root pages and the file's header.
    ///
    /// - Precondition: No tree failed: its pages may be missing.
    func finish() throws(PageError) {
        precondition(isWhole, "a file with a hole is thrown away")
        for root in roots {
            try file.write(root.page, at: (root.number - 1) * layout.pageSize)
        }
        roots = []
        header.pageCount = layout.pageNumber(ordinal: lastOrdinal)
        try file.write(header.bytes, at: 0)
    }

    // MARK: Trees

    private func fill<Source: LeafSource>(
        _ kind: TreeKind,
        _ root: Int,
        _ source: Source,
        _ threads: Int,
        _ portionSize: Int,
        _ progress: (Int) -> Void
    ) throws(PageError) {
        try requireEmpty(kind, root)
        guard source.count > 0 else { return }
        let wasWhole = isWhole
        isWhole = false
        let portions = Portions(rowCount: source.count, size: portionSize)
        let tree = TreeWriting()
        let next = Atomic(0)
        // Who holds the turn of a portion gives its strip a place in the file, and writes it there once
        // the turn has passed on. Portions are taken in order, so that whoever waits waits for a
        // thread that is at work.
        let turns = (0...portions.count).map { _ in DispatchSemaphore(value: 0) }
        turns[0].signal()
        // Used by the thread whose turn it is and by no other.
        nonisolated(unsafe) let placing = (trees: self, tree: tree, progress: progress)
        let writeFailure = Mutex<PageError?>(nil)
        let (file, layout) = (file, layout)
        DispatchQueue.concurrentPerform(iterations: min(threads, portions.count)) { _ in
            var strip = LeafStrip(layout, kind, columnCount: source.columnCount)
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < portions.count else { return }
                let rows = portions.rows(index)
                strip.begin(rowCount: rows.count, beginsWithDivider: kind == .index && index > 0)
                var failure: PageError?
                do throws(PageError) {
                    try source.encode(rows, into: &strip)
                    strip.finish()
                } catch {
                    failure = error
                }
                turns[index].wait()
                failure = failure ?? writeFailure.withLock(\.self)
                placing.tree.failure = placing.tree.failure ?? failure
                let parts = placing.trees.place(
                    &strip,
                    placing.tree,
                    isOnly: portions.count == 1
                )
                placing.progress(rows.upperBound)
                turns[index + 1].signal()
                do throws(PageError) {
                    for part in parts { try file.write(part.pages, at: part.offset) }
                } catch {
                    writeFailure.withLock { $0 = $0 ?? error }
                }
            }
        }
        if let failure = tree.failure ?? writeFailure.withLock(\.self) { throw failure }
        if let page = tree.rootPage {
            roots.append((root, page))
        } else {
            try appendLevels(kind, root, tree)
        }
        isWhole = wasWhole
    }

    /// Gives the pages of a strip their place, and adds what they add to the level of leaves.
    ///
    /// - Returns: What is to be written; good until the strip is used again.
    private func place(
        _ strip: inout LeafStrip,
        _ tree: TreeWriting,
        isOnly: Bool
    ) -> [PlacedPages] {
        guard tree.failure == nil else { return [] }
        // A tree of one leaf is its root; only pages of overflow follow it.
        let rootCount = isOnly && strip.leaves.count == 1 ? 1 : 0
        let start = lastOrdinal + 1 - rootCount
        let bytes = UnsafeRawBufferPointer(
            start: strip.pages.start,
            count: strip.pages.count * layout.pageSize
        )
        do throws(PageError) {
            try requireRoom(strip.pages.count)
            strip.resolve { layout.pageNumber(ordinal: start + $0) }
            let rootSize = rootCount * layout.pageSize
            if rootCount == 1 { tree.rootPage = Array(bytes[..<rootSize]) }
            tree.add(strip) { layout.pageNumber(ordinal: start + $0) }
            return appendPlace(of: UnsafeRawBufferPointer(rebasing: bytes[rootSize...]))
        } catch {
            tree.failure = error
            return []
        }
    }

    private func appendLevels(
        _ kind: TreeKind,
        _ root: Int,
        _ tree: TreeWriting
    ) throws(PageError) {
        var level = tree.leaves
        // Behind the last leaf of a table nothing is left to divide.
        if kind == .table { level.dividers.removeLast() }
        while true {
            let (pages, above) = level.above(layout, kind, firstOrdinal: lastOrdinal + 1)
            if above.children.count == 1 {
                return roots.append((root, pages))
            }
            try requireRoom(above.children.count)
            try pages.withUnsafeBufferPointer { bytes throws(PageError) in
                for part in appendPlace(of: UnsafeRawBufferPointer(bytes)) {
                    try file.write(part.pages, at: part.offset)
                }
            }
            level = above
        }
    }

    // MARK: Pages

    /// Pages that have their place in the file.
    private struct PlacedPages {
        let pages: UnsafeRawBufferPointer
        let offset: Int
    }

    /// Gives pages their place behind the last one, around the page that holds locks.
    private func appendPlace(of pages: UnsafeRawBufferPointer) -> [PlacedPages] {
        let count = pages.count / layout.pageSize
        let countBefore = min(count, max(0, layout.lockPageNumber - 1 - lastOrdinal))
        let cut = countBefore * layout.pageSize
        return [pages[..<cut], pages[cut...]].filter { !$0.isEmpty }.map { part in
            let number = layout.pageNumber(ordinal: lastOrdinal + 1)
            lastOrdinal += part.count / layout.pageSize
            return PlacedPages(
                pages: UnsafeRawBufferPointer(rebasing: part),
                offset: (number - 1) * layout.pageSize
            )
        }
    }

    private func requireRoom(_ count: Int) throws(PageError) {
        guard layout.pageNumber(ordinal: lastOrdinal + count) <= PageLayout.maxPageNumber else {
            throw PageError(
                code: .tooLarge,
                path: file.path,
                finding: "There are no page numbers left."
            )
        }
    }

    private func requireEmpty(_ kind: TreeKind, _ root: Int) throws(PageError) {
        var page: [UInt8] = []
        if root > 1, root <= header.pageCount, !roots.contains(where: { $0.number == root }) {
            page = try file.read(PageHeader.leafSize, at: (root - 1) * layout.pageSize)
        }
        guard page.first == kind.leafMark, page[3] == 0, page[4] == 0 else {
            throw PageError(
                code: .notEmpty,
                path: file.path,
                finding: "Page \(root) is not the root of an empty \(kind)."
            )
        }
    }
}

/// What is known of a tree while its leaves are appended; changed by one thread at a time.
private final class TreeWriting {
    var leaves = TreeLevel()
    /// The root of a tree of one leaf.
    var rootPage: [UInt8]?
    var failure: PageError?
    private var lastRowid: Int64?

    func add(_ strip: borrowing LeafStrip, _ pageNumber: (Int) -> Int) {
        if let first = strip.firstRowid {
            precondition(lastRowid.map { $0 < first } ?? true, "rowids rise")
            lastRowid = strip.lastRowid
        }
        for place in strip.leaves {
            leaves.children.append(UInt32(pageNumber(Int(place))))
        }
        leaves.dividers.append(strip.dividers)
    }
}
