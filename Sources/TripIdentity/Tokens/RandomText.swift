import Crypto

/// Random secrets and ids.
enum RandomText {
    /// Random bytes from the system.
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// 32 random bytes as text of 43 characters.
    static func secret() -> String { Base64URL.text(bytes(32)) }

    /// 16 random bytes as text of 22 characters: enough to be unique.
    static func identifier() -> String { Base64URL.text(bytes(16)) }

    /// The hash that is stored in place of a secret, so that a reader of the store does not learn
    /// the secret.
    static func mark(_ secret: String) -> String {
        Base64URL.text(SHA256.hash(data: Array(secret.utf8)))
    }
}
