import TripIdentity

/// The host names that a server without a certificate answers for.
///
/// A page elsewhere may have its own host name lead to this machine (DNS rebinding), and would then
/// read answers that need no token; browsers send the name they asked for. With a certificate they
/// reject a server whose certificate lacks the name.
struct HostNames: Sendable {
    private let names: Set<String>

    /// This machine's own names, and the one users reach it by through a proxy in front.
    ///
    /// - Parameter issuer: The address users reach the server at.
    init(issuer: String?) {
        let reached = issuer.flatMap { WebOrigin(of: $0)?.host }
        names = Set(["localhost", "127.0.0.1", "[::1]"] + (reached.map { [$0] } ?? []))
    }

    /// Whether a host is one of them, or an address of this machine's own.
    ///
    /// - Parameter host: As ``host(in:)`` finds it.
    /// - Returns: Whether it is.
    func contains(_ host: Substring.UTF8View) -> Bool {
        let name = Substring(host).lowercased()
        if names.contains(name) { return true }
        guard case .v4(let address)? = NetworkAddress(name) else { return false }
        return address >> 24 == 127
    }

    /// The host that a Host header names, without its port; nil where the header is none (RFC 9110
    /// §7.2).
    ///
    /// - Parameter value: The header's value, without blanks around it.
    /// - Returns: The host; an IPv6 address in its brackets.
    static func host(in value: Substring.UTF8View) -> Substring.UTF8View? {
        let colon = UInt8(ascii: ":")
        var host = value.prefix { $0 != colon }
        if value.first == UInt8(ascii: "[") {
            guard let end = value.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = value[...end]
            let inner = host.dropFirst().dropLast()
            guard !inner.isEmpty, inner.allSatisfy(isOfAddress) else { return nil }
        } else {
            guard !host.isEmpty, host.allSatisfy(isOfName) else { return nil }
        }
        let rest = value[host.endIndex...]
        guard let separator = rest.first else { return host }
        let port = rest.dropFirst()
        guard separator == colon, port.count <= 5, port.allSatisfy(isDigit) else { return nil }
        return host
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Of an IPv6 address in its brackets.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Of the names that machines have; RFC 3986 would let them have more.
    private static func isOfName(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }
}
