import Crypto
import FoundationEssentials
import JWTKit
import Synchronization

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

/// Checks the header of a token before anything else of it is used (RFC 8725 §3).
///
/// A header names one algorithm, one type and a known key. It must not name a key to fetch or
/// contain one, or change how the token is read.
enum TokenHeader {
    /// The maximum size of a whole token; issuers with many claims make some of two to three
    /// thousand bytes.
    private static let byteCountMax = 6 * 1024

    /// The key id of a well-formed token.
    ///
    /// - Parameter token: The token.
    /// - Returns: The id of the key that the token names; nil where the header is not acceptable.
    static func keyID(of token: String) -> String? {
        guard token.utf8.count <= byteCountMax else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.bytes(parts[0]),
            Base64URL.bytes(parts[1]) != nil, Base64URL.bytes(parts[2])?.count == 64,
            // The reason why a header cannot be read is not returned.
            hasEachNameOnce(bytes),
            let header = try? JSONDecoder().decode(Fields.self, from: Data(bytes)),
            header.algorithm == "ES256",
            ["at+jwt", "application/at+jwt"].contains(header.type.lowercased())
        else { return nil }
        return header.keyID
    }

    /// The members of a header: exactly three texts.
    ///
    /// The library's own type accepts any members, and ends the program at a number beyond its
    /// integers.
    private struct Fields: Decodable {
        let algorithm: String
        let type: String
        let keyID: String

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            guard Set(container.allKeys.map(\.stringValue)) == ["alg", "typ", "kid"] else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "other names than the three")
                )
            }
            algorithm = try container.decode(String.self, forKey: Name(stringValue: "alg"))
            type = try container.decode(String.self, forKey: Name(stringValue: "typ"))
            keyID = try container.decode(String.self, forKey: Name(stringValue: "kid"))
        }
    }

    /// Whether each member of the header occurs once: readers differ in which of two they take.
    private static func hasEachNameOnce(_ header: [UInt8]) -> Bool {
        let text = String(decoding: header, as: UTF8.self)
        // A name with an escape would be a different text to the comparison below.
        return !text.lowercased().contains("\\u")
            && ["\"alg\"", "\"typ\"", "\"kid\""].allSatisfy { text.ranges(of: $0).count == 1 }
    }
}

/// A cache of tokens whose signature was verified, by their hashes.
///
/// Verifying a token takes a tenth of a millisecond, and the same token comes with every request.
final class VerifiedTokenCache: Sendable {
    private let state = Mutex<[SHA256Digest: (claims: AccessToken, keyID: String)]>([:])

    /// The most tokens kept; beyond it, all are removed and verified again.
    private static let countMax = 10_000

    /// The hash under which a token is kept.
    static func digest(of token: String) -> SHA256Digest {
        var token = token
        return token.withUTF8 { bytes in
            var hash = SHA256()
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
            return hash.finalize()
        }
    }

    /// The claims of a token, and the id of the key that verified it; nil where it is not in the
    /// cache.
    func claims(_ digest: SHA256Digest) -> (claims: AccessToken, keyID: String)? {
        state.withLock { $0[digest] }
    }

    func keep(_ claims: AccessToken, keyID: String, _ digest: SHA256Digest) {
        state.withLock { known in
            if known.count >= Self.countMax { known.removeAll(keepingCapacity: true) }
            known[digest] = (claims, keyID)
        }
    }

    func removeAll() {
        state.withLock { $0.removeAll(keepingCapacity: true) }
    }
}
