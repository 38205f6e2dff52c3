import Testing

@testable import TripIdentity

@Suite struct TokenHeaderTests {
    private static func keyID(_ header: String) -> String? {
        let signature = Base64URL.text([UInt8](repeating: 0, count: 64))
        return TokenHeader.keyID(of: "\(Base64URL.text(Array(header.utf8))).e30.\(signature)")
    }

    @Test(arguments: ["at+jwt", "AT+JWT", "application/at+jwt"])
    func exactlyThreeTextsAreAHeader(type: String) {
        #expect(Self.keyID(#"{"kid": "x", "typ": "\#(type)", "alg": "ES256"}"#) == "x")
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"alg":"ES256","typ":"at+jwt"}"#,
        #"{"alg":"none","typ":"at+jwt","kid":"x"}"#, #"{"alg":"ES256","typ":"JWT","kid":"x"}"#,
        #"{"alg":"ES256","typ":"at+jwt","kid":"x","crit":["a"]}"#,
        #"{"alg":"ES256","typ":"at+jwt","kid":"x","jwk":{}}"#,
        #"{"alg":"ES256","typ":"at+jwt","kid":"x","kid":"y"}"#,
        #"{"alg":"ES256","typ":"at+jwt","kid":"x","\u006bid":"y"}"#,
    ])
    func otherHeadersAreRefused(header: String) {
        #expect(Self.keyID(header) == nil)
    }

    /// The library's type for it ends the program at numbers beyond its integers.
    @Test(arguments: ["1", "1e19", "-1e19", "9223372036854775808", "1e400", "0.1", "true", "{}"])
    func numbersAreRefused(number: String) {
        for name in ["alg", "typ", "kid", "n"] {
            var parts = [
                "alg": #""ES256""#, "typ": #""at+jwt""#, "kid": #""x""#,
            ]
            parts[name] = number
            let text = parts.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
            #expect(Self.keyID("{\(text)}") == nil)
        }
    }
}
