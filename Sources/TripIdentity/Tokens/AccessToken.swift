import JWTKit

/// The claims of an access token (RFC 9068): account, client, lifetime and session.
///
/// Permissions are not among them: they are read for each request, so that a change applies at
/// once.
struct AccessToken: JWTPayload, Hashable {
    let issuer: String
    let audience: String
    let subject: String
    let clientID: String
    let issuedAt: Int64
    let notBefore: Int64
    let expiresAt: Int64
    let id: String
    let sessionID: String
    let authenticatedAt: Int64

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case subject = "sub"
        case clientID = "client_id"
        case issuedAt = "iat"
        case notBefore = "nbf"
        case expiresAt = "exp"
        case id = "jti"
        case sessionID = "sid"
        case authenticatedAt = "auth_time"
    }

    /// Required by the library; the caller checks the claims with the current time.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// Whether this server issued the token for itself, and it is valid now.
    func isGood(at now: Int64, issuer: String, audience: String, _ limits: SessionLimits) -> Bool {
        let (lifetime, isTooLong) = expiresAt.subtractingReportingOverflow(issuedAt)
        return self.issuer == issuer && self.audience == audience && notBefore <= now
            && now < expiresAt && issuedAt <= now && !isTooLong && lifetime <= limits.accessToken
    }
}
