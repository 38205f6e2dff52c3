/// Another server that says who somebody is: its tokens open what ours would.
public struct ForeignIssuer: Sendable {
    /// What its tokens name as their maker, to the letter.
    public let issuer: String
    /// What they name as their reader.
    public let audience: String
    /// The file of its public keys: a JSON Web Key Set (RFC 7517) that somebody keeps up to date.
    public let keysPath: String
    /// Which claim names the account.
    public let nameClaim: NameClaim

    /// What an account is named by.
    public enum NameClaim: String, Sendable, CaseIterable {
        case subject = "sub"
        case preferredUsername = "preferred_username"
        case email
    }

    /// Looks whether its keys can be read.
    ///
    /// - Throws: ``IdentityFault`` where they cannot, or there are none.
    public func check() async throws { _ = try await ForeignTrust(self) }

    /// Names it.
    public init(issuer: String, audience: String, keysPath: String, nameClaim: NameClaim) {
        (self.issuer, self.audience) = (issuer, audience)
        (self.keysPath, self.nameClaim) = (keysPath, nameClaim)
    }
}
