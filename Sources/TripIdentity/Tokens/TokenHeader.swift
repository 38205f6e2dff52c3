import FoundationEssentials

/// The header of a token as it must be before anything of the token is believed (RFC 8725 §3).
///
/// One algorithm, one type, a key that we name; nothing that would have us fetch or take a key from the
/// token itself, and nothing that changes how it is read.
enum TokenHeader {
    /// Of a whole token: an issuer of much else than ours makes some of two to three thousand.
    private static let byteCountMax = 6 * 1024

    /// The key id of a well-formed token.
    ///
    /// - Parameter token: The token.
    /// - Returns: The id of the key it says it was signed with; nil where it is none of these.
    static func keyID(of token: String) -> String? {
        guard token.utf8.count <= byteCountMax else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.bytes(parts[0]),
            Base64URL.bytes(parts[1]) != nil, Base64URL.bytes(parts[2])?.count == 64,
            // Why it cannot be read is nobody's business.
            hasNoNameTwice(bytes),
            let header = try? JSONDecoder().decode(Fields.self, from: Data(bytes)),
            header.algorithm == "ES256",
            ["at+jwt", "application/at+jwt"].contains(header.type.lowercased())
        else { return nil }
        return header.keyID
    }

    /// What there is in a header and nothing else: three texts.
    ///
    /// The library's own type takes whatever comes, and ends the program at a number beyond its integers.
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

    /// Whether the header's few names are there once: readers differ in which of two they take.
    private static func hasNoNameTwice(_ header: [UInt8]) -> Bool {
        let text = String(decoding: header, as: UTF8.self)
        // A name with an escape in it would be another one to whoever compares texts.
        return !text.lowercased().contains("\\u")
            && ["\"alg\"", "\"typ\"", "\"kid\""].allSatisfy { text.ranges(of: $0).count == 1 }
    }
}
