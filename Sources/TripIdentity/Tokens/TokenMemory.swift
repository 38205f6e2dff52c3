import Crypto
import Synchronization

/// Tokens whose signature was found good, by their hashes: checking one takes a tenth of a millisecond,
/// and the same one comes with every request.
final class TokenMemory: Sendable {
    private let state = Mutex<[SHA256Digest: (claims: AccessToken, keyID: String)]>([:])

    /// Tokens at most; beyond, all are forgotten and checked again.
    private static let countMax = 10_000

    /// What a token is known by.
    static func digest(of token: String) -> SHA256Digest {
        var token = token
        return token.withUTF8 { bytes in
            var hash = SHA256()
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
            return hash.finalize()
        }
    }

    /// What a token says, and the key that verified it; nil where it is not known.
    func claims(_ digest: SHA256Digest) -> (claims: AccessToken, keyID: String)? {
        state.withLock { $0[digest] }
    }

    func keep(_ claims: AccessToken, keyID: String, _ digest: SHA256Digest) {
        state.withLock { known in
            if known.count >= Self.countMax { known.removeAll(keepingCapacity: true) }
            known[digest] = (claims, keyID)
        }
    }

    func removeAll() {
        state.withLock { $0.removeAll(keepingCapacity: true) }
    }
}
