internal import Synchronization

/// A pool of buffers for gzip members that are expanded at once, reused from file to file.
///
/// Reuse saves the time in which the system clears fresh memory of that size. The buffers are freed
/// with the pool, when reading ends. Only the trait `Libdeflate` uses the pool; without it no
/// buffer is ever allocated.
public final class ExpansionBuffers: Sendable {
    /// 16 MiB: sizes are rounded up, so that a slightly longer next file fits the same buffer.
    private static let step = 16 << 20

    private let lock = Mutex(())
    // Accessed only under the lock. A buffer belongs to one caller until it is given back.
    nonisolated(unsafe) private var free: [UnsafeMutableBufferPointer<UInt8>] = []

    /// Makes an empty pool.
    public init() {}

    deinit {
        for buffer in free { buffer.deallocate() }
    }

    /// Takes a buffer, which no other caller gets until it is given back.
    ///
    /// - Parameter size: The minimum size in bytes.
    /// - Returns: The buffer; its content is undefined.
    func take(_ size: Int) -> UnsafeMutableBufferPointer<UInt8> {
        // A buffer that is too small is freed, so that the pool never holds more buffers than
        // callers use at a time.
        if let found = lock.withLock({ _ in free.popLast() }) {
            if found.count >= size { return found }
            found.deallocate()
        }
        return .allocate(capacity: max(1, (size + Self.step - 1) / Self.step) * Self.step)
    }

    /// Returns a buffer to the pool.
    func giveBack(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        lock.withLock { _ in free.append(buffer) }
    }
}
