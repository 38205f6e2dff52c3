import JWTKit

/// The claims of an external issuer's access token (RFC 9068).
struct ExternalToken: JWTPayload {
    let issuer: String
    let audience: Audience
    let subject: String
    let preferredUsername: String?
    let email: String?
    let emailVerification: EmailVerification?
    let clientID: String
    let issuedAt: Int64
    let notBefore: Int64?
    let expiresAt: Int64
    let authenticatedAt: Int64
    let sessionID: String?

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case subject = "sub"
        case preferredUsername = "preferred_username"
        case email
        case emailVerification = "email_verified"
        case clientID = "client_id"
        case issuedAt = "iat"
        case notBefore = "nbf"
        case expiresAt = "exp"
        case authenticatedAt = "auth_time"
        case sessionID = "sid"
    }

    /// Required by the library; the caller checks the claims with the current time.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// Seconds that another machine's clock may be ahead.
    private static let skew: Int64 = 30

    /// Whether a trusted issuer issued the token for this server, it is valid now, and its lifetime
    /// is not too long.
    ///
    /// The issuer does not report when it ends a session: only a short lifetime limits that.
    func isGood(at now: Int64, _ trusted: ExternalIssuer) -> Bool {
        let (lifetime, isTooLong) = expiresAt.subtractingReportingOverflow(issuedAt)
        return issuer == trusted.issuer && audience.names.contains(trusted.audience)
            && now < expiresAt && issuedAt <= now + Self.skew && !isTooLong
            && lifetime <= SessionLimits.externalToken && (notBefore ?? 0) <= now + Self.skew
            && authenticatedAt <= issuedAt + Self.skew && authenticatedAt > 0
    }

    /// The claim that names the account; nil where it is missing.
    func name(_ claim: ExternalIssuer.NameClaim) -> String? {
        switch claim {
        case .subject: subject
        case .preferredUsername: preferredUsername
        // An address that the issuer did not verify names no account.
        case .email: emailVerification?.isVerified == true ? email : nil
        }
    }

    /// The id of its session: one sign-in of one person at one client.
    var session: String {
        let parts = [issuer, subject, clientID, sessionID ?? "", "\(authenticatedAt)"]
        return "foreign-" + RandomText.mark(parts.map { "\($0.utf8.count):\($0)" }.joined())
    }
}

/// Whether the issuer verified an address: a boolean, or one written as text; any other value
/// counts as false.
struct EmailVerification: Codable, Sendable {
    let isVerified: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A value of another type counts as false.
        let text = try? container.decode(String.self)
        let truth = try? container.decode(Bool.self)
        isVerified = truth ?? (text == "true")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(isVerified)
    }
}

/// The recipients of a token: one name or several (RFC 7519 §4.1.3).
///
/// The library's type for that ends the program where the list is empty.
struct Audience: Codable, Sendable {
    let names: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A value that is not a list must be one name.
        if let names = try? container.decode([String].self) {
            self.names = names
        } else {
            names = [try container.decode(String.self)]
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}
