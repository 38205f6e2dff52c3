import TripIdentity
import TripServer

extension ServeSettings {
    /// The server's address as people see it.
    ///
    /// - Parameters:
    ///   - named: What the setting says; nil makes it from host and port.
    ///   - host: The address it listens at; nil is this machine.
    ///   - port: The port.
    ///   - isSecure: Whether it is served over TLS.
    /// - Returns: The address as browsers write it, without a slash at its end.
    /// - Throws: ``ConfigurationFile/Fault`` where nobody could sign in at it.
    static func issuer(
        _ named: Setting?,
        host: Setting?,
        _ port: Int,
        isSecure: Bool
    ) throws(ConfigurationFile.Fault) -> String {
        let place = host?.text ?? "127.0.0.1"
        let name = place.contains(":") ? "[\(place)]" : place
        let text = named?.text ?? "\(isSecure ? "https" : "http")://\(name):\(port)"
        // Written as browsers do, which compare it with where they are.
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let origin = WebOrigin(of: text).map { [$0.text] + parts.dropFirst(3).map(String.init) }
        let whole = origin?.joined(separator: "/") ?? text
        let issuer = whole.hasSuffix("/") ? String(whole.dropLast()) : whole
        guard OAuthClient.mayRedirect(to: issuer + "/"), !text.contains("?") else {
            throw .init(
                named ?? host,
                "'\(text)' is no address to reach the server at: it is whole, without '?' and '#', and "
                    + "https, or http on this machine."
            )
        }
        return issuer
    }

    /// Where else people are sent back to after sign-in; flags stand in place of the setting.
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
                "'\(address)' is no address to send people back to: it is whole, without '#', and "
                    + "https, or http on this machine."
            )
        }
        return addresses
    }
}
