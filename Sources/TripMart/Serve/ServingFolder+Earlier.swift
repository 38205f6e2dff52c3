import Synchronization
import TripDomain

/// What a client saw in an earlier generation, and sees again beside the served one.
extension ServingFolder {
    /// The numbers of an earlier generation as they were published.
    ///
    /// It reads the generation's history file, and so must be called on a thread that may block.
    ///
    /// - Parameters:
    ///   - number: The generation.
    ///   - served: The generation beside whose numbers they are shown.
    /// - Returns: The numbers; nil where there is no such generation, where it cannot be read, or
    ///   where one of the two has generated trips and the other has not.
    /// - Complexity: O(*n*) in the cells of its cube; a look-up for those that were asked for last.
    public func earlier(_ number: Int, than served: ServedGeneration) -> EarlierNumbers? {
        earlierNumbers.numbers(of: number, beside: served, history)
    }
}

/// The earlier generations that were asked for last.
final class EarlierNumbersCache: Sendable {
    private struct Key: Hashable {
        let number: Int
        /// The served generation as an object: after it, other files may be there.
        let instance: Int
    }

    /// Most clients come from the same few nights; one takes about 2 MB.
    private static let limit = 4

    private let kept = Mutex<[(key: Key, numbers: EarlierNumbers)]>([])

    /// The numbers of a generation; two concurrent callers may both read them.
    func numbers(
        of number: Int,
        beside served: ServedGeneration,
        _ history: HistoryIndex
    ) -> EarlierNumbers? {
        let key = Key(number: number, instance: served.instance)
        if let known = kept.withLock({ $0.first { $0.key == key } }) { return known.numbers }
        guard let entry = history.entry(number),
            let current = history.entry(served.header.number),
            entry.isSynthetic == current.isSynthetic,
            // A damaged file has nothing to compare with.
            let numbers = try? EarlierNumbers(number, month: nil, in: history.folder)
        else { return nil }
        kept.withLock { kept in
            kept.removeAll { $0.key == key || $0.key.instance != key.instance }
            kept = [(key, numbers)] + kept.prefix(Self.limit - 1)
        }
        return numbers
    }
}
