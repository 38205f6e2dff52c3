/// An external issuer, whose access tokens are accepted in place of this server's own.
public struct ExternalIssuer: Sendable {
    /// The `iss` claim of its tokens, compared exactly.
    public let issuer: String
    /// The `aud` claim of its tokens.
    public let audience: String
    /// The file of its public keys: a JSON Web Key Set (RFC 7517), which the operator keeps up to
    /// date.
    public let keysPath: String
    /// The claim that names the account.
    public let nameClaim: NameClaim

    /// The claims that may name the account.
    public enum NameClaim: String, Sendable, CaseIterable {
        case subject = "sub"
        case preferredUsername = "preferred_username"
        case email
    }

    /// Checks that its keys can be read.
    ///
    /// - Throws: ``IdentityFault`` where they cannot, or there are none.
    public func check() async throws { _ = try await TrustedIssuer(self) }

    /// Describes an external issuer.
    public init(issuer: String, audience: String, keysPath: String, nameClaim: NameClaim) {
        (self.issuer, self.audience) = (issuer, audience)
        (self.keysPath, self.nameClaim) = (keysPath, nameClaim)
    }
}
