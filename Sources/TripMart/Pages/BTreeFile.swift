import Dispatch
import Synchronization
import TripDomain

/// Fills empty tables and indexes of a SQLite file by writing the pages of their b-trees.
///
/// SQLite creates the file: the schema, the small tables by INSERT, the large tables and indexes
/// empty; and closes it. Then this type appends the pages of the large ones, in one pass each, and
/// encodes their leaves on several threads. Root pages and the file's header are written last, by
/// ``finish()``: without it the file is as SQLite left it, with pages at its end that no page
/// refers to.
///
///     let file = try BTreeFile(path: path)
///     try file.fill(.table, root: 7, rows, threads: 2)
///     try file.fill(.index, root: 8, entries, threads: 2)
///     try file.finish()
///
/// The bytes written depend on the rows alone, not on the number of threads. Nothing is locked and
/// nothing is synced: no other process may use the file until it is finished.
///
/// The code follows the description of the file format, and SQLite checks its result: after a
/// change, run `PRAGMA integrity_check` over every shape in `BTreeFileTests`.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html>
final class BTreeFile {
    private let file: PageFile
    let layout: PageLayout
    private var header: DatabaseHeader
    /// The ordinal of the last page.
    private var lastOrdinal: Int
    /// Whether every tree was written.
    private var isWhole = true
    /// Root pages, written last.
    private var roots: [(number: Int, page: [UInt8])] = []

    /// Opens a file that SQLite has created and closed.
    init(path: String) throws(MartError) {
        file = try PageFile(path: path)
        header = try DatabaseHeader(file)
        layout = header.layout
        lastOrdinal = layout.ordinal(lastPageNumber: header.pageCount)
    }

    /// Writes the root pages and the file's header.
    ///
    /// - Precondition: No tree failed: its pages may be missing.
    func finish() throws(MartError) {
        precondition(isWhole, "a file with missing pages is discarded")
        for root in roots {
            try file.write(root.page, at: (root.number - 1) * layout.pageSize)
        }
        roots = []
        header.pageCount = layout.pageNumber(ordinal: lastOrdinal)
        try file.write(header.bytes, at: 0)
    }

    // MARK: Trees

