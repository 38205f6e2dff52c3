import Synchronization

/// Finished answers by their tag, so that a question asked again is answered by what is there.
///
/// Tags name generation, question and view: an answer never becomes wrong, and those of replaced
/// generations are merely no longer asked for. An answer made from a file that turned out to be
/// damaged is not given again, since the repaired file is another object. Half of the space is for
/// the answers that were asked for last; when it is full, it becomes the other half, whose answers
/// are dropped unless they were asked for meanwhile.
final class AnswerCache: Sendable {
    private struct Key: Hashable {
        /// The memory of a key beside its answer, in bytes: its tag, and its slot in a table that
        /// may be half empty.
        static let size = 256

        let tag: EntityTag
        let instance: Int
        /// Compressing takes longer than all else: it is done for clients that accept it.
        let isCompressed: Bool
    }

    private struct State {
        var last: [Key: AnswerBody] = [:]
        var before: [Key: AnswerBody] = [:]
        var (lastSize, beforeSize) = (0, 0)

        /// An answer that is there, which is one of the last from now on.
        mutating func find(_ key: Key, capacity: Int) -> AnswerBody? {
            if let body = last[key] { return body }
            guard let body = before.removeValue(forKey: key) else { return nil }
            beforeSize -= Self.size(of: body)
            keep(body, key, capacity: capacity)
            return body
        }

        mutating func keep(_ body: AnswerBody, _ key: Key, capacity: Int) {
            let (half, size) = (capacity / 2, Self.size(of: body))
            guard size <= half, last[key] == nil else { return }
            if lastSize + size > half {
                (before, beforeSize) = (last, lastSize)
                (last, lastSize) = ([:], 0)
            }
            last[key] = body
            lastSize += size
        }

        private static func size(of body: AnswerBody) -> Int { body.size + Key.size }
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: The bytes of memory that answers may take.
    init(capacity: Int = 48 << 20) {
        self.capacity = capacity
    }

    /// The bytes of memory that are taken.
    var size: Int { state.withLock { $0.lastSize + $0.beforeSize } }

    /// The answer of a tag; made where it is not there.
    ///
    /// - Parameters:
    ///   - tag: What the bytes depend on.
    ///   - instance: The object they are made from.
    ///   - isCompressed: Whether its reader takes it compressed.
    ///   - text: Makes them.
    /// - Returns: The answer.
    func body(
        _ tag: EntityTag,
        from instance: Int,
        isCompressed: Bool,
        _ text: () -> [UInt8]
    ) -> AnswerBody {
        let key = Key(tag: tag, instance: instance, isCompressed: isCompressed)
        if let body = state.withLock({ $0.find(key, capacity: capacity) }) { return body }
        // Made outside of the lock: two requests at once make the same bytes.
        let body = AnswerBody(text(), isCompressed: isCompressed)
        state.withLock { $0.keep(body, key, capacity: capacity) }
        return body
    }
}
