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
