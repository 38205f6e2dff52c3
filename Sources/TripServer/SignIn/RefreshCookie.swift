import HTTPTypes
import Hummingbird

/// The refresh token of a page, in a cookie that no script reads and that no other site can have sent along.
///
/// `__Host-`: of this very host, over TLS alone, which browsers take this machine's own addresses for (RFC 6265bis).
enum RefreshCookie {
    static let name = "__Host-triptych-refresh"

    /// The token that came along; nil where none did.
    static func token(of request: Request) -> String? {
        request.cookies[name].flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// Has a browser keep a token.
    ///
    /// - Parameters:
    ///   - token: The token; letters, digits, `-` and `_`.
    ///   - seconds: For how long it is kept at most.
    ///   - response: The answer that brings it.
    static func put(_ token: String, for seconds: Int64, into response: inout Response) {
        response.headers[.setCookie] =
            "\(name)=\(token); Path=/; Max-Age=\(seconds); Secure; HttpOnly; SameSite=Strict"
    }

    /// Has a browser forget it.
    static func remove(in response: inout Response) { put("", for: 0, into: &response) }
}
