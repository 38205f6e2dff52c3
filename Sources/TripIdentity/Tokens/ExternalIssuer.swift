import Crypto
import FoundationEssentials
import Glibc
import JWTKit

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

/// The public keys of an external issuer, as read from its file.
struct ExternalKeys: Sendable {
    let collection: JWTKeyCollection
    /// The ids of the keys; the collection is asked for no others.
    let ids: Set<String>
    /// The state of the file when it was read.
    let mark: Mark

    /// No keys: no token is accepted.
    static let none = ExternalKeys(collection: JWTKeyCollection(), ids: [], mark: .none)

    /// The properties of a file by which a replaced file is noticed.
    struct Mark: Sendable, Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        /// The mark of a missing file.
        static let none = Mark(inode: 0, size: 0, seconds: 0, nanoseconds: 0)

        private init(inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64) {
            (self.inode, self.size) = (inode, size)
            (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
        }

        /// The mark of a file.
        ///
        /// - Parameter path: The file.
        /// - Throws: ``IdentityFault/folder(_:errno:)`` where its status cannot be read, or
        ///   ``IdentityFault/externalKeys(_:)`` where others than its owner may write it.
        init(_ path: String) throws(IdentityFault) {
            var status = stat()
            guard stat(path, &status) == 0 else { throw .folder(path, errno: errno) }
            guard status.st_mode & 0o022 == 0 else { throw .externalKeys(path) }
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        }
    }

    private struct KeySet: Decodable {
        let keys: [Key]
    }

    private struct Key: Decodable {
        let kty: String
        let crv: String?
        let use: String?
        let alg: String?
        let kid: String?
        let x: String?
        let y: String?

        /// The key with its id; nil where it is of another type, which RFC 7517 §5 says to ignore.
        func named() -> (id: String, key: ES256PublicKey)? {
            guard kty == "EC", crv == "P-256", use ?? "sig" == "sig", alg ?? "ES256" == "ES256",
                let kid, !kid.isEmpty, let x = x.flatMap({ Base64URL.bytes($0) }), x.count == 32,
                let y = y.flatMap({ Base64URL.bytes($0) }), y.count == 32,
                // A point that is not on the curve is no key.
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
                let library = try? ES256PublicKey(backing: key)
            else { return nil }
            return (kid, library)
        }
    }

    private static let sizeMax = 256 * 1024

    private init(collection: JWTKeyCollection, ids: Set<String>, mark: Mark) {
        (self.collection, self.ids, self.mark) = (collection, ids, mark)
    }

    /// Reads the keys.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``IdentityFault/externalKeys(_:)`` where it is not a key set, an id occurs twice,
    ///   or it has keys but none for ES256. A set without keys is valid.
    init(_ path: String) async throws {
        mark = try Mark(path)
        guard mark.size <= Self.sizeMax,
            // The library's error is not passed on, because it may quote the file.
            let data = try? Data(contentsOf: URL(filePath: path)),
            let set = try? JSONDecoder().decode(KeySet.self, from: data)
        else { throw IdentityFault.externalKeys(path) }
        let keys = set.keys.compactMap { $0.named() }
        ids = Set(keys.map(\.id))
        guard keys.isEmpty == set.keys.isEmpty, ids.count == keys.count else {
            throw IdentityFault.externalKeys(path)
        }
        collection = JWTKeyCollection()
        for (id, key) in keys { await collection.add(ecdsa: key, kid: JWKIdentifier(string: id)) }
    }
}
