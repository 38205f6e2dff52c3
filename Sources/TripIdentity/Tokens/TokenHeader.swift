import JWTKit

/// The header of a token as it must be before anything of the token is believed (RFC 8725 §3).
///
/// One algorithm, one type, a key that we name; nothing that would have us fetch or take a key from the
/// token itself, and nothing that changes how it is read.
enum TokenHeader {
    private static let byteCountMax = 2048

    /// The key id of a well-formed token.
    ///
    /// - Parameter token: The token.
    /// - Returns: The id of the key it says it was signed with; nil where it is none of these.
    static func keyID(of token: String) -> String? {
        guard token.utf8.count <= byteCountMax else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.bytes(parts[0]),
            Base64URL.bytes(parts[1]) != nil, Base64URL.bytes(parts[2])?.count == 64,
            hasNoNameTwice(bytes), let header = header(token)
        else { return nil }
        guard Set(header.fields.keys) == ["alg", "typ", "kid"], header.alg == "ES256",
            ["at+jwt", "application/at+jwt"].contains(header.typ?.lowercased())
        else { return nil }
        return header.kid
    }

    private static func header(_ token: String) -> JWTHeader? {
        // What cannot be read is none of ours; the library's words would quote it.
        try? DefaultJWTParser().parse(Array(token.utf8), as: Unread.self).header
    }

    /// What a token says, of which nothing is read before its signature is.
    private struct Unread: JWTPayload {
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// Whether the header's few names are there once: readers differ in which of two they take.
    private static func hasNoNameTwice(_ header: [UInt8]) -> Bool {
        let text = String(decoding: header, as: UTF8.self)
        return ["\"alg\"", "\"typ\"", "\"kid\""].allSatisfy { name in
            text.ranges(of: name).count == 1
        }
    }
}
