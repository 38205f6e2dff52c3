/// The values of one record after the other, as far as they are wanted.
///
/// Used by one thread.
struct RecordFields: ~Copyable {
    private let count: Int
    private let places: UnsafeMutablePointer<RecordValue>
    private var record = UnsafeRawBufferPointer(start: nil, count: 0)

    /// - Parameter count: How many of the first columns are wanted; a record has at least so many.
    init(count: Int) {
        self.count = count
        places = .allocate(capacity: count)
    }

    deinit {
        places.deallocate()
    }

    /// Takes a record in place of the one before.
    ///
    /// - Parameter record: The record; good for as long as its values are asked for.
    /// - Returns: Whether it has the columns, and all of them lie within it.
    @inline(__always)
    mutating func open(_ record: UnsafeRawBufferPointer) -> Bool {
        self.record = record
        return RecordValue.find(record, count, places)
    }

    /// Whether the record ends where its last wanted value does.
    @inline(__always)
    var isWhole: Bool {
        RecordValue.range(UnsafeBufferPointer(start: places + (count &- 1), count: 1)).upperBound
            == record.count
    }

    /// Whether each value is of the kind its column holds.
    @inline(__always)
    func fit(_ kinds: [RecordValue.Kind]) -> Bool {
        for column in 0..<count where !places[column].fits(kinds[column]) { return false }
        return true
    }

    /// An integer or NULL; false where the column holds something else.
    @inline(__always)
    func integer(_ column: Int, _ value: inout Int64?) -> Bool {
        places[column].integer(record, &value)
    }

    /// The bytes of a text; nil where the column holds something else.
    @inline(__always)
    func text(_ column: Int) -> UnsafeRawBufferPointer? { places[column].text(record) }
}
