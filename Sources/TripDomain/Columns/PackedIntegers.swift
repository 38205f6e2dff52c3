/// Integers of one column of one batch, in as few bytes per row as their range needs.
///
///     value(row) = base + slope · row + code(row)          code: 0, 1, 2, 4 or 8 bytes per row
///
/// Each time stamp of a month takes 4 bytes, each boolean 1, and a column of one value none. The
/// slope removes steady growth from the codes, as that of record numbers. Column stores call this
/// frame-of-reference encoding (Zukowski et al., "Super-Scalar RAM-CPU Cache Compression",
/// ICDE 2006); here codes are whole bytes, so that any row is read in one step.
public struct PackedIntegers: Sendable {
    /// The number of rows.
    public let count: Int
    /// Reads any row without reference counting.
    ///
    /// The caller keeps the column alive while it uses the reader.
    public private(set) var reader: Reader
    private let bytes: PackedBytes

    /// The values needed to read a row, none of them reference counted.
    public struct Reader: Sendable {
        // Sendable because what it points to is never written again.
        @usableFromInline nonisolated(unsafe) let codes: UnsafeRawPointer
        @usableFromInline var base: Int64
        @usableFromInline let slope: Int64
        @usableFromInline let width: Int
        /// The code for NULL; meaningful only where `hasNulls` is true.
        @usableFromInline let nullCode: UInt64
        /// Whether some row is NULL.
        public let hasNulls: Bool

        init(
            codes: UnsafeRawPointer,
            base: Int64,
            slope: Int64,
            width: Int,
            nullCode: UInt64?
        ) {
            self.codes = codes
            self.base = base
            self.slope = slope
            self.width = width
            self.nullCode = nullCode ?? 0
            hasNulls = nullCode != nil
        }

        // Inlined always, like all functions that read a row: other modules call it for every trip.
        @inlinable @inline(__always) func code(_ row: Int) -> UInt64 {
            switch width {
            case 0: 0
            case 1: UInt64(codes.load(fromByteOffset: row, as: UInt8.self))
            case 2: UInt64(codes.load(fromByteOffset: row &* 2, as: UInt16.self))
            case 4: UInt64(codes.load(fromByteOffset: row &* 4, as: UInt32.self))
            default: codes.load(fromByteOffset: row &* 8, as: UInt64.self)
            }
        }

        // Inlined always: the last step of reading a row.
        @inlinable @inline(__always) func value(ofCode code: UInt64, row: Int) -> Int64 {
            base &+ slope &* Int64(truncatingIfNeeded: row) &+ Int64(truncatingIfNeeded: code)
        }

        // Inlined always: called for every trip.
        /// Whether a row is NULL.
        @inlinable @inline(__always)
        public func isNull(_ row: Int) -> Bool { hasNulls && code(row) == nullCode }

        /// A row's value where no row is NULL, or this one is known not to be.
        @inlinable public subscript(row: Int) -> Int64 {
            // Inlined always: called for every trip.
            @inline(__always) get { value(ofCode: code(row), row: row) }
        }

        // Inlined always: called for every trip.
        /// A row's value; nil where it is NULL.
        @inlinable @inline(__always)
        public func value(_ row: Int) -> Int64? {
            let code = code(row)
            return hasNulls && code == nullCode ? nil : value(ofCode: code, row: row)
        }
    }

    /// A row's value; nil where it is NULL.
    public func value(_ row: Int) -> Int64? { reader.value(row) }

    /// A row's value where no row is NULL, or this one is known not to be.
    public subscript(row: Int) -> Int64 { reader[row] }

    /// Packs integers without NULL.
    ///
    /// - Complexity: O(*n*).
    public init<Value: FixedWidthInteger>(_ values: [Value]) {
        self = values.withUnsafeBufferPointer { Self($0, nulls: nil) }
    }

    /// Packs a column.
    ///
    /// - Complexity: O(*n*).
    public init(_ column: IntegerColumn) {
        self = column.values.withUnsafeBufferPointer { values in
            column.nulls.withUnsafeBufferPointer { nulls in
                Self(values, nulls: nulls.contains(true) ? nulls : nil)
            }
        }
    }

    /// The same integers, each greater by an amount.
    public func raised(by amount: Int64) -> PackedIntegers {
        var copy = self
        copy.reader.base &+= amount
        return copy
    }

    private init<Value: FixedWidthInteger>(
        _ values: UnsafeBufferPointer<Value>,
        nulls: UnsafeBufferPointer<Bool>?
    ) {
        count = values.count
        let spread = FrameOfReference.narrowest(values, nulls: nulls)
        let nullCode = nulls.map { spread.freeCode(values, nulls: $0) }
        bytes = PackedBytes(count: values.count * spread.width) { buffer in
            switch spread.width {
            case 0: break
            case 1: spread.store(values, nulls, nullCode, in: buffer.bindMemory(to: UInt8.self))
            case 2: spread.store(values, nulls, nullCode, in: buffer.bindMemory(to: UInt16.self))
            case 4: spread.store(values, nulls, nullCode, in: buffer.bindMemory(to: UInt32.self))
            default: spread.store(values, nulls, nullCode, in: buffer.bindMemory(to: UInt64.self))
            }
        }
        reader = Reader(
            codes: bytes.base,
            base: spread.least,
            slope: spread.slope,
            width: spread.width,
            nullCode: nullCode
        )
    }
}

