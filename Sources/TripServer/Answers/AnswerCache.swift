import NIOCore
import Synchronization

/// Finished answers by their tag, so that a question asked again is answered by what is there.
///
/// Tags name generation, question and view: an answer never becomes wrong, and those of replaced generations
/// are merely no longer asked for. What was made from a file that turned out to be damaged is not answered again, since the
/// repaired one is another object. When the room is used up, all go.
final class AnswerCache: Sendable {
    /// An answer as it is, and compressed where that is worth it.
    struct Entry: Sendable {
        let plain: ByteBuffer
        let gzip: ByteBuffer?

        /// - Parameters:
        ///   - text: The answer.
        ///   - isCompressed: Whether it is compressed as well, where that is worth it.
        init(_ text: [UInt8], isCompressed: Bool = true) {
            plain = ByteBuffer(bytes: text)
            gzip =
                isCompressed && text.count >= GzipText.leastSize
                ? GzipText.bytes(text).map { ByteBuffer(bytes: $0) } : nil
        }

        var size: Int { plain.readableBytes + (gzip?.readableBytes ?? 0) }
    }

    private struct Key: Hashable {
        let tag: EntityTag
        let instance: Int
        /// Compressing takes longer than all else: it is done for those who take it so.
        let isCompressed: Bool
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var size = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: The bytes of answers to be kept at most.
    init(capacity: Int = 16 << 20) {
        self.capacity = capacity
    }

    /// The bytes that are kept.
    var size: Int { state.withLock { $0.size } }

    /// The answer of a tag; made where it is not there.
    ///
    /// - Parameters:
    ///   - tag: What the bytes depend on.
    ///   - instance: The object they are made from.
    ///   - isCompressed: Whether its reader takes it compressed.
    ///   - text: Makes them.
    /// - Returns: The answer.
    func entry(
        _ tag: EntityTag,
        from instance: Int,
        isCompressed: Bool = true,
        _ text: () -> [UInt8]
    ) -> Entry {
        let key = Key(tag: tag, instance: instance, isCompressed: isCompressed)
        if let entry = state.withLock({ $0.entries[key] }) { return entry }
        // Made outside of the lock: two that ask at once make the same bytes.
        let entry = Entry(text(), isCompressed: isCompressed)
        state.withLock { state in
            guard state.entries[key] == nil, entry.size <= capacity else { return }
            if state.size + entry.size > capacity { state = State() }
            state.entries[key] = entry
            state.size += entry.size
        }
        return entry
    }
}
