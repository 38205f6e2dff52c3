/// A column of texts of one batch: a code per row into a pool of texts; code 0 is NULL.
///
/// Codes are as narrow as the pool allows. Where all texts are equally long, their end offsets take
/// no memory either. Compare ``TextColumn``, which can grow.
public struct PackedTexts: Sendable {
    /// One code per row.
    public let codes: PackedIntegers
    /// The number of entries of the pool, NULL included; at least 1.
    public let poolCount: Int
    /// The code of the word that replaces a missing value; 0 where no row needs one.
    public let fillerCode: UInt32
    private let bytes: PackedBytes
    private let ends: PackedIntegers

    /// Reads entries and rows without reference counting.
    ///
    /// The caller keeps the column alive while it uses the reader.
    public struct Reader: Sendable {
        /// One code per row.
        public let codes: PackedIntegers.Reader
        // Sendable because what it points to is never written again.
        @usableFromInline nonisolated(unsafe) let bytes: UnsafeRawPointer
        @usableFromInline let ends: PackedIntegers.Reader

        init(codes: PackedIntegers.Reader, bytes: UnsafeRawPointer, ends: PackedIntegers.Reader) {
            self.codes = codes
            self.bytes = bytes
            self.ends = ends
        }

        /// The code of a row.
        @inlinable public func code(_ row: Int) -> Int { Int(truncatingIfNeeded: codes[row]) }

        /// The bytes of an entry; empty for NULL.
        @inlinable public func entry(_ code: Int) -> UnsafeRawBufferPointer {
            guard code > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
            let start = Int(truncatingIfNeeded: ends[code &- 1])
            let end = Int(truncatingIfNeeded: ends[code])
            return UnsafeRawBufferPointer(start: bytes + start, count: end &- start)
        }

        /// The bytes of a row; empty for NULL.
        @inlinable public subscript(row: Int) -> UnsafeRawBufferPointer { entry(code(row)) }
    }

    /// Reads entries and rows.
    public var reader: Reader {
        Reader(codes: codes.reader, bytes: bytes.base, ends: ends.reader)
    }

    /// Packs a column.
    public init(_ column: TextColumn) {
        codes = PackedIntegers(column.codes)
        poolCount = column.pool.count
        fillerCode = column.fillerCode
        bytes = PackedBytes(count: column.pool.bytes.count) {
            $0.copyBytes(from: column.pool.bytes)
        }
        ends = PackedIntegers(column.pool.ends)
    }

    /// One entry as a string; nil for NULL.
    public func string(_ code: Int) -> String? {
        code == 0 ? nil : withEntry(code) { String(decoding: $0, as: UTF8.self) }
    }

    /// One row as a string; nil where it is NULL.
    public func string(row: Int) -> String? { string(Int(codes[row])) }

    /// Calls a closure with the bytes of an entry.
    public func withEntry<Result>(
        _ code: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        withExtendedLifetime(self) { body(reader.entry(code)) }
    }
}
