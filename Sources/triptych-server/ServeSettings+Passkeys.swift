import TripIdentity

extension ServeSettings {
    /// Whether a password alone lets nobody in.
    ///
    /// - Parameters:
    ///   - setting: What the setting says; nil where nobody set it.
    ///   - issuer: The server's address as people see it.
    ///   - signsPeopleIn: Whether people sign in here, by accounts that stay.
    /// - Returns: Whether it is so.
    /// - Throws: ``ConfigurationFile/Fault`` where the word is none, or nobody could have a passkey.
    static func requiresPasskey(
        _ setting: Setting?,
        issuer: String,
        signsPeopleIn: Bool
    ) throws(ConfigurationFile.Fault) -> Bool {
        switch setting?.text {
        case nil, "offered": return false
        case "required":
            guard signsPeopleIn else {
                throw .init(
                    setting,
                    "passkeys cannot be required where people sign in elsewhere, or by --demo's accounts."
                )
            }
            guard WebOrigin(of: issuer)?.relyingParty != nil else {
                throw .init(
                    setting,
                    "passkeys cannot be required: browsers make none for '\(issuer)', which has no name."
                )
            }
            return true
        case let word?:
            throw .init(setting, "passkeys are offered or required; '\(word)' is neither.")
        }
    }
}
