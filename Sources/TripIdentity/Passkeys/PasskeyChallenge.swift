import Crypto

/// What an authenticator is to sign: a time and random bytes, sealed, so that nothing is kept of it until
/// somebody has signed it.
///
///     8 bytes    when it is too old, in seconds of UTC
///     1 byte     how many tries in a row came to nothing on the page before
///     16 bytes   random
///     32 bytes   HMAC-SHA-256 over all of it and what it is for
struct PasskeyChallenge {
    private let key: SymmetricKey
    private let purpose: String

    /// For how many seconds a page may lie open.
    static let lifetime: Int64 = 600

    /// Challenges for one purpose.
    ///
    /// - Parameters:
    ///   - secret: What they are sealed with.
    ///   - account: For whom a passkey is made; nil for signing in.
    init(secret: [UInt8], making account: Int64? = nil) {
        key = SymmetricKey(data: secret)
        purpose = account.map { "passkey of \($0) " } ?? "passkey sign-in "
    }

    /// A challenge, as base64url.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - failureCount: How many tries in a row came to nothing before.
    /// - Returns: The challenge.
    func text(now: Int64, failureCount: UInt8 = 0) -> String {
        let end = now + Self.lifetime
        let head = (0..<8).map { UInt8(truncatingIfNeeded: end >> (56 - 8 * $0)) }
        let open = head + [failureCount] + RandomText.bytes(16)
        return Base64URL.text(open + seal(open))
    }

    /// When one is too old.
    ///
    /// - Parameters:
    ///   - text: The challenge.
    ///   - now: The time.
    /// - Returns: Seconds of UTC; nil where it is too old by now, or none of these.
    func end(of text: String, now: Int64) -> Int64? { reading(of: text, now: now)?.end }

    /// How many tries in a row came to nothing before one; 0 where it is too old, or none of these.
    func failureCount(of text: String, now: Int64) -> UInt8 {
        reading(of: text, now: now)?.failureCount ?? 0
    }

    private func reading(of text: String, now: Int64) -> (end: Int64, failureCount: UInt8)? {
        guard let bytes = Base64URL.bytes(text), bytes.count == 57,
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes[25...],
                authenticating: sealed(Array(bytes[..<25])),
                using: key
            )
        else { return nil }
        let end = bytes[..<8].reduce(0) { $0 << 8 | Int64($1) }
        return now < end ? (end, bytes[8]) : nil
    }

    private func sealed(_ open: [UInt8]) -> [UInt8] { Array(purpose.utf8) + open }

    private func seal(_ open: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: sealed(open), using: key))
    }
}
