/// Some records with the positions of their values, for reading column by column.
///
/// Used by one thread.
struct StoredRecords: ~Copyable {
    private let rowCount: Int
    private let columnCount: Int
    private var bytes: UnsafeMutableRawBufferPointer
    /// The number of bytes used.
    private var size = 0
    /// The position of each value, row by row.
    private let values: UnsafeMutablePointer<RecordValue>
    /// The number of records.
    private(set) var count = 0

    /// - Parameters:
    ///   - rowCount: The maximum number of records.
    ///   - columnCount: The number of leading columns that are read; each record has at least so
    ///     many.
    init(rowCount: Int, columnCount: Int) {
        self.rowCount = rowCount
        self.columnCount = columnCount
        bytes = .allocate(byteCount: rowCount * 256, alignment: 8)
        values = .allocate(capacity: rowCount * columnCount)
    }

    deinit {
        bytes.deallocate()
        values.deallocate()
    }

    /// Appends a record; false where it has too few columns, or one of them lies outside it.
    ///
    /// - Precondition: The block is not full.
    @inline(__always)
    mutating func append(_ record: UnsafeRawBufferPointer) -> Bool {
        assert(count < rowCount, "a block holds at most its maximum number of records")
        let target = values + count &* columnCount
        guard RecordValue.find(record, columnCount, target, base: size) else { return false }
        // Reading the last integer reads up to eight bytes past the record's end.
        if size &+ record.count &+ 8 > bytes.count { grow(by: record.count) }
        UnsafeMutableRawBufferPointer(rebasing: bytes[size...]).copyMemory(from: record)
        size &+= record.count
        count &+= 1
        return true
    }

    private mutating func grow(by size: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 2 * (bytes.count + size),
            alignment: 8
        )
        larger.copyMemory(from: UnsafeRawBufferPointer(bytes))
        bytes.deallocate()
        bytes = larger
    }

    /// Appends values of a record to another one, unchanged.
    @inline(__always)
    func append(_ columns: Range<Int>, of row: Int, to leafRun: inout LeafRun) {
        let first = values + (row &* columnCount &+ columns.lowerBound)
        leafRun.record.append(
            UnsafeBufferPointer(start: first, count: columns.count),
            of: UnsafeRawBufferPointer(bytes)
        )
    }

    /// Removes the records.
    mutating func removeAll() { (count, size) = (0, 0) }

    /// An integer or NULL; false where the column holds something else.
    @inline(__always)
    func integer(_ column: Int, _ row: Int, _ value: inout Int64?) -> Bool {
        values[row &* columnCount &+ column].integer(UnsafeRawBufferPointer(bytes), &value)
    }

    /// An integer, or 0 for NULL; another type sets `isFit` to false.
    @inline(__always)
    func code(_ column: Int, _ row: Int, _ isFit: inout Bool) -> Int {
        values[row &* columnCount &+ column].code(UnsafeRawBufferPointer(bytes), &isFit)
    }

    /// A double or NULL; false where the column holds something else.
    func real(_ column: Int, _ row: Int, _ value: inout Double?) -> Bool {
        values[row &* columnCount &+ column].real(UnsafeRawBufferPointer(bytes), &value)
    }

    /// The bytes of a text; nil where the column holds something else.
    func text(_ column: Int, _ row: Int) -> UnsafeRawBufferPointer? {
        values[row &* columnCount &+ column].text(UnsafeRawBufferPointer(bytes))
    }
}
