import ArgumentParser
import TripIdentity

/// The lists that new passwords are checked against: files, each of which is also a setting.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The list of stolen passwords, ordered by hash: lines of SHA-1, or SHA-1:count. A password in it is refused. [env: TRIPTYCH_BREACHED_PASSWORDS]",
            valueName: "file"
        )
    )
    var breachedPasswords: String?

    @Option(
        help: ArgumentHelp(
            "Words of your own, one a line. A password made of them is refused. [env: TRIPTYCH_PASSWORD_WORDS]",
            valueName: "file"
        )
    )
    var passwordWords: String?

    /// The settings, by flags, environment or file.
    func settings(_ file: ConfigurationFile) -> PasswordSettings {
        PasswordSettings(
            breached: file.setting("BREACHED_PASSWORDS", flag: breachedPasswords),
            words: file.setting("PASSWORD_WORDS", flag: passwordWords)
        )
    }
}

/// The lists that new passwords are checked against, before they are opened.
struct PasswordSettings {
    /// The list of stolen passwords; nil where none is named.
    let breached: Setting?
    /// An agency's own words; nil where none are named.
    let words: Setting?

    /// Whether there is anything to open.
    var isEmpty: Bool { breached == nil && words == nil }

    /// What they are, in words.
    var text: String {
        let list = breached.map { "not one of \($0.text)" }
        let own = words.map { "not made of \($0.text)" }
        let named = [list, own].compactMap(\.self).joined(separator: ", ")
        return named.isEmpty ? "not checked against a list of stolen ones" : named
    }

    /// Opens them.
    ///
    /// - Returns: What a new password must be.
    /// - Throws: ``ConfigurationFile/Fault`` that says which file cannot be used, where it is
    ///   named, and why.
    func rules() throws(ConfigurationFile.Fault) -> PasswordRules {
        PasswordRules(
            words: try Self.opened(words, PasswordWords.read) ?? [],
            breached: try Self.opened(breached, BreachedPasswords.init(path:))
        )
    }

    private static func opened<Value>(
        _ setting: Setting?,
        _ open: (String) throws(IdentityFault) -> Value
    ) throws(ConfigurationFile.Fault) -> Value? {
        guard let setting else { return nil }
        do throws(IdentityFault) {
            return try open(setting.text)
        } catch {
            throw .init(setting, "\(error)")
        }
    }
}
