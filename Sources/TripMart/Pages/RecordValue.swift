/// The position and the type of one value of a record.
///
///     | header size | type | type | … | value | value | …
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html#record_format>
struct RecordValue {
    /// The serial type.
    let type: UInt32
    private let start: UInt32

    /// The range of the bytes of adjacent values; at least one value.
    @inline(__always)
    static func range(_ values: UnsafeBufferPointer<RecordValue>) -> Range<Int> {
        let last = values[values.count - 1]
        let width = last.type < 12 ? Self.width(last.type) : (last.type &- 12) / 2
        return Int(values[0].start)..<Int(last.start &+ width)
    }

    /// The kind of a column.
    enum Kind: UInt32 {
        case integer = 0b00111
        case real = 0b01111
        case text = 0b10001
        case requiredInteger = 0b00110
    }

    /// Whether a column of the kind may hold the value; all kinds except the required one allow
    /// NULL.
    @inline(__always)
    func fits(_ kind: Kind) -> Bool {
        // One bit each for NULL, an integer, a constant, a double, a text and a blob.
        let bit: UInt32 =
            type >= 12
            ? 4 &+ (type & 1 ^ 1)
            : UInt32(truncatingIfNeeded: 0x22_3111_1110 as UInt64 &>> UInt64(4 &* type)) & 7
        return kind.rawValue &>> bit & 1 == 1
    }

    /// Finds the first values of a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - count: The number of values.
    ///   - values: Receives their positions.
    ///   - base: The offset of the record in the bytes that values will be read from.
    /// - Returns: Whether the record has that many, and all of them lie within it.
    @inline(__always)
    static func find(
        _ record: UnsafeRawBufferPointer,
        _ count: Int,
        _ values: UnsafeMutablePointer<RecordValue>,
        base: Int = 0
    ) -> Bool {
        // Normally all types are small: one byte each, after the byte of the header's size.
        guard record.count > count, base &+ record.count < Int(Int32.max), record[0] > count,
            record[0] < 0x80
        else { return findLong(record, count, values, base) }
        let origin = UInt32(truncatingIfNeeded: base)
        var start = UInt32(record[0])
        for column in 0..<count {
            let type = UInt32(record[1 &+ column])
            guard type < 0x80, type &- 10 > 1 else { return findLong(record, count, values, base) }
            values[column] = RecordValue(type: type, start: origin &+ start)
            start &+= type < 12 ? width(type) : (type &- 12) / 2
        }
        return Int(start) <= record.count
    }

    private static func findLong(
        _ record: UnsafeRawBufferPointer,
        _ count: Int,
        _ values: UnsafeMutablePointer<RecordValue>,
        _ base: Int
    ) -> Bool {
        var offset = 0
        guard base + record.count < Int(Int32.max),
            let size = Varint.read(record, at: &offset, before: record.count),
            size <= UInt64(record.count)
        else { return false }
        var start = Int(size)
        for column in 0..<count {
            guard let type = Varint.read(record, at: &offset, before: Int(size)) else {
                return false
            }
            // Larger types would overflow the sum; 10 and 11 are reserved and never occur in a
            // file.
            guard type < UInt64(Int32.max), type != 10, type != 11 else { return false }
            values[column] = RecordValue(type: UInt32(type), start: UInt32(base + start))
            start += type < 12 ? Int(width(UInt32(type))) : Int(type - 12) / 2
            guard start <= record.count else { return false }
        }
        return true
    }

    /// An integer or NULL; false for another type.
    @inline(__always)
    func integer(_ bytes: UnsafeRawBufferPointer, _ value: inout Int64?) -> Bool {
        let start = Int(start)
        if type &- 1 < 6 {
            // Eight bytes are read where they exist, and the bytes after the value are shifted out.
            guard start &+ 8 <= bytes.count else { return lastInteger(bytes, &value) }
            let word = bytes.bigEndian(at: start, as: Int64.self)
            value = word &>> Int64(64 &- 8 &* Self.width(type))
            return true
        }
        value = type == 0 ? nil : Int64(type &- 8)
        return type == 0 || type &- 8 < 2
    }

    /// An integer, or 0 for NULL, without a branch; for codes, millions of them.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that contain the value, with at least eight bytes from its start.
    ///   - isFit: Set to false for another type.
    /// - Returns: The integer; undefined for another type.
    @inline(__always)
    func code(_ bytes: UnsafeRawBufferPointer, _ isFit: inout Bool) -> Int {
        // Neither an integer of eight bytes, which no code has, nor a double.
        isFit = isFit && type < 10 && type &- 6 > 1
        // Shifted in two steps, since a value without bytes would have to be shifted by 64; such a
        // value is 0, except for type 9.
        let word = bytes.bigEndian(at: Int(start), as: Int64.self) &>> 1
        let value = word &>> Int64(truncatingIfNeeded: 63 &- 8 &* Self.width(type & 15))
        return Int(type &- 1 < 5 ? value : 0) &+ (type == 9 ? 1 : 0)
    }

    /// An integer at the end of all bytes.
    private func lastInteger(_ bytes: UnsafeRawBufferPointer, _ value: inout Int64?) -> Bool {
        let start = Int(start)
        var word = Int64(Int8(bitPattern: bytes[start]))
        for index in 1..<max(1, Int(Self.width(type))) {
            word = word << 8 | Int64(bytes[start + index])
        }
        value = word
        return true
    }

    /// A double or NULL, as a REAL column stores it: whole numbers are integers; false for another
    /// type.
    @inline(__always)
    func real(_ bytes: UnsafeRawBufferPointer, _ value: inout Double?) -> Bool {
        guard type != 7 else {
            value = Double(bitPattern: bytes.bigEndian(at: Int(start), as: UInt64.self))
            return true
        }
        var whole: Int64?
        guard integer(bytes, &whole) else { return false }
        value = whole.map(Double.init)
        return true
    }

    /// The bytes of a text; nil for another type.
    @inline(__always)
    func text(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard type >= 13, type & 1 == 1 else { return nil }
        let start = Int(start)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(type &- 12) / 2])
    }

    /// The number of bytes of a value with a type below 12: one hexadecimal digit each, the last
    /// for type 0.
    @inline(__always)
    private static func width(_ type: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (0x88_6432_10 as UInt64) &>> UInt64(4 &* type)) & 0xF
    }
}

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
