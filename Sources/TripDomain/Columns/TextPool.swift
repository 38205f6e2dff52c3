/// Many texts in one array of bytes.
///
/// Entry 0 is NULL and has no bytes.
///
///     bytes   | s t a t i o n 5 2 8 A 8 … |
///     ends    [0, 3, 8, …]     entry i is bytes[ends[i - 1] ..< ends[i]], i ≥ 1
///
/// A column of few distinct values keeps each once and refers to it by code, so that a rule or a
/// lookup reads the distinct values instead of the trips.
public struct TextPool: Sendable {
    /// The bytes of all entries, one after the other; UTF-8.
    public private(set) var bytes: [UInt8]
    /// Where each entry ends in `bytes`; `ends[0]` is 0.
    public private(set) var ends: [UInt32]

    /// Makes a pool that holds NULL alone.
    public init() {
        bytes = []
        ends = [0]
    }

    /// Makes a pool of NULL and the given texts, in order.
    public init(_ texts: [String]) {
        self.init()
        for text in texts {
            append(text)
        }
    }

    /// The number of entries, NULL included; at least 1.
    @inlinable public var count: Int { ends.count }

    /// Appends a text and returns its code.
    ///
    /// - Precondition: the pool stays below 4 GiB of bytes.
    @discardableResult
    public mutating func append(_ text: String) -> UInt32 {
        bytes.append(contentsOf: text.utf8)
        return closeEntry()
    }

    /// Appends a text given as UTF-8 bytes and returns its code.
    ///
    /// - Precondition: the pool stays below 4 GiB of bytes.
    @discardableResult
    public mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes.append(contentsOf: text)
        return closeEntry()
    }

    /// Appends a text given as UTF-8 bytes and returns its code.
    ///
    /// - Precondition: the pool stays below 4 GiB of bytes.
    @discardableResult
    public mutating func append(_ text: ArraySlice<UInt8>) -> UInt32 {
        bytes.append(contentsOf: text)
        return closeEntry()
    }

    /// Reserves memory for many appends.
    public mutating func reserveCapacity(entries: Int, bytes byteCount: Int) {
        ends.reserveCapacity(entries)
        bytes.reserveCapacity(byteCount)
    }

    /// The bytes of one entry; empty for NULL.
    @inlinable public func slice(_ code: UInt32) -> ArraySlice<UInt8> {
        code == 0 ? bytes[0..<0] : bytes[range(code)]
    }

    /// Where one entry lies in `bytes`.
    ///
    /// - Precondition: `code` is not 0.
    @inlinable public func range(_ code: UInt32) -> Range<Int> {
        Int(ends[Int(code) - 1])..<Int(ends[Int(code)])
    }

    /// One entry as a string; nil for NULL.
    public func string(_ code: UInt32) -> String? {
        code == 0 ? nil : String(decoding: bytes[range(code)], as: UTF8.self)
    }

    private mutating func closeEntry() -> UInt32 {
        precondition(bytes.count <= Int(UInt32.max), "a text pool stays below 4 GiB")
        ends.append(UInt32(bytes.count))
        return UInt32(ends.count - 1)
    }
}
