import TripIdentity

extension ServeSettings {
    /// Whether a passkey is required to sign in.
    ///
    /// - Parameters:
    ///   - setting: The setting; nil where it is not given.
    ///   - issuer: The server's address as users see it.
    ///   - signsUsersIn: Whether users sign in here, by accounts that stay.
    /// - Returns: Whether it is.
    /// - Throws: ``ConfigurationFile/Fault`` where the word is unknown, or no account could have a
    ///   passkey.
    static func requiresPasskey(
        _ setting: Setting?,
        issuer: String,
        signsUsersIn: Bool
    ) throws(ConfigurationFile.Fault) -> Bool {
        switch setting?.text {
        case nil, "offered": return false
        case "required":
            guard signsUsersIn else {
                throw .init(
                    setting,
                    "passkeys cannot be required with an external issuer or with --demo."
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
