/// A key that verifies tokens, as in a JWK (RFC 7518 §6.2.1): ES256, on the curve P-256.
public struct TokenKey: Sendable, Hashable {
    /// Its id.
    public let id: String
    /// The x coordinate of its point, as base64url.
    public let x: String
    /// The y coordinate of its point, as base64url.
    public let y: String
}
