/// A key that verifies tokens, as a JWK says it (RFC 7518 §6.2.1): ES256, on the curve P-256.
public struct TokenKey: Sendable, Hashable {
    /// Its id.
    public let id: String
    /// One half of a point, as base64url.
    public let x: String
    /// The other.
    public let y: String
}
