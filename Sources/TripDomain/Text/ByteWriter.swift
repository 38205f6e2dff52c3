/// Writes bytes one after the other into a buffer of fixed capacity.
///
/// It exists for JSON answers, which hold thousands of small values. It writes through a pointer,
/// because the spare capacity at the end of an array can be reached in no other way. Every call
/// checks the remaining capacity, so nothing is ever written past the end.
///
/// Inlinable as a whole, because one answer consists of thousands of small writes.
public struct ByteWriter {
    /// The most digits that 64 bits have.
    public static let digitCountMax = 20

    @usableFromInline var end: UnsafeMutablePointer<UInt8>
    @usableFromInline let limit: UnsafeMutablePointer<UInt8>

    /// Inlinable, because `fill` is.
    @inlinable init(
        from start: UnsafeMutablePointer<UInt8>,
        to limit: UnsafeMutablePointer<UInt8>
    ) {
        end = start
        self.limit = limit
    }

    /// Runs a closure that writes into a buffer.
    ///
    /// - Returns: The number of bytes written.
    @inlinable @inline(__always)
    static func fill(
        _ buffer: UnsafeMutableBufferPointer<UInt8>,
        _ body: (inout ByteWriter) -> Void
    ) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        var writer = ByteWriter(from: start, to: start + buffer.count)
        body(&writer)
        return writer.end - start
    }

    /// Writes a byte.
    @inlinable public mutating func put(_ byte: UInt8) {
        precondition(end < limit, "no more bytes are written than the capacity allows")
        end.initialize(to: byte)
        end += 1
    }

    /// Writes some bytes.
    @inlinable public mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        precondition(
            bytes.count <= limit - end,
            "no more bytes are written than the capacity allows"
        )
        end.initialize(from: start, count: bytes.count)
        end += bytes.count
    }

    /// Writes a string literal.
    @inlinable public mutating func put(_ text: StaticString) {
        put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes an integer.
    ///
    /// - Parameters:
    ///   - value: The integer.
    ///   - width: The minimum number of digits; the value is padded with leading zeros.
    @inlinable public mutating func put(decimal value: Int, width: Int = 1) {
        if value < 0 { put(0x2D) }
        put(digitsOf: value.magnitude, width: width)
    }

    /// Writes an integer's digits, last digit first, and then reverses them.
    ///
    /// No `String` is made on the way.
    ///
    /// - Parameters:
    ///   - magnitude: The integer.
    ///   - width: The minimum number of digits; the value is padded with leading zeros.
    @inlinable public mutating func put(digitsOf magnitude: UInt, width: Int) {
        var (low, rest) = (end, magnitude)
        while end - low < width || rest > 0 {
            put(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        var high = end - 1
        while low < high {
            swap(&low.pointee, &high.pointee)
            (low, high) = (low + 1, high - 1)
        }
    }
}

extension String {
    /// The number of bytes a `String` stores inline, without an allocation.
    ///
    /// No date and no month needs more.
    public static let smallSize = 15

    /// Makes a text of the bytes that a closure writes.
    ///
    /// - Parameters:
    ///   - most: The maximum number of bytes; writing more stops the program.
    ///   - body: Writes the bytes, in UTF-8.
    @inlinable public init(upTo most: Int, _ body: (inout ByteWriter) -> Void) {
        self.init(unsafeUninitializedCapacity: most) { ByteWriter.fill($0, body) }
    }
}

extension [UInt8] {
    /// Appends bytes that a closure writes, and checks the capacity once for all of them.
    ///
    /// - Parameters:
    ///   - most: The maximum number of bytes; writing more stops the program.
    ///   - body: Writes the bytes.
    /// - Complexity: O(*n*) in the bytes, amortized.
    @inlinable @inline(__always)
    public mutating func append(upTo most: Int, _ body: (inout ByteWriter) -> Void) {
        append(addingCapacity: most) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                count = ByteWriter.fill(buffer, body)
            }
        }
    }
}
