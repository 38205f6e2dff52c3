import TripIdentity

extension ServeSettings {
    /// Whether a password alone lets nobody in.
    ///
    /// - Parameters:
    ///   - word: What the setting says; nil where nobody set it.
    ///   - issuer: The server's address as people see it.
    ///   - signsPeopleIn: Whether people sign in here, by accounts that stay.
    /// - Returns: Whether it is so.
    /// - Throws: ``ConfigurationFile/Fault`` where the word is none, or nobody could have a passkey.
    static func requiresPasskey(
        _ word: String?,
        issuer: String,
        signsPeopleIn: Bool
    ) throws(ConfigurationFile.Fault) -> Bool {
        switch word {
        case nil, "offered": return false
        case "required":
            guard signsPeopleIn else {
                throw .init(
                    description:
                        "passkeys cannot be required where people sign in elsewhere, or by --demo's accounts."
                )
            }
            guard WebOrigin(of: issuer)?.relyingParty != nil else {
                throw .init(
                    description:
                        "passkeys cannot be required: browsers make none for '\(issuer)', which has no name."
                )
            }
            return true
        case let word?:
            throw .init(description: "passkeys are offered or required; '\(word)' is neither.")
        }
    }
}
