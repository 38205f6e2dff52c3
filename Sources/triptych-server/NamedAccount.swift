import TripIdentity

/// An account that a command is about, and the accounts it is one of.
struct NamedAccount {
    let authority: AuthenticationService
    let account: Account

    var name: AccountName { account.name }
}

extension PlaceOptions {
    /// Opens the accounts and looks one up.
    ///
    /// - Parameters:
    ///   - text: The name as it was typed.
    ///   - rules: What a new password must be, where one is set.
    /// - Returns: The account.
    /// - Throws: ``IdentityFault``; where the text is no name, or no account has it, before
    ///   anything is asked or changed. ``ConfigurationFile/Fault`` of the settings.
    func account(
        named text: String,
        rules: PasswordRules = PasswordRules()
    ) async throws -> NamedAccount {
        let name = try AccountName(text)
        let authority = try await authority(rules: rules)
        return NamedAccount(
            authority: authority,
            account: try await authority.account(named: name)
        )
    }
}
