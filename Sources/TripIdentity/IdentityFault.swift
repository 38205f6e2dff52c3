import GRDBSQLite
import Glibc

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

extension IdentityFault {
    /// The stable code of the fault, for logs; each code has a line in `docs/ERRORS.md`.
    public var code: String { kind.rawValue }

    /// The codes; a case has several where the system or SQLite reports the cause.
    enum Code: String, CaseIterable {
        /// The folder or a file of it cannot be used, for a reason without a code of its own.
        case folder = "identity_folder"
        /// The disk is full.
        case diskFull = "identity_disk_full"
        /// The user may not read or write there.
        case noPermission = "identity_no_permission"
        /// The folder or a file of it does not exist.
        case notThere = "identity_not_there"
        case openToOthers = "identity_open_to_others"
        case notOurs = "identity_not_ours"
        case noAccounts = "identity_no_accounts"
        /// The accounts' file cannot be used, for a reason without a code of its own.
        case store = "identity_store"
        /// Another process has locked the accounts' file.
        case locked = "identity_locked"
        /// The caller cancelled the operation.
        case interrupted = "identity_interrupted"
        /// The accounts' file is damaged.
        case damaged = "identity_damaged"
        case laterVersion = "identity_later_version"
        case malformed = "identity_malformed"
        case externalKeys = "identity_foreign_keys"
        case noSigningKey = "identity_no_signing_key"
        case noSuchAccount = "identity_no_such_account"
        case nameTaken = "identity_name_taken"
        case badName = "identity_bad_name"
        case weakPassword = "identity_weak_password"
        case passwordFile = "identity_password_file"
        case noSuchRole = "identity_no_such_role"
        case badEmail = "identity_bad_email"
        case noSuchPasskey = "identity_no_such_passkey"
        case passwordsDiffer = "identity_passwords_differ"
    }

    private var kind: Code {
        switch self {
        case .folder(_, let number): Self.kind(errno: number)
        case .openToOthers: .openToOthers
        case .notOurs: .notOurs
        case .noAccounts: .noAccounts
        case .store(let code): Self.kind(ofStore: code)
        case .laterVersion: .laterVersion
        case .malformed: .malformed
        case .externalKeys: .externalKeys
        case .noSigningKey: .noSigningKey
        case .noSuchAccount: .noSuchAccount
        case .nameTaken: .nameTaken
        case .badName: .badName
        case .weakPassword: .weakPassword
        case .passwordFile: .passwordFile
        case .noSuchRole: .noSuchRole
        case .badEmail: .badEmail
        case .noSuchPasskey: .noSuchPasskey
        case .passwordsDiffer: .passwordsDiffer
        }
    }

    private static func kind(errno number: Int32) -> Code {
        switch number {
        case ENOSPC, EDQUOT: .diskFull
        case EACCES, EPERM, EROFS: .noPermission
        case ENOENT: .notThere
        default: .folder
        }
    }

    /// An extended code has the plain one in its lowest byte.
    private static func kind(ofStore code: Int32) -> Code {
        switch code & 0xff {
        case SQLITE_FULL: .diskFull
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        case SQLITE_READONLY, SQLITE_PERM: .noPermission
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_INTERRUPT: .interrupted
        case SQLITE_CANTOPEN: .folder
        default: .store
        }
    }

    /// What the system's error number means for a file or folder, and what to do.
    static func sentence(of path: String, errno number: Int32) -> String {
        switch kind(errno: number) {
        case .diskFull:
            "\(path) cannot be written: the disk is full. Free some space on it."
        case .noPermission where number == EROFS:
            "\(path) cannot be written: its disk is mounted read-only. Mount it for writing."
        case .noPermission:
            "\(path) cannot be created, read or written: this user lacks the permission. Run the "
                + "command as the user who owns the folder; to create it, as a user who may write "
                + "in its parent folder."
        case .notThere where path.hasSuffix("/secret"):
            "\(path) does not exist. Restore it from its backup: another secret would void every "
                + "sign-in, and the access record would count as forged."
        case .notThere:
            "\(path) does not exist. If it existed before, restore it from its backup; if not, "
                + "create its parent folder."
        default:
            "\(path) cannot be created, read or written (system error \(number)). Check that it is "
                + "a file or folder as its name says, and look for disk errors in the system log."
        }
    }

    /// What a result code of SQLite means for the accounts' file, and what to do.
    static func sentence(ofStore code: Int32) -> String {
        switch kind(ofStore: code) {
        case .diskFull:
            "the accounts cannot be written: the disk is full. Free some space on it."
        case .locked:
            "another process has locked accounts.sqlite for more than five seconds. Try again; if "
                + "it stays locked, find the process with: fuser accounts.sqlite"
        case .noPermission:
            "the accounts cannot be written: this user lacks the permission, or the disk is "
                + "mounted read-only. Run the command as the user who owns their folder."
        case .damaged:
            "accounts.sqlite is damaged (SQLite code \(code)). Restore it from its backup."
        case .interrupted:
            "the access to the accounts was cancelled. Try again."
        case .folder:
            "accounts.sqlite cannot be opened. Check that its folder exists and belongs to this "
                + "user, and that the program may open that many files."
        default:
            "the accounts cannot be read or written (SQLite code \(code)). Look for disk errors in "
                + "the system log."
        }
    }
}
