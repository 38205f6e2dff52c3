import NIOCore
import Synchronization

/// Finished answers by their tag, so that a question asked again is answered by what is there.
///
/// Tags name generation, question and view: an answer never becomes wrong, and those of replaced generations
/// are merely no longer asked for. When the room is used up, all go.
final class AnswerCache: Sendable {
    /// An answer as it is, and compressed where that is worth it.
    struct Entry: Sendable {
        let plain: ByteBuffer
        let gzip: ByteBuffer?

        init(_ text: [UInt8]) {
            plain = ByteBuffer(bytes: text)
            gzip =
                text.count < GzipText.leastSize
                ? nil : GzipText.bytes(text).map { ByteBuffer(bytes: $0) }
        }

        var size: Int { plain.readableBytes + (gzip?.readableBytes ?? 0) }
    }

    private struct State {
        var entries: [EntityTag: Entry] = [:]
        var size = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: The bytes of answers to be kept at most.
    init(capacity: Int = 32 << 20) {
        self.capacity = capacity
    }

    /// The bytes that are kept.
    var size: Int { state.withLock { $0.size } }

    /// Keeps nothing: for answers that came from a file that turned out to be damaged.
    func removeAll() { state.withLock { $0 = State() } }

    /// The answer of a tag; made where it is not there.
    func entry(_ tag: EntityTag, _ text: () -> [UInt8]) -> Entry {
        if let entry = state.withLock({ $0.entries[tag] }) { return entry }
        // Made outside of the lock: two that ask at once make the same bytes.
        let entry = Entry(text())
        state.withLock { state in
            guard state.entries[tag] == nil, entry.size <= capacity else { return }
            if state.size + entry.size > capacity { state = State() }
            state.entries[tag] = entry
            state.size += entry.size
        }
        return entry
    }
}
