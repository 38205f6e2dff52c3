/// The reason why something about accounts, sessions or keys could not be done.
///
/// The messages of drivers and the system are not passed on, because they may quote what is stored.
public enum IdentityFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The folder cannot be made or read; the system's error number.
    case folder(String, errno: Int32)
    /// Others than its owner can read the folder or a file in it.
    case openToOthers(String)
    /// Another user of the machine owns the folder or a file in it.
    case notOurs(String)
    /// The folder has no accounts, but the command needs some.
    case noAccounts(String)
    /// The accounts' file cannot be read or written; SQLite's extended result code.
    case store(code: Int32)
    /// The accounts' file was made by a later version.
    case laterVersion(Int)
    /// The content of a file of the folder does not have the expected form.
    case malformed(String)
    /// The file of an external issuer's keys has none, or others than its owner may write it.
    case externalKeys(String)
    /// There is no key to sign tokens with.
    case noSigningKey
    /// No account has the name.
    case noSuchAccount(String)
    /// An account has the name already.
    case nameTaken(String)
    /// The name has characters that a name may not have.
    case badName(String)
    /// The password is refused, and why.
    case weakPassword(PasswordRules.Violation)
    /// A file that new passwords are compared with cannot be used, and why.
    case passwordFile(String, PasswordFileFlaw)
    /// There is no such role.
    case noSuchRole(String)
    /// The text is not an e-mail address.
    case badEmail(String)
    /// No passkey of the account is called that.
    case noSuchPasskey(String)
    /// The two inputs of a new password differ.
    case passwordsDiffer

    /// One or two sentences: what is wrong, and what the operator should do.
    public var description: String {
        switch self {
        case .folder(let path, let number):
            Self.sentence(of: path, errno: number)
        case .openToOthers(let path):
            "\(path) can be read by others than its owner. Run: chmod go-rwx \(path), and find out "
                + "who may have read it."
        case .notOurs(let path):
            "\(path) belongs to another user of this machine. Run the command as that user."
        case .noAccounts(let path):
            "there are no accounts at \(path). Name the server's folder with --identity, or its "
                + "settings with --config; add a first account with 'triptych-server user add' and "
                + "the same option."
        case .store(let code):
            Self.sentence(ofStore: code)
        case .laterVersion(let version):
            "the accounts were written by a later version of the program (layout \(version)). Use "
                + "that version."
        case .malformed(let path):
            "\(path) is not a valid file of its kind. Restore it from its backup."
        case .externalKeys(let path):
            "\(path) is not a usable key set. It must be a JSON object with 'keys' for ES256, each "
                + "with kty EC, crv P-256 and a unique kid, and its owner alone may write it. "
                + "Fetch it again from the issuer."
        case .noSigningKey:
            "there is no key to sign tokens with. Run: triptych-server key rotate"
        case .noSuchAccount(let name):
            "no account is called '\(name)'. Run: triptych-server user list"
        case .nameTaken(let name):
            "the name '\(name)' is already in use. Run: triptych-server user list"
        case .badName(let name):
            "'\(name)' is not a valid name: a name has 1 to 64 of a-z, 0-9, '.', '_', '-' and '@', "
                + "and begins with a letter or digit."
        case .weakPassword(let violation):
            "the password is refused: \(violation)"
        case .passwordFile(let path, let flaw):
            "\(path) \(flaw)"
        case .noSuchRole(let name):
            "there is no role '\(name)'; the roles are "
                + "\(Role.allCases.map(\.rawValue).joined(separator: ", "))."
        case .badEmail(let text):
            "'\(text)' is not a valid e-mail address: it has the form name@host.example, of at "
                + "most 254 visible ASCII characters."
        case .noSuchPasskey(let id):
            "the account has no passkey '\(id)'. Run: triptych-server user passkeys"
        case .passwordsDiffer:
            "the two passwords differ; nothing was changed."
        }
    }

    /// Whether another input would help, rather than a change on the disk.
    public var isAboutInput: Bool {
        switch self {
        case .noAccounts, .noSuchAccount, .nameTaken, .badName, .weakPassword, .noSuchRole,
            .badEmail, .noSuchPasskey, .passwordsDiffer:
            true
        default: false
        }
    }
}
