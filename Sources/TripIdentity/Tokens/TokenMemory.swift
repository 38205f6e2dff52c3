import Synchronization

/// Tokens whose signature was found good, by their hashes: checking one takes a tenth of a millisecond,
/// and the same one comes with every request.
final class TokenMemory: Sendable {
    private let state = Mutex<[String: AccessToken]>([:])

    /// Tokens at most; beyond, all are forgotten and checked again.
    private static let countMax = 10_000

    /// What a token says; nil where it is not known.
    func claims(_ mark: String) -> AccessToken? {
        state.withLock { $0[mark] }
    }

    func keep(_ claims: AccessToken, _ mark: String) {
        state.withLock { known in
            if known.count >= Self.countMax { known.removeAll(keepingCapacity: true) }
            known[mark] = claims
        }
    }

    func removeAll() {
        state.withLock { $0.removeAll(keepingCapacity: true) }
    }
}