    /// Fills an empty table, an empty index, or an empty table WITHOUT ROWID.
    ///
    /// - Parameters:
    ///   - kind: The kind of the tree; a table WITHOUT ROWID is an index.
    ///   - root: The root page in `sqlite_schema`.
    ///   - source: The rows in ascending order of rowid, or the entries in the order of the index,
    ///     the rowid last; for a table WITHOUT ROWID its columns, those of the primary key first.
    ///   - threads: The number of threads that encode and write rows.
    ///   - leafRunSize: The number of rows of a leaf run, of an index at least 2; nil for the
    ///     measured size.
    ///   - progress: Called by one thread at a time with the number of rows whose pages are
    ///     numbered.
    /// - Throws: ``MartError`` of the file, or of the source.
    /// - Complexity: O(*n*); the memory of one leaf run per thread.
    func fill<Source: LeafSource>(
        _ kind: TreeKind,
        root: Int,
        _ source: Source,
        threads: Int,
        leafRunSize: Int? = nil,
        progress: (Int) -> Void = { _ in }
    ) throws(MartError) {
        try requireEmpty(kind, root)
        guard source.count > 0 else { return }
        let wasWhole = isWhole
        isWhole = false
        let leafRuns = LeafRuns(kind, rowCount: source.count, size: leafRunSize)
        let tree = TreeWriting()
        let next = Atomic(0)
        // A thread waits for the turn of its leaf run, numbers its pages, passes the turn on, and
        // writes the pages. Leaf runs are taken in order, so that a waiting thread always waits for
        // one that is working.
        let turns = (0...leafRuns.count).map { _ in DispatchSemaphore(value: 0) }
        turns[0].signal()
        // Used only by the thread whose turn it is.
        nonisolated(unsafe) let numbering = (trees: self, tree: tree, progress: progress)
        let writeFailure = Mutex<MartError?>(nil)
        let (file, layout) = (file, layout)
        let workers = min(threads, leafRuns.count)
        Parallel.forEach(workers, threads: workers) { _ in
            var leafRun = LeafRun(layout, kind, columnCount: source.columnCount)
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < leafRuns.count else { return }
                let rows = leafRuns.rows(index)
                leafRun.begin(rowCount: rows.count, beginsWithDivider: kind == .index && index > 0)
                var failure: MartError?
                do throws(MartError) {
                    try source.encode(rows, into: &leafRun)
                    leafRun.finish()
                } catch {
                    failure = error
                }
                turns[index].wait()
                failure = failure ?? writeFailure.withLock(\.self)
                numbering.tree.failure = numbering.tree.failure ?? failure
                let parts = numbering.trees.assignNumbers(
                    &leafRun,
                    numbering.tree,
                    isOnly: leafRuns.count == 1
                )
                numbering.progress(rows.upperBound)
                turns[index + 1].signal()
                do throws(MartError) {
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

    /// Numbers the pages of a leaf run, and adds its leaves and dividers to the level of leaves.
    ///
    /// - Returns: The pages to write; valid until the leaf run is used again.
    private func assignNumbers(
        _ leafRun: inout LeafRun,
        _ tree: TreeWriting,
        isOnly: Bool
    ) -> [NumberedPages] {
        guard tree.failure == nil else { return [] }
        // A tree of one leaf is its root; only pages of overflow follow it.
        let rootCount = isOnly && leafRun.leaves.count == 1 ? 1 : 0
        let start = lastOrdinal + 1 - rootCount
        let bytes = UnsafeRawBufferPointer(
            start: leafRun.pages.start,
            count: leafRun.pages.count * layout.pageSize
        )
        do throws(MartError) {
            try requireNumbers(leafRun.pages.count)
            leafRun.resolve { layout.pageNumber(ordinal: start + $0) }
            let rootSize = rootCount * layout.pageSize
            if rootCount == 1 { tree.rootPage = Array(bytes[..<rootSize]) }
            tree.add(leafRun) { layout.pageNumber(ordinal: start + $0) }
            return assignNumbers(to: UnsafeRawBufferPointer(rebasing: bytes[rootSize...]))
        } catch {
            tree.failure = error
            return []
        }
    }

    private func appendLevels(
        _ kind: TreeKind,
        _ root: Int,
        _ tree: TreeWriting
    ) throws(MartError) {
        var level = tree.leaves
        // A table has no divider after its last leaf.
        if kind == .table { level.dividers.removeLast() }
        while true {
            let (pages, above) = level.above(layout, kind, firstOrdinal: lastOrdinal + 1)
            if above.children.count == 1 {
                return roots.append((root, pages))
            }
            try requireNumbers(above.children.count)
            try pages.withUnsafeBufferPointer { bytes throws(MartError) in
                for part in assignNumbers(to: UnsafeRawBufferPointer(bytes)) {
                    try file.write(part.pages, at: part.offset)
                }
            }
            level = above
        }
    }

    // MARK: Pages

    /// Pages with their offset in the file.
    private struct NumberedPages {
        let pages: UnsafeRawBufferPointer
        let offset: Int
    }

    /// Numbers pages after the last one, and skips the lock page.
    private func assignNumbers(to pages: UnsafeRawBufferPointer) -> [NumberedPages] {
        let count = pages.count / layout.pageSize
        let countBefore = min(count, max(0, layout.lockPageNumber - 1 - lastOrdinal))
        let cut = countBefore * layout.pageSize
        return [pages[..<cut], pages[cut...]].filter { !$0.isEmpty }.map { part in
            let number = layout.pageNumber(ordinal: lastOrdinal + 1)
            lastOrdinal += part.count / layout.pageSize
            return NumberedPages(
                pages: UnsafeRawBufferPointer(rebasing: part),
                offset: (number - 1) * layout.pageSize
            )
        }
    }

    private func requireNumbers(_ count: Int) throws(MartError) {
        guard layout.pageNumber(ordinal: lastOrdinal + count) <= PageLayout.maxPageNumber else {
            throw MartError(.tooLarge, file: file.path)
        }
    }

    private func requireEmpty(_ kind: TreeKind, _ root: Int) throws(MartError) {
        var page: [UInt8] = []
        if root > 1, root <= header.pageCount, !roots.contains(where: { $0.number == root }) {
            page = try file.read(PageHeader.leafSize, at: (root - 1) * layout.pageSize)
        }
        guard page.first == kind.leafMark, page[3] == 0, page[4] == 0 else {
            throw MartError(.notEmpty, file: file.path)
        }
    }
}

/// The state of a tree while its leaves are appended; changed by one thread at a time.
private final class TreeWriting {
    var leaves = TreeLevel()
    /// The root of a tree of one leaf.
    var rootPage: [UInt8]?
    var failure: MartError?
    private var lastRowid: Int64?

    func add(_ leafRun: borrowing LeafRun, _ pageNumber: (Int) -> Int) {
        if let first = leafRun.firstRowid {
            precondition(lastRowid.map { $0 < first } ?? true, "rowids rise")
            lastRowid = leafRun.lastRowid
        }
        for index in leafRun.leaves {
            leaves.children.append(UInt32(pageNumber(Int(index))))
        }
        leaves.dividers.append(leafRun.dividers)
    }
}
