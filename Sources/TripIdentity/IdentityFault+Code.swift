import GRDBSQLite
import Glibc

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
