/// Reads the leading values of one record at a time.
///
/// Used by one thread.
struct RecordFields: ~Copyable {
    private let count: Int
    private let values: UnsafeMutablePointer<RecordValue>
    private var record = UnsafeRawBufferPointer(start: nil, count: 0)

    /// - Parameter count: The number of leading columns that are read; a record has at least so
    ///   many.
    init(count: Int) {
        self.count = count
        values = .allocate(capacity: count)
    }

    deinit {
        values.deallocate()
    }

    /// Opens a record instead of the previous one.
    ///
    /// - Parameter record: The record; it must stay valid while its values are read.
    /// - Returns: Whether it has all the columns, and all of them lie within it.
    @inline(__always)
    mutating func open(_ record: UnsafeRawBufferPointer) -> Bool {
        self.record = record
        return RecordValue.find(record, count, values)
    }

    /// Whether the record ends with the last column that is read.
    @inline(__always)
    var isWhole: Bool {
        RecordValue.range(UnsafeBufferPointer(start: values + (count &- 1), count: 1)).upperBound
            == record.count
    }

    /// Whether each value has the kind of its column.
    @inline(__always)
    func fit(_ kinds: [RecordValue.Kind]) -> Bool {
        for column in 0..<count where !values[column].fits(kinds[column]) { return false }
        return true
    }

    /// An integer or NULL; false where the column holds something else.
    @inline(__always)
    func integer(_ column: Int, _ value: inout Int64?) -> Bool {
        values[column].integer(record, &value)
    }

    /// The bytes of a text; nil where the column holds something else.
    @inline(__always)
    func text(_ column: Int) -> UnsafeRawBufferPointer? { values[column].text(record) }
}
