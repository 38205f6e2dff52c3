import TripDomain

/// Bytes on their way into a file.
///
/// Writing never checks for room: the owner empties the buffer after a record that leaves less
/// room than the longest record takes.
struct OutputBuffer: ~Copyable {
    /// Emptied at this size: large writes, and small enough for the second-level cache.
    static let flushSize = 512 << 10
    /// Room beyond it: more than the longest record, which is one planted to be too long.
    static let slackSize = 512 << 10

    private let storage: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    /// Bytes that were written and emptied before.
    private(set) var emptiedCount = 0

    init() {
        storage = .allocate(capacity: Self.flushSize + Self.slackSize)
    }

    deinit {
        storage.deallocate()
    }

    /// All bytes written so far.
    var totalCount: Int { emptiedCount + count }
    var isFull: Bool { count >= Self.flushSize }

    /// The bytes since the buffer was last emptied.
    func withBytes<Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try body(UnsafeBufferPointer(start: storage, count: count))
    }

    /// The bytes from a place on, counted from the beginning of the file.
    func bytes(from position: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: storage, count: count)[(position - emptiedCount)...])
    }

    mutating func removeAll() {
        emptiedCount += count
        count = 0
    }

    /// Takes back what was written from a place on.
    mutating func removeLast(from position: Int) {
        count = position - emptiedCount
    }

    @inline(__always)
    mutating func add(_ byte: UInt8) {
        storage[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func add(_ bank: borrowing TextBank, _ index: Int) {
        bank.bytes.withUnsafeBufferPointer { bytes in
            bank.offsets.withUnsafeBufferPointer { offsets in
                let start = Int(offsets[index])
                let size = Int(offsets[index + 1]) - start
                // Texts are a few bytes long: a plain loop beats the call to memcpy.
                for place in 0..<size { storage[count + place] = bytes[start + place] }
                count += size
            }
        }
    }

    mutating func add(_ bytes: [UInt8]) {
        precondition(bytes.count <= Self.slackSize, "a record fits into the buffer's slack")
        for byte in bytes { add(byte) }
    }

    mutating func add(_ text: StaticString) {
        text.withUTF8Buffer { for byte in $0 { add(byte) } }
    }

    /// Two digits.
    @inline(__always)
    mutating func addTwo(_ value: Int) {
        add(0x30 &+ UInt8(truncatingIfNeeded: value / 10))
        add(0x30 &+ UInt8(truncatingIfNeeded: value % 10))
    }

    /// A whole number of at least 0, without leading zeros.
    @inline(__always)
    mutating func add(decimal value: Int) {
        addDigits(value, width: Self.width(of: value))
    }

    /// A whole number of at least 0, filled with zeros up to a width.
    @inline(__always)
    mutating func addDigits(_ value: Int, width: Int) {
        var rest = UInt64(value)
        var place = count + width
        count = place
        for _ in 0..<width {
            place -= 1
            storage[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    @inline(__always)
    static func width(of value: Int) -> Int {
        var width = 1
        var limit = 10
        while value >= limit, width < 18 {
            width += 1
            limit *= 10
        }
        return width
    }
}
