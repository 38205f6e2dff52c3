/// Writes bytes one after the other into room that was made for them: where text is made by the thousand.
///
/// It writes by address, as the room of an array's end has no other. It never writes past the end: each byte asks.
struct BytePen {
    /// The most digits that 64 bits have.
    static let digitCountMax = 20

    private var end: UnsafeMutablePointer<UInt8>
    private let limit: UnsafeMutablePointer<UInt8>

    /// Writes into room for some bytes.
    ///
    /// - Returns: How many were written.
    @inline(__always)
    fileprivate static func fill(
        _ room: UnsafeMutableBufferPointer<UInt8>,
        _ body: (inout BytePen) -> Void
    ) -> Int {
        guard let start = room.baseAddress else { return 0 }
        var pen = BytePen(end: start, limit: start + room.count)
        body(&pen)
        return pen.end - start
    }

    /// Writes a byte.
    mutating func put(_ byte: UInt8) {
        precondition(end < limit, "more is written than there is room for")
        end.initialize(to: byte)
        end += 1
    }

    /// Writes some bytes.
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        precondition(bytes.count <= limit - end, "more is written than there is room for")
        end.initialize(from: start, count: bytes.count)
        end += bytes.count
    }

    /// Writes what stands in the program.
    mutating func put(_ text: StaticString) {
        put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes an integer.
    ///
    /// - Parameters:
    ///   - value: The integer.
    ///   - width: How many digits there are at least, with zeros in front.
    mutating func put(decimal value: Int, width: Int = 1) {
        if value < 0 { put(0x2D) }
        put(digitsOf: value.magnitude, width: width)
    }

    /// Writes an integer's digits, the last first and then turned round: no text is made for it.
    ///
    /// - Parameters:
    ///   - magnitude: The integer.
    ///   - width: How many there are at least, with zeros in front.
    mutating func put(digitsOf magnitude: UInt, width: Int) {
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
    /// So many bytes are kept in place, without an allocation; no date and no month has more.
    static let smallSize = 15

    /// Makes a text of what a pen writes.
    ///
    /// - Parameters:
    ///   - most: How many bytes it may write; more ends the program.
    ///   - body: Writes them, in UTF-8.
    init(upTo most: Int, _ body: (inout BytePen) -> Void) {
        self.init(unsafeUninitializedCapacity: most) { BytePen.fill($0, body) }
    }
}

extension [UInt8] {
    /// Appends bytes that a pen writes, with one look at the room there is for all of them.
    ///
    /// - Parameters:
    ///   - most: How many bytes it may write; more ends the program.
    ///   - body: Writes them.
    /// - Complexity: O(*n*) in the bytes, amortized.
    @inline(__always)
    mutating func append(upTo most: Int, _ body: (inout BytePen) -> Void) {
        append(addingCapacity: most) { span in
            span.withUnsafeMutableBufferPointer { room, count in count = BytePen.fill(room, body) }
        }
    }
}
