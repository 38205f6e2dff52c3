import JWTKit

/// What an access token of another issuer says (RFC 9068).
struct ForeignToken: JWTPayload {
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

    /// What the library asks for; whoever reads a token checks it with the time at hand.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// Seconds that another machine's clock may be ahead.
    private static let skew: Int64 = 30

    /// Whether it is made by an issuer for us, is good now, and lives no longer than one of ours may.
    ///
    /// What its issuer ends, nobody tells us: only a short life bounds that.
    func isGood(at now: Int64, _ trusted: ForeignIssuer) -> Bool {
        let (lifetime, isTooLong) = expiresAt.subtractingReportingOverflow(issuedAt)
        return issuer == trusted.issuer && audience.names.contains(trusted.audience)
            && now < expiresAt && issuedAt <= now + Self.skew && !isTooLong
            && lifetime <= SessionLimits.foreignToken && (notBefore ?? 0) <= now + Self.skew
            && authenticatedAt <= issuedAt + Self.skew && authenticatedAt > 0
    }

    /// What names the account; nil where it is not there.
    func name(_ claim: ForeignIssuer.NameClaim) -> String? {
        switch claim {
        case .subject: subject
        case .preferredUsername: preferredUsername
        // What somebody only says of themselves names nobody.
        case .email: emailVerification?.isVerified == true ? email : nil
        }
    }

    /// The session it belongs to: one sign-in of one person at one client.
    var session: String {
        let parts = [issuer, subject, clientID, sessionID ?? "", "\(authenticatedAt)"]
        return "foreign-" + RandomText.mark(parts.map { "\($0.utf8.count):\($0)" }.joined())
    }
}

/// Whether an issuer made sure of an address: a truth, or one written as text; anything else is none.
struct EmailVerification: Codable, Sendable {
    let isVerified: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // What is neither says nothing.
        let text = try? container.decode(String.self)
        let truth = try? container.decode(Bool.self)
        isVerified = truth ?? (text == "true")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(isVerified)
    }
}

/// Whom a token is for: one name or several (RFC 7519 §4.1.3).
///
/// The library has a type for that, which ends the program where the list is empty.
struct Audience: Codable, Sendable {
    let names: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // What is no list is one name, or nothing that can be read.
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
