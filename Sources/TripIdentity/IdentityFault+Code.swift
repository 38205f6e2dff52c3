import GRDBSQLite
import Glibc

extension IdentityFault {
    /// What is wrong in one word, for logs; each is a line of `docs/ERRORS.md`.
    public var code: String { kind.rawValue }

    /// The words, beyond the cases where the disk or SQLite says what is wrong.
    enum Code: String, CaseIterable {
        /// The folder or a file of it cannot be used, for a reason that has no word of its own.
        case folder = "identity_folder"
        /// There is no room to write.
        case diskFull = "identity_disk_full"
        /// The user may not read or write there.
        case noPermission = "identity_no_permission"
        /// The folder or a file of it is not there.
        case notThere = "identity_not_there"
        case openToOthers = "identity_open_to_others"
        case notOurs = "identity_not_ours"
        case noAccounts = "identity_no_accounts"
        /// The accounts' file cannot be used, for a reason that has no word of its own.
        case store = "identity_store"
        /// Another process holds the accounts' file.
        case locked = "identity_locked"
        /// Whoever asked waits no more.
        case interrupted = "identity_interrupted"
        /// The accounts' file does not hold what was written to it.
        case damaged = "identity_damaged"
        case laterVersion = "identity_later_version"
        case malformed = "identity_malformed"
        case foreignKeys = "identity_foreign_keys"
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
        case .foreignKeys: .foreignKeys
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
            "\(path) cannot be written: the disk is full. Make room on it."
        case .noPermission where number == EROFS:
            "\(path) cannot be written: its disk is mounted for reading alone. Mount it for writing."
        case .noPermission:
            "\(path) cannot be made, read or written: this user may not. Run the command as the user the folder belongs to; where it is to be made, as one who may write in the folder above it."
        case .notThere where path.hasSuffix("/secret"):
            "\(path) is not there. Put it back from its copy: with another one, every sign-in would be void and the access record would count as forged."
        case .notThere:
            "\(path) is not there. If it was, put it back from its safe copy; if not, make the folder above it."
        default:
            "\(path) cannot be made, read or written (error \(number) of the system). See that it is what its name says, and what the system's log says of its disk."
        }
    }

    /// What a result code of SQLite means for the accounts' file, and what to do.
    static func sentence(ofStore code: Int32) -> String {
        switch kind(ofStore: code) {
        case .diskFull:
            "the accounts cannot be written: the disk is full. Make room on it."
        case .locked:
            "another process has held accounts.sqlite for more than five seconds. Try again; if it stays so, see which one holds it: fuser accounts.sqlite"
        case .noPermission:
            "the accounts cannot be written: this user may not, or the disk is mounted for reading alone. Run the command as the user their folder belongs to."
        case .damaged:
            "accounts.sqlite is damaged (SQLite code \(code)). Put it back from its safe copy."
        case .interrupted:
            "what was asked of the accounts was broken off. Ask again."
        case .folder:
            "accounts.sqlite cannot be opened. See that its folder is there, that it belongs to this user, and that the program may open so many files."
        default:
            "the accounts cannot be read or written (SQLite code \(code)). See what the system's log says of their disk."
        }
    }
}