/// A run of bytes that is written once and then read by any number of threads.
///
/// Its address does not change, so that loops over many trips can read through a pointer instead
/// of fetching an array for every row. The caller keeps the object alive while it reads.
public final class PackedBytes: @unchecked Sendable {
    // Sendable because nothing writes to the bytes after `init` has returned.

    /// The first byte, aligned to 8.
    public let base: UnsafeRawPointer
    /// How many bytes there are.
    public let count: Int

    /// Makes a run of bytes.
    ///
    /// - Parameters:
    ///   - count: Its size.
    ///   - fill: Writes every one of them.
    public init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        // One byte at least, so that there is an address.
        let start = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 8)
        fill(UnsafeMutableRawBufferPointer(start: start, count: count))
        base = UnsafeRawPointer(start)
        self.count = count
    }

    deinit {
        base.deallocate()
    }
}

/// The straight line and the code width that ``PackedIntegers`` stores a column with.
///
/// A code is the distance of a value from the line.
struct FrameOfReference {
    /// The difference of the line between one row and the next.
    let slope: Int64
    /// The least distance from the line: the value of code 0.
    let least: Int64
    /// The greatest code of a value.
    let range: UInt64
    /// The bytes of a code: 0, 1, 2, 4 or 8.
    let width: Int

    /// The line whose codes are narrowest: a level one, or the one through the first and the last
    /// value.
    static func narrowest<Value: FixedWidthInteger>(
        _ values: UnsafeBufferPointer<Value>,
        nulls: UnsafeBufferPointer<Bool>?
    ) -> FrameOfReference {
        let level = FrameOfReference(values, nulls: nulls, slope: 0)
        guard nulls == nil, let first = values.first, let last = values.last, values.count > 1
        else { return level }
        let (rise, overflows) = Int64(truncatingIfNeeded: last)
            .subtractingReportingOverflow(Int64(truncatingIfNeeded: first))
        let slope = rise / Int64(values.count - 1)
        guard !overflows, slope != 0, level.width > 0 else { return level }
        let steep = FrameOfReference(values, nulls: nil, slope: slope)
        return steep.width < level.width ? steep : level
    }

    private init<Value: FixedWidthInteger>(
        _ values: UnsafeBufferPointer<Value>,
        nulls: UnsafeBufferPointer<Bool>?,
        slope: Int64
    ) {
        var (least, greatest) = (Int64.max, Int64.min)
        var line: Int64 = 0
        for row in values.indices {
            if nulls?[row] != true {
                let rest = Int64(truncatingIfNeeded: values[row]) &- line
                least = min(least, rest)
                greatest = max(greatest, rest)
            }
            line &+= slope
        }
        let isEmpty = least > greatest
        self.slope = slope
        self.least = isEmpty ? 0 : least
        range = isEmpty ? 0 : UInt64(bitPattern: greatest &- least)
        // NULL takes one code more.
        let codes = nulls == nil || range == .max ? range : range + 1
        width =
            switch codes {
            case 0: 0
            case ..<(1 << 8): 1
            case ..<(1 << 16): 2
            case ..<(1 << 32): 4
            default: 8
            }
    }

    /// A code that no value has.
    func freeCode<Value: FixedWidthInteger>(
        _ values: UnsafeBufferPointer<Value>,
        nulls: UnsafeBufferPointer<Bool>
    ) -> UInt64 {
        guard range == .max else { return range + 1 }
        // The values span all of 64 bits, but there are far fewer values than codes.
        var used: Set<UInt64> = []
        for row in values.indices where !nulls[row] {
            used.insert(UInt64(bitPattern: Int64(truncatingIfNeeded: values[row]) &- least))
        }
        return (0...UInt64(values.count)).first { !used.contains($0) } ?? 0
    }

    /// Writes one code per value.
    func store<Value: FixedWidthInteger, Code: FixedWidthInteger & UnsignedInteger>(
        _ values: UnsafeBufferPointer<Value>,
        _ nulls: UnsafeBufferPointer<Bool>?,
        _ nullCode: UInt64?,
        in codes: UnsafeMutableBufferPointer<Code>
    ) {
        var line = least
        for row in values.indices {
            codes[row] = Code(truncatingIfNeeded: Int64(truncatingIfNeeded: values[row]) &- line)
            line &+= slope
        }
        guard let nulls, let nullCode else { return }
        for row in values.indices where nulls[row] { codes[row] = Code(nullCode) }
    }
}
