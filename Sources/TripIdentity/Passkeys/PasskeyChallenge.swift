import Crypto

/// A challenge for an authenticator: a time and random bytes, sealed, so that nothing is stored of
/// it before it is signed.
///
///     8 bytes    when it expires, in seconds of UTC
///     1 byte     how many attempts in a row failed before on the page
///     16 bytes   random
///     32 bytes   HMAC-SHA-256 over all of these and the purpose
struct PasskeyChallenge {
    private let key: SymmetricKey
    private let purpose: String

    /// For how many seconds a challenge is valid.
    static let lifetime: Int64 = 600

    /// Makes and checks challenges for one purpose.
    ///
    /// - Parameters:
    ///   - secret: The key they are sealed with.
    ///   - account: The account that creates a passkey; nil for signing in.
    init(secret: [UInt8], making account: Int64? = nil) {
        key = SymmetricKey(data: secret)
        purpose = account.map { "passkey of \($0) " } ?? "passkey sign-in "
    }

    /// A challenge, as base64url.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - failureCount: How many attempts in a row failed before.
    /// - Returns: The challenge.
    func text(now: Int64, failureCount: UInt8 = 0) -> String {
        let end = now + Self.lifetime
        let head = (0..<8).map { UInt8(truncatingIfNeeded: end >> (56 - 8 * $0)) }
        let open = head + [failureCount] + RandomText.bytes(16)
        return Base64URL.text(open + seal(open))
    }

    /// When a challenge expires.
    ///
    /// - Parameters:
    ///   - text: The challenge.
    ///   - now: The time.
    /// - Returns: Seconds of UTC; nil where it has expired, or is not valid for this purpose.
    func end(of text: String, now: Int64) -> Int64? { reading(of: text, now: now)?.end }

    /// How many attempts in a row failed before a challenge; 0 where it has expired or is not
    /// valid.
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
