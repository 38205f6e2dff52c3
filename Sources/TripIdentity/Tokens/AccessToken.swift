import JWTKit

/// What an access token says (RFC 9068): who may ask, for how long, and by which session.
///
/// What they may do is not in it: that is looked up, so that it is true when it changes.
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

    /// What the library asks for; whoever reads a token checks it with the time at hand.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// Whether it was made by us for us, and is good now.
    func isGood(at now: Int64, issuer: String, audience: String, _ limits: SessionLimits) -> Bool {
        let (lifetime, isTooLong) = expiresAt.subtractingReportingOverflow(issuedAt)
        return self.issuer == issuer && self.audience == audience && notBefore <= now
            && now < expiresAt && issuedAt <= now && !isTooLong && lifetime <= limits.accessToken
    }
}
