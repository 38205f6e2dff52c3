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
