import Crypto
import Synchronization

/// A cache of tokens whose signature was verified, by their hashes.
///
/// Verifying a token takes a tenth of a millisecond, and the same token comes with every request.
final class VerifiedTokenCache: Sendable {
    private let state = Mutex<[SHA256Digest: (claims: AccessToken, keyID: String)]>([:])

    /// The most tokens kept; beyond it, all are removed and verified again.
    private static let countMax = 10_000

    /// The hash under which a token is kept.
    static func digest(of token: String) -> SHA256Digest {
        var token = token
        return token.withUTF8 { bytes in
            var hash = SHA256()
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
            return hash.finalize()
        }
    }

    /// The claims of a token, and the id of the key that verified it; nil where it is not in the
    /// cache.
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
