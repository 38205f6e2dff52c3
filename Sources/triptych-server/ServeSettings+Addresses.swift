import TripIdentity
import TripServer

extension ServeSettings {
    /// The server's address as users see it.
    ///
    /// - Parameters:
    ///   - named: The setting; nil makes it from host and port.
    ///   - host: The address it listens at; nil is this machine.
    ///   - port: The port.
    ///   - isSecure: Whether it is served over TLS.
    /// - Returns: The address as browsers write it, without a slash at its end.
    /// - Throws: ``ConfigurationFile/Fault`` where users could not sign in at it.
    static func issuer(
        _ named: Setting?,
        host: Setting?,
        _ port: Int,
        isSecure: Bool
    ) throws(ConfigurationFile.Fault) -> String {
        let address = host?.text ?? "127.0.0.1"
        let name = address.contains(":") ? "[\(address)]" : address
        let text = named?.text ?? "\(isSecure ? "https" : "http")://\(name):\(port)"
        // Written as browsers do, which compare it with where they are.
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let origin = WebOrigin(of: text).map { [$0.text] + parts.dropFirst(3).map(String.init) }
        let whole = origin?.joined(separator: "/") ?? text
        let issuer = whole.hasSuffix("/") ? String(whole.dropLast()) : whole
        guard OAuthClient.mayRedirect(to: issuer + "/"), !text.contains("?") else {
            throw .init(
                named ?? host,
                "'\(text)' is not an address for users: it must be a whole URL, without '?' and '#', with "
                    + "https, or http on this machine."
            )
        }
        return issuer
    }

    /// Further addresses that a sign-in returns to; flags replace the setting.
    ///
    /// - Throws: ``ConfigurationFile/Fault`` of an address that codes must not be sent to.
    static func redirectURIs(
        _ flags: ServeFlags,
        _ file: ConfigurationFile
    ) throws(ConfigurationFile.Fault) -> [String] {
        let one = flags.redirectUri.isEmpty ? nil : flags.redirectUri.joined(separator: " ")
        guard let setting = file.setting("REDIRECT_URIS", flag: one) else { return [] }
        let addresses = setting.text.split(separator: " ").map(String.init)
        for address in addresses where !OAuthClient.mayRedirect(to: address) {
            throw .init(
                setting,
                "'\(address)' is not an address to return to: it must be a whole URL, without '#', with "
                    + "https, or http on this machine."
            )
        }
        return addresses
    }
}
