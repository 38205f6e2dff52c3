internal import Synchronization

/// Memory for gzip members that are expanded at once, used again for file after file.
///
/// Fresh memory of that size has to be cleared by the system. It goes when reading ends.
/// Used with the trait `Libdeflate` alone; without it nothing is ever taken.
public final class ExpansionRoom: Sendable {
    /// 16 MiB: the next file is about as long as the last, and should find room enough.
    private static let step = 16 << 20

    private let lock = Mutex(())
    // Touched under the lock alone. A buffer is used by whoever took it, until it is given back.
    nonisolated(unsafe) private var free: [UnsafeMutableBufferPointer<UInt8>] = []

    /// Makes room that takes no memory yet.
    public init() {}

    deinit {
        for buffer in free { buffer.deallocate() }
    }

    /// A buffer that nobody else uses until it is given back.
    ///
    /// - Parameter size: The bytes it must hold at least.
    /// - Returns: The buffer; what is in it means nothing.
    func take(_ size: Int) -> UnsafeMutableBufferPointer<UInt8> {
        // One that is too small goes, so that there are never more than are in use at a time.
        if let found = lock.withLock({ _ in free.popLast() }) {
            if found.count >= size { return found }
            found.deallocate()
        }
        return .allocate(capacity: max(1, (size + Self.step - 1) / Self.step) * Self.step)
    }

    /// Makes a buffer ready for the next who needs one.
    func giveBack(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        lock.withLock { _ in free.append(buffer) }
    }
}
