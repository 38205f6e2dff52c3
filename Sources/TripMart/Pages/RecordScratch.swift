/// One record that is built value by value, in contiguous memory.
///
///     | space for sizes … | serial types | values …            |
///                         ^ typesStart   ^ valuesStart ^ valuesEnd
///
/// The serial types grow towards `valuesStart`, one byte each. Where a type takes more bytes, those
/// before it move down; that happens from texts of 58 bytes on. So the record needs no second pass,
/// and a wrong number of columns is detected.
struct RecordScratch: ~Copyable {
    /// The bytes before the types that are reserved for the sizes of cell and header and for the
    /// rowid.
    private static let sizesCapacity = 32

    let columnCount: Int
    private var bytes: UnsafeMutableRawPointer
    private var capacity: Int
    private let valuesStart: Int
    private var typesStart: Int
    private var typesEnd: Int
    private var valuesEnd: Int

    init(columnCount: Int) {
        self.columnCount = columnCount
        valuesStart = Self.sizesCapacity + 9 * columnCount
        typesStart = valuesStart - columnCount
        typesEnd = typesStart
        valuesEnd = valuesStart
        capacity = valuesStart + 8 * columnCount + 4096
        bytes = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }

    // MARK: Values, in the order of the columns

    @inline(__always)
    mutating func appendNull() {
        append(type: 0)
    }

    @inline(__always)
    mutating func append(integer value: Int64) {
        // The number of bytes of the value with its sign, from 1 to 8, selects type and width in
        // two constants of four bits each; 0 and 1 have their own types. There is no branch: small
        // codes are unpredictable.
        let magnitude = value ^ (value &>> 63)
        let step = UInt32(truncatingIfNeeded: (64 &- magnitude.leadingZeroBitCount) &>> 3) &<< 2
        let isConstant = UInt64(bitPattern: value) < 2
        let type =
            isConstant
            ? 8 | UInt8(truncatingIfNeeded: value)
            : UInt8(truncatingIfNeeded: (0x6655_4321 as UInt32) &>> step) & 0xF
        let width = isConstant ? 0 : Int((0x8866_4321 as UInt32) &>> step) & 0xF
        let aligned = UInt64(bitPattern: value) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* width)
        append(type: type)
        bytes.storeBytes(of: aligned.bigEndian, toByteOffset: valuesEnd, as: UInt64.self)
        valuesEnd &+= width
    }

    /// Appends a double as SQLite stores it in a REAL column.
    ///
    /// Doubles without a fraction are stored as integers of up to six bytes, −0.0 as 0; NaN is
    /// NULL.
    @inline(__always)
    mutating func append(real value: Double) {
        if value.magnitude < 0x1p47 {
            let whole = Int64(value)
            if Double(whole) == value { return append(integer: whole) }
        }
        appendFraction(value)
    }

    private mutating func appendFraction(_ value: Double) {
        if value.isNaN { return appendNull() }
        if value == -0x1p47 { return append(integer: Int64(value)) }
        append(type: 7)
        let bits = value.bitPattern.bigEndian
        bytes.storeBytes(of: bits, toByteOffset: valuesEnd, as: UInt64.self)
        valuesEnd &+= 8
    }

    /// Appends a UTF-8 text.
    @inline(__always)
    mutating func append(text: UnsafeRawBufferPointer) {
        append(text, type: 13 &+ 2 &* UInt64(truncatingIfNeeded: text.count))
    }

    @inline(__always)
    mutating func append(blob: UnsafeRawBufferPointer) {
        append(blob, type: 12 &+ 2 &* UInt64(truncatingIfNeeded: blob.count))
    }

    /// Appends adjacent values of a record, unchanged.
    @inline(__always)
    mutating func append(
        _ values: UnsafeBufferPointer<RecordValue>,
        of bytes: UnsafeRawBufferPointer
    ) {
        for value in values { append(anyType: UInt64(value.type)) }
        append(run: UnsafeRawBufferPointer(rebasing: bytes[RecordValue.range(values)]))
    }

    @inline(__always)
    private mutating func append(_ run: UnsafeRawBufferPointer, type: UInt64) {
        append(anyType: type)
        append(run: run)
    }

    @inline(__always)
    private mutating func append(anyType type: UInt64) {
        if type < 0x80 {
            append(type: UInt8(truncatingIfNeeded: type))
        } else {
            appendLong(type: type)
        }
    }

    /// Appends bytes; they normally fit in the allocated memory.
    @inline(__always)
    private mutating func append(run: UnsafeRawBufferPointer) {
        guard let start = run.baseAddress, run.count > 0 else { return }
        if valuesEnd &+ run.count &+ 8 &* columnCount &+ 16 > capacity { grow(by: run.count) }
        Self.copy(start, to: bytes + valuesEnd, run.count)
        valuesEnd &+= run.count
    }

    @inline(__always)
    private mutating func append(type: UInt8) {
        assert(typesEnd < valuesStart, "a row has as many values as its table has columns")
        bytes.storeBytes(of: type, toByteOffset: typesEnd, as: UInt8.self)
        typesEnd &+= 1
    }

    private mutating func appendLong(type: UInt64) {
        assert(typesEnd < valuesStart, "a row has as many values as its table has columns")
        let extra = Varint.size(type) - 1
        (bytes + typesStart - extra)
            .copyMemory(from: bytes + typesStart, byteCount: typesEnd - typesStart)
        Varint.write(type, to: bytes + typesEnd - extra)
        typesStart -= extra
        typesEnd += 1
    }

    private mutating func grow(by count: Int) {
        let larger = max(2 * capacity, valuesEnd + count + 8 * columnCount + 16)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        moved.copyMemory(from: bytes, byteCount: valuesEnd)
        bytes.deallocate()
        bytes = moved
        capacity = larger
    }

    /// Copies a few bytes, by two overlapping moves where that is enough.
    @inline(__always)
    private static func copy(
        _ from: UnsafeRawPointer,
        to target: UnsafeMutableRawPointer,
        _ count: Int
    ) {
        if count > 16 || count < 8 { return target.copyMemory(from: from, byteCount: count) }
        let first = from.loadUnaligned(as: UInt64.self)
        let last = from.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        target.storeBytes(of: first, as: UInt64.self)
        target.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
    }

    // MARK: The finished record

    /// Puts the header's size before the types and starts the next record.
    ///
    /// - Returns: The record; valid until the next value is appended. The bytes before it may be
    ///   used for the sizes of a cell.
    @inline(__always)
    mutating func finish() -> UnsafeMutableRawBufferPointer {
        precondition(
            typesEnd == valuesStart,
            "a row has as many values as its table has columns"
        )
        let typesSize = typesEnd &- typesStart
        // The size of the header counts its own bytes.
        var headerSize = typesSize &+ 1
        if headerSize > 127 {
            headerSize &+= 1
            if headerSize > 16_383 { headerSize &+= 1 }
        }
        let start = valuesStart &- headerSize
        Varint.write(UInt64(truncatingIfNeeded: headerSize), to: bytes + start)
        let record = UnsafeMutableRawBufferPointer(
            start: bytes + start,
            count: valuesEnd &- start
        )
        typesStart = valuesStart &- columnCount
        typesEnd = typesStart
        valuesEnd = valuesStart
        return record
    }
}
