/// Rows of a table, or entries of an index, that can be encoded from any place on.
///
/// What a range encodes to depends on nothing but the range, so that it may be done on any thread.
///
/// Entries of an index mostly lie far apart in memory. A source fetches some dozens of them in a
/// loop of its own before it encodes them, so that the processor waits for many at a time: ten
/// million ids took 0.34 s instead of 1.1 s, 2026-11.
protocol LeafSource: Sendable {
    /// The number of rows or entries.
    var count: Int { get }
    /// The values of each: the columns of a row, those of an index with the rowid behind them.
    var columnCount: Int { get }

    /// Appends the values of each row of the range and ends it, in order.
    ///
    /// - Throws: ``PageError`` of what the rows are read from; then the tree is not written.
    func encode(_ rows: Range<Int>, into strip: inout LeafStrip) throws(PageError)
}

/// How rows are cut into portions; the same whatever the number of threads.
///
/// The last portion takes the rest as well. So none is of a single row, of which an index could
/// not make both a divider and a leaf.
struct Portions {
    /// 16,384: of rows of a hundred bytes that is a good megabyte to write at once.
    static let rowsOfTable = 16_384
    /// 65,536 trips: fewer would be sought in as many places, more would take more memory.
    static let trips = 65_536
    /// 65,536: entries are shorter.
    static let entriesOfIndex = 65_536

    let rowCount: Int
    let size: Int

    var count: Int { max(1, rowCount / size) }

    func rows(_ index: Int) -> Range<Int> {
        index * size..<(index == count - 1 ? rowCount : (index + 1) * size)
    }
}
