import TripDomain

/// A tree of a finished file that is copied into another file.
struct StoredTree: LeafSource {
    /// The number of records that are read before they are laid into pages.
    private static let blockSize = 128

    private let tree: TreeReader
    private let outline: TreeReader.Outline
    private let kind: TreeKind
    /// For each leaf, the number of entries before it; at the end, that of the whole tree.
    private let starts: [Int]
    let columnCount: Int

    /// Counts the entries of the leaves.
    ///
    /// - Parameters:
    ///   - tree: The file.
    ///   - root: The root page.
    ///   - kind: The kind of the tree.
    ///   - columnCount: The values of each row or entry.
    ///   - threads: The number of threads that count.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: O(*p*) in the pages.
    init(
        _ tree: TreeReader,
        root: Int,
        _ kind: TreeKind,
        columnCount: Int,
        threads: Int
    ) throws(MartError) {
        self.tree = tree
        self.kind = kind
        self.columnCount = columnCount
        outline = try tree.outline(root: root, kind)
        var starts = [0]
        starts.reserveCapacity(outline.leaves.count + 1)
        for count in try tree.counts(outline, kind, threads: threads) {
            starts.append(starts[starts.count - 1] + count)
        }
        self.starts = starts
    }

    var count: Int { starts[starts.count - 1] }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError) {
        // The last leaf whose first row is at or before the range's first row.
        let first = starts.partitioningIndex { $0 > rows.lowerBound } - 1
        let last = starts.partitioningIndex { $0 >= rows.upperBound }
        var block = StoredRecords(rowCount: Self.blockSize, columnCount: columnCount)
        var rowids: [Int64] = []
        var index = starts[first]
        try tree.each(outline, leaves: first..<last, kind) { rowid, record throws(MartError) in
            defer { index += 1 }
            guard rows.contains(index) else { return }
            guard block.append(record) else { throw MartError.damagedRow(tree.path) }
            rowids.append(rowid)
            if block.count == Self.blockSize { lay(&block, &rowids, into: &leafRun) }
        }
        lay(&block, &rowids, into: &leafRun)
    }

    private func lay(
        _ block: inout StoredRecords,
        _ rowids: inout [Int64],
        into leafRun: inout LeafRun
    ) {
        for row in 0..<block.count {
            block.append(0..<columnCount, of: row, to: &leafRun)
            switch kind {
            case .table: leafRun.endRow(rowid: rowids[row])
            case .index: leafRun.endEntry()
            }
        }
        block.removeAll()
        rowids.removeAll(keepingCapacity: true)
    }
}
