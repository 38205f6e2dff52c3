/// The values of one record after the other, as far as they are wanted.
///
///     | header size | type | type | … | value | value | …
///
/// Used by one thread.
struct RecordFields: ~Copyable {
    private let count: Int
    private let types: UnsafeMutablePointer<UInt64>
    private let starts: UnsafeMutablePointer<Int>
    private var record = UnsafeRawBufferPointer(start: nil, count: 0)

    /// - Parameter count: How many of the first columns are wanted; a record has at least so many.
    init(count: Int) {
        self.count = count
        types = .allocate(capacity: count)
        types.initialize(repeating: 0, count: count)
        starts = .allocate(capacity: count)
        starts.initialize(repeating: 0, count: count)
    }

    deinit {
        types.deallocate()
        starts.deallocate()
    }

    /// Takes a record in place of the one before.
    ///
    /// - Parameter record: The record; good for as long as its values are asked for.
    /// - Returns: Whether it has the columns, and all of them lie within it.
    @inline(__always)
    mutating func open(_ record: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        guard let size = Varint.read(record, at: &offset, before: record.count),
            size <= UInt64(record.count)
        else { return false }
        let headerSize = Int(size)
        var start = headerSize
        for column in 0..<count {
            guard let type = Varint.read(record, at: &offset, before: headerSize) else {
                return false
            }
            // Larger ones would not fit the sum; 10 and 11 stand for nothing in a file.
            guard type < UInt64(Int32.max), type != 10, type != 11 else { return false }
            types[column] = type
            starts[column] = start
            start &+= Self.size(type)
        }
        self.record = record
        return start <= record.count
    }

    /// An integer or NULL; false where the column holds something else.
    @inline(__always)
    func integer(_ column: Int, _ value: inout Int64?) -> Bool {
        let start = starts[column]
        switch types[column] {
        case 0: value = nil
        case 1: value = Int64(Int8(bitPattern: record[start]))
        case 2: value = Int64(record.bigEndian(at: start, as: Int16.self))
        case 3:
            let high = Int64(Int8(bitPattern: record[start])) << 16
            value = high | Int64(record.bigEndian(at: start + 1, as: UInt16.self))
        case 4: value = Int64(record.bigEndian(at: start, as: Int32.self))
        case 5:
            let high = Int64(record.bigEndian(at: start, as: Int16.self)) << 32
            value = high | Int64(record.bigEndian(at: start + 2, as: UInt32.self))
        case 6: value = record.bigEndian(at: start, as: Int64.self)
        case 8: value = 0
        case 9: value = 1
        default: return false
        }
        return true
    }

    /// The bytes of a text; nil where the column holds something else.
    @inline(__always)
    func text(_ column: Int) -> UnsafeRawBufferPointer? {
        let type = types[column]
        guard type >= 13, type & 1 == 1 else { return nil }
        let start = starts[column]
        return UnsafeRawBufferPointer(rebasing: record[start..<start + Self.size(type)])
    }

    /// The bytes a value of a type takes.
    @inline(__always)
    private static func size(_ type: UInt64) -> Int {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        default: Int(truncatingIfNeeded: type &- 12) / 2
        }
    }
}
