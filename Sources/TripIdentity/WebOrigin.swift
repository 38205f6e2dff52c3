/// Scheme, host and port of an address, by which browsers distinguish sites (RFC 6454).
public struct WebOrigin: Sendable, Hashable {
    /// `https` or `http`.
    public let scheme: String
    /// The name or the address of the machine; an IPv6 address in its brackets.
    public let host: String
    /// The whole origin, as browsers write it.
    public let text: String

    /// Reads the origin of an address; nil where it has none, or a scheme other than these two.
    ///
    /// - Parameter address: The address.
    public init?(of address: String) {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty else {
            return nil
        }
        let written = parts[2].prefix { $0 != "?" }.lowercased()
        scheme = String(parts[0].dropLast())
        let usualPort = scheme == "https" ? ":443" : ":80"
        let hostAndPort =
            written.hasSuffix(usualPort) ? String(written.dropLast(usualPort.count)) : written
        guard !hostAndPort.isEmpty else { return nil }
        text = "\(parts[0])//\(hostAndPort)"
        let bracket = hostAndPort.hasPrefix("[") ? hostAndPort.firstIndex(of: "]") : nil
        host = String(bracket.map { hostAndPort[...$0] } ?? hostAndPort.prefix { $0 != ":" })
    }

    /// Whether the host is the local machine, by one of the names that browsers trust.
    public var isLoopback: Bool {
        guard ["127.0.0.1", "localhost", "[::1]"].contains(host) else { return false }
        let rest = text.dropFirst(scheme.utf8.count + 3 + host.utf8.count)
        return rest.isEmpty || rest.hasPrefix(":")
    }

    /// The relying party of passkeys: the host's name (Web Authentication, §4, *RP ID*).
    ///
    /// It is nil where browsers make no passkeys: for IP addresses and without TLS.
    public var relyingParty: String? {
        let isNamed = host.utf8.contains { $0 > UInt8(ascii: "9") } && !host.hasPrefix("[")
        return isNamed && (scheme == "https" || host == "localhost") ? host : nil
    }
}
