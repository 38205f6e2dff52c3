import TripDomain

/// A buffer of bytes to be written to a file.
///
/// Adding bytes never checks the capacity: the owner empties the buffer as soon as the remaining
/// capacity may be less than the longest record.
struct OutputBuffer: ~Copyable {
    /// The size at which it is emptied: large writes, and small enough for the second-level cache.
    static let flushSize = 512 << 10
    /// The capacity beyond it: more than the longest record, which is one planted to be too long.
    static let slackSize = 512 << 10

    private let storage: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    /// The number of bytes removed by emptying so far.
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

    /// The bytes from a position on, counted from the beginning of the file.
    func bytes(from position: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: storage, count: count)[(position - emptiedCount)...])
    }

    mutating func removeAll() {
        emptiedCount += count
        count = 0
    }

    /// Removes the bytes from a position on, counted from the beginning of the file.
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
                // Texts are a few bytes long: a plain loop is faster than a call to memcpy.
                for index in 0..<size { storage[count + index] = bytes[start + index] }
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
        var index = count + width
        count = index
        for _ in 0..<width {
            index -= 1
            storage[index] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
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
