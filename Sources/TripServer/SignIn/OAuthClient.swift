import TripIdentity

/// An application that users sign in with; it runs where it can keep no secret.
public struct OAuthClient: Sendable, Hashable {
    /// What it calls itself.
    public let id: String
    /// The addresses that codes may be sent to, compared exactly.
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
        guard isPlain, !address.contains("#"), let origin = WebOrigin(of: address),
            !origin.text.contains("@"), !origin.host.isEmpty
        else { return false }
        return origin.scheme == "https" || origin.isLoopback
    }
}

extension UInt8 {
    /// Whether it has a meaning in HTML or in a header.
    fileprivate var isMarkup: Bool { "<>\"'\\;,`".utf8.contains(self) }
}
