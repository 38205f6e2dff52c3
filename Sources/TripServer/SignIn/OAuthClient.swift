/// An application that people sign in with; it runs where it can keep no secret.
public struct OAuthClient: Sendable, Hashable {
    /// What it calls itself.
    public let id: String
    /// Where codes may be sent, to the letter.
    public let redirectURIs: Set<String>

    /// Names a client and where it may be answered.
    public init(id: String, redirectURIs: Set<String>) {
        (self.id, self.redirectURIs) = (id, redirectURIs)
    }

    /// Whether an address may be one that codes are sent to: HTTPS, or this very machine.
    ///
    /// - Parameter address: The address.
    /// - Returns: Whether it is whole, without a fragment, and of one of these.
    public static func mayRedirect(to address: String) -> Bool {
        let isPlain = address.utf8.allSatisfy { (0x21...0x7e).contains($0) && !$0.isMarkup }
        guard isPlain, !address.contains("#"), let origin = origin(of: address) else {
            return false
        }
        let host = origin.split(separator: "/").last.map(String.init) ?? ""
        guard !host.contains("@"), !host.isEmpty else { return false }
        if origin.hasPrefix("https://") { return true }
        let name = host.prefix { $0 != ":" }
        let isLoopback =
            ["127.0.0.1", "localhost"].contains(name) || host == "[::1]" || host.hasPrefix("[::1]:")
        return origin.hasPrefix("http://") && isLoopback
    }

    /// Scheme, host and port of an address; nil where it has none.
    static func origin(of address: String) -> String? {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty else {
            return nil
        }
        let host = parts[2].prefix { $0 != "?" }
        return host.isEmpty ? nil : "\(parts[0])//\(host)"
    }
}

extension UInt8 {
    /// Whether it has a meaning in HTML or in a header.
    fileprivate var isMarkup: Bool { "<>\"'\\;,`".utf8.contains(self) }
}
