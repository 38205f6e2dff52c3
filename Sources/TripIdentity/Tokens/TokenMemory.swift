import Synchronization

/// Tokens whose signature was found good, by their hashes: checking one takes a tenth of a millisecond,
/// and the same one comes with every request.
final class TokenMemory: Sendable {
    private let state = Mutex<[String: (claims: AccessToken, keyID: String)]>([:])

    /// Tokens at most; beyond, all are forgotten and checked again.
    private static let countMax = 10_000

    /// What a token says, and the key that verified it; nil where it is not known.
    func claims(_ mark: String) -> (claims: AccessToken, keyID: String)? {
        state.withLock { $0[mark] }
    }

    func keep(_ claims: AccessToken, keyID: String, _ mark: String) {
        state.withLock { known in
            if known.count >= Self.countMax { known.removeAll(keepingCapacity: true) }
            known[mark] = (claims, keyID)
        }
    }

    func removeAll() {
        state.withLock { $0.removeAll(keepingCapacity: true) }
    }
}
