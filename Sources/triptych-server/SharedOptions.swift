import ArgumentParser
import Glibc
import TripIdentity
import TripText

/// Where the numbers and the accounts lie: by flags, the environment, or the server's own file of
/// settings.
struct LocationOptions: ParsableArguments {
    @Option(help: "A file of settings, as lines TRIPTYCH_NAME=value.")
    var config: String?

    @Option(help: "The mart's folder. [env: TRIPTYCH_MART] (default: data/mart)")
    var mart: String?

    @Option(
        help:
            "The folder of accounts and keys. [env: TRIPTYCH_IDENTITY] (default: the mart's path + .identity)"
    )
    var identity: String?

    /// The options as they were given, for another command about the same folders.
    var words: [String] {
        [("--config", config), ("--mart", mart), ("--identity", identity)].flatMap { flag, value in
            value.map { [flag, $0] } ?? []
        }
    }

    /// The settings of the environment and of the file, if one is named.
    func file() throws(ConfigurationFile.Fault) -> ConfigurationFile {
        guard let config else { return ConfigurationFile() }
        return try ConfigurationFile(path: config)
    }

    /// The mart's folder, with where it is named; nil where it is named nowhere.
    func martSetting(_ file: ConfigurationFile) -> Setting? { file.setting("MART", flag: mart) }

    /// The mart's folder.
    func martPath(_ file: ConfigurationFile) -> String { martSetting(file)?.text ?? "data/mart" }

    /// The folder of accounts and keys.
    func identityPath(_ file: ConfigurationFile) -> String {
        file.setting("IDENTITY", flag: identity)?.text ?? martPath(file) + ".identity"
    }

    /// The folder of accounts and keys, for commands that read no other setting.
    func folder() throws(ConfigurationFile.Fault) -> IdentityFolder {
        IdentityFolder(path: identityPath(try file()))
    }

    /// The accounts, for commands that read or change them.
    ///
    /// - Parameters:
    ///   - isMaking: Whether a folder is made where there is none.
    ///   - rules: What a new password must be, where one is set.
    /// - Returns: The accounts.
    /// - Throws: ``IdentityFault``; where there are none, unless some are to be made.
    ///   ``ConfigurationFile/Fault`` of the settings.
    func authentication(
        isMaking: Bool = false,
        rules: PasswordRules = PasswordRules()
    ) async throws -> AuthenticationService {
        let folder = try folder()
        guard isMaking || folder.hasAccounts else { throw IdentityFault.noAccounts(folder.path) }
        // No token is made by a command, so none names the address.
        return try await AuthenticationService(
            folder,
            issuer: "",
            rules: rules,
            now: { Int64(time(nil)) }
        )
    }
}

/// Environment variables of the program.
enum Environment {
    /// The value of `TRIPTYCH_<name>`; nil where it is not set or empty.
    static func text(_ name: String) -> String? {
        guard let value = getenv("TRIPTYCH_" + name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

/// How a command ends that failed.
enum CommandFailure {
    static func end(_ text: String, status: Int32) throws -> Never {
        Output.line("triptych-server: \(text)", to: .standardError)
        throw ExitCode(status)
    }

    /// Runs a command's work; an error of accounts or settings ends it with a sentence.
    static func reporting(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let fault as IdentityFault {
            try end("\(fault)", status: status(of: fault))
        } catch let fault as ConfigurationFile.Fault {
            try end("\(fault)", status: 78)
        }
    }

    /// The exit status of an error of accounts or keys.
    ///
    /// - Parameter fault: The error.
    /// - Returns: 65 where other arguments would help, 74 where the disk failed and a later try may
    ///   succeed, and 78 where the operator has to mend something first.
    static func status(of fault: IdentityFault) -> Int32 {
        switch fault {
        case .store, .folder: 74
        default: fault.isAboutInput ? 65 : 78
        }
    }
}

/// Rows under each other.
enum TextTable {
    /// Columns as wide as their widest text, and nothing behind the last one.
    static func lines(_ rows: [[String]]) -> [String] {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// An account that a command is about, and the accounts it is one of.
struct NamedAccount {
    let authentication: AuthenticationService
    let account: Account

    var name: AccountName { account.name }
}

extension LocationOptions {
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
        let authentication = try await authentication(rules: rules)
        return NamedAccount(
            authentication: authentication,
            account: try await authentication.account(named: name)
        )
    }
}
