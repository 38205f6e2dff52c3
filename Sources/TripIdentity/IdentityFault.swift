/// Why something about accounts, sessions or keys could not be done.
///
/// What drivers and the system say goes nowhere: their words may quote what was stored.
public enum IdentityFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The folder cannot be made or read; the system's error number.
    case folder(String, errno: Int32)
    /// Others than its owner can read the folder or a file in it.
    case openToOthers(String)
    /// The folder or a file in it belongs to somebody else.
    case notOurs(String)
    /// There are no accounts where some are asked for.
    case noAccounts(String)
    /// The accounts' file cannot be read or written; SQLite's extended result code.
    case store(code: Int32)
    /// The accounts' file was made by a later version.
    case laterVersion(Int)
    /// A file of the folder is not what its name says.
    case malformed(String)
    /// The file of another issuer's keys has none, or others than its owner may write it.
    case foreignKeys(String)
    /// There is no key to sign tokens with.
    case noSigningKey
    /// No account has the name.
    case noSuchAccount(String)
    /// An account has the name already.
    case nameTaken(String)
    /// The name has other characters than a name may have.
    case badName(String)
    /// The password is refused, and why.
    case weakPassword(PasswordRules.Breach)
    /// A file that new passwords are held against cannot be used, and why.
    case passwordFile(String, PasswordFileFlaw)
    /// A role that there is not.
    case noSuchRole(String)
    /// What is given as an address for letters is none.
    case badEmail(String)
    /// No passkey of the account is called that.
    case noSuchPasskey(String)
    /// A password was typed in two ways.
    case passwordsDiffer

    /// One or two sentences: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .folder(let path, let number):
            Self.sentence(of: path, errno: number)
        case .openToOthers(let path):
            "\(path) can be read by others than its owner. Run: chmod go-rwx \(path), and find out who may have read it."
        case .notOurs(let path):
            "\(path) belongs to another user of this machine. Run the command as that user."
        case .noAccounts(let path):
            "there are no accounts at \(path). Name the server's folder with --identity, or its settings with --config; a first account is made by 'triptych-server user add' with the same."
        case .store(let code):
            Self.sentence(ofStore: code)
        case .laterVersion(let version):
            "the accounts were written by a later version of the program (layout \(version)). Use that one."
        case .malformed(let path):
            "\(path) is not what its name says. Put it back from its safe copy."
        case .foreignKeys(let path):
            "\(path) is no key set with keys of ES256 that its owner alone may write (a JSON object with 'keys', each with kty EC, crv P-256 and a kid of its own). Fetch it again from the issuer."
        case .noSigningKey:
            "there is no key to sign tokens with. Run: triptych-server key rotate"
        case .noSuchAccount(let name):
            "no account is called '\(name)'. Run: triptych-server user list"
        case .nameTaken(let name):
            "an account is called '\(name)' already. Run: triptych-server user list"
        case .badName(let name):
            "'\(name)' is no name: it has 1 to 64 of a-z, 0-9, '.', '_', '-' and '@', and begins with a letter or digit."
        case .weakPassword(let breach):
            "the password is refused: \(breach)"
        case .passwordFile(let path, let flaw):
            "\(path) \(flaw)"
        case .noSuchRole(let name):
            "there is no role '\(name)': \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
        case .badEmail(let text):
            "'\(text)' is no address for letters: it has the form name@host.example, of at most 254 visible ASCII characters."
        case .noSuchPasskey(let id):
            "the account has no passkey '\(id)'. Run: triptych-server user passkeys"
        case .passwordsDiffer:
            "the two passwords differ; nothing was changed."
        }
    }

    /// Whether another input would help, rather than another state of the disk.
    public var isAboutInput: Bool {
        switch self {
        case .noAccounts, .noSuchAccount, .nameTaken, .badName, .weakPassword, .noSuchRole,
            .badEmail, .noSuchPasskey, .passwordsDiffer:
            true
        default: false
        }
    }
}
