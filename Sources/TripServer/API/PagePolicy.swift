import Crypto

/// What a page may do in a browser: nothing but what is in it (Content Security Policy, level 3).
struct PagePolicy {
    private var parts = [
        "default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
    ]

    /// A page with exactly this style.
    init(style: [UInt8]) {
        parts.append("style-src '\(Self.hash(style))'")
    }

    /// The header's value.
    var text: String { parts.joined(separator: "; ") }

    /// Lets exactly this script of the page run.
    mutating func allow(script: [UInt8]) { parts.append("script-src '\(Self.hash(script))'") }

    /// Lets the page's script ask this server; no form of the page is sent.
    mutating func allowRequests() { parts += ["connect-src 'self'", "form-action 'none'"] }

    /// Lets the page's forms be sent to this server, which may send the browser on.
    mutating func allowForm(sentOnTo origin: String?) {
        parts.append("form-action 'self'" + (origin.map { " " + $0 } ?? ""))
    }

    private static func hash(_ bytes: [UInt8]) -> String {
        "sha256-" + base64(Array(SHA256.hash(data: bytes)))
    }

    /// Base64 with padding (RFC 4648 §4).
    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var characters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                let digit = digits[bits >> (18 - 6 * index) & 63]
                characters.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
