import ArgumentParser
import Glibc
import TripIdentity
import TripText

/// `triptych-server user`: the accounts and their roles.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Manage accounts: who may sign in, and with which roles.",
        discussion: """
            Examples:
              triptych-server user add fleet-office --role administrator --no-password
              triptych-server user list
            """,
        subcommands: [
            Add.self, Password.self, Email.self, Passkeys.self, Roles.self, Disable.self,
            Enable.self, SignOut.self, List.self,
        ]
    )

    /// `triptych-server user add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an account; its password, if any, is read from standard input.",
            usage: "triptych-server user add <name> --role <role> ... [<options>]",
            discussion: """
                Examples:
                  triptych-server user add fleet-office --role administrator <password.txt
                  triptych-server user add network-8 --role viewer --region 08 --no-password \\
                      --email office@example.gov
                """
        )

        @OptionGroup var locations: LocationOptions
        @OptionGroup var grants: AccessOptions
        @OptionGroup var passwords: PasswordOptions

        @Option(help: "The e-mail address, for password resets.")
        var email: String?

        @Flag(
            help:
                "Ask for no password: an external issuer signs the user in, or a link by e-mail sets one."
        )
        var noPassword = false

        @Argument(help: "The name the user signs in with.")
        var name: String

        func run() async throws {
            try await CommandFailure.reporting {
                let name = try AccountName(name)
                let access = try grants.access()
                let folder = try locations.folder()
                let isFirst = !folder.hasAccounts
                let rules =
                    try noPassword
                    ? PasswordRules() : passwords.settings(locations.file()).rules()
                let authentication = try await locations.authentication(
                    isMaking: true,
                    rules: rules
                )
                try await authentication.add(
                    name,
                    email: email,
                    password: noPassword ? nil : try PasswordInput.read(for: name),
                    access: access
                )
                Output.line(noPassword ? "\(name) is added." : "\(name) may sign in.")
                // A command without --mart or --identity may use another folder than the server.
                if isFirst {
                    Output.line("It is the first account of a new folder: \(folder.path)")
                }
            }
        }
    }

    /// `triptych-server user passwd`.
    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passwd",
            abstract:
                "Give an account another password, read from standard input; its sessions end.",
            discussion: """
                Examples:
                  triptych-server user passwd fleet-office <password.txt
                """
        )

        @OptionGroup var locations: LocationOptions
        @OptionGroup var passwords: PasswordOptions

        @Argument(help: "The account.")
        var name: String

        func run() async throws {
            try await CommandFailure.reporting {
                let rules = try passwords.settings(locations.file()).rules()
                let asked = try await locations.account(named: name, rules: rules)
                let password = try PasswordInput.read(for: asked.name)
                try await asked.authentication.setPassword(password, of: asked.name)
                Output.line("\(asked.name) has another password, and is signed out.")
            }
        }
    }

    /// `triptych-server user disable`.
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disable an account; its sessions end within seconds.",
            discussion: """
                Examples:
                  triptych-server user disable fleet-office
                """
        )

        @OptionGroup var locations: LocationOptions

        @Argument(help: "The account.")
        var name: String

        func run() async throws {
            try await CommandFailure.reporting {
                let asked = try await locations.account(named: name)
                try await asked.authentication.setDisabled(true, asked.name)
                Output.line("\(asked.name) is disabled, and signed out.")
            }
        }
    }

    /// `triptych-server user enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enable a disabled account again.",
            discussion: """
                Examples:
                  triptych-server user enable fleet-office
                """
        )

        @OptionGroup var locations: LocationOptions

        @Argument(help: "The account.")
        var name: String

        func run() async throws {
            try await CommandFailure.reporting {
                let asked = try await locations.account(named: name)
                try await asked.authentication.setDisabled(false, asked.name)
                Output.line("\(asked.name) may sign in again.")
            }
        }
    }

    /// `triptych-server user list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show every account.",
            discussion: """
                'password closed' means that a hundred in a row were wrong: no password is accepted until a new one is \
                set, by 'user passwd' or by a link sent by e-mail.

                Examples:
                  triptych-server user list
                  triptych-server user list --mart data/mart/demo
                """
        )

        @OptionGroup var locations: LocationOptions

        func run() async throws {
            try await CommandFailure.reporting {
                let authentication = try await locations.authentication()
                let accounts = try await authentication.accounts()
                let closed = try await authentication.closedAccounts()
                for line in AccountLine.table(accounts, closed: closed) { Output.line(line) }
            }
        }
    }
}

/// Accounts as lines of a table.
enum AccountLine {
    static func roles(_ access: Access) -> String {
        access.roles.map(\.rawValue).sorted().joined(separator: ", ")
    }

    static func regions(_ access: Access) -> String {
        access.regions.map { $0.sorted().joined(separator: ", ") } ?? "all"
    }

    static func totals(_ access: Access) -> String {
        access.seesNationalTotals ? "national" : "own"
    }

    /// - Parameters:
    ///   - accounts: The accounts.
    ///   - closed: The numbers of those whose password is closed.
    /// - Returns: The head and a line for each.
    static func table(_ accounts: [Account], closed: Set<Int64>) -> [String] {
        let head = ["Name", "Roles", "Regions", "Totals", "State"]
        let rows = accounts.map { account in
            [
                account.name.text, roles(account.access), regions(account.access),
                totals(account.access),
                [
                    account.isDisabled ? "disabled" : nil,
                    closed.contains(account.id) ? "password closed" : nil,
                ].compactMap(\.self).joined(separator: ", "),
            ]
        }
        return TextTable.lines([head] + rows)
    }
}

/// A password from standard input: typed twice without being shown, or the first line of what is
/// piped in.
enum PasswordInput {
    static func read(for name: AccountName) throws(IdentityFault) -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        let (first, second) = (typed("Password for \(name): "), typed("Again: "))
        guard first == second else { throw .passwordsDiffer }
        return first
    }

    private static func typed(_ prompt: String) -> String {
        var shown = termios()
        tcgetattr(STDIN_FILENO, &shown)
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            Output.write("\n", to: .standardError)
        }
        Output.write(prompt, to: .standardError)
        return readLine() ?? ""
    }
}

extension UserCommand {
    /// `triptych-server user roles`.
    struct Roles: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change what an account may do; within seconds also where it is signed in.",
            discussion: """
                Roles, regions and totals stay as they are where nothing is said of them. An account that saw every \
                region and is bound to some sees totals over all no more, unless --national-totals is given as well.

                Examples:
                  triptych-server user roles fleet-office --role analyst
                  triptych-server user roles network-8 --region 08 --region 09
                """
        )

        @OptionGroup var locations: LocationOptions
        @OptionGroup var changes: AccessChangeOptions

        @Argument(help: "The account.")
        var name: String

        func run() async throws {
            try await CommandFailure.reporting {
                let asked = try await locations.account(named: name)
                let access = try changes.access(after: asked.account.access)
                try await asked.authentication.setAccess(access, of: asked.name)
                Output.line(
                    "\(asked.name) is \(AccountLine.roles(access)); regions: \(AccountLine.regions(access)); "
                        + "totals: \(AccountLine.totals(access))."
                )
            }
        }
    }
}

extension UserCommand {
    /// `triptych-server user sign-out`.
    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                End the sessions of an account, or those of all accounts, within seconds, and close their pages of /account.
                """,
            discussion: """
                The user may sign in again at once: where another person may have the password or passkey, give \
                'user passwd', 'user passkeys' or 'user disable' instead, which end the sessions as well.

                Examples:
                  triptych-server user sign-out fleet-office
                  triptych-server user sign-out --everybody
                """
        )

        @OptionGroup var locations: LocationOptions

        @Flag(help: "End the sessions of all accounts.")
        var everybody = false

        @Argument(help: "The account.")
        var name: String?

        func validate() throws {
            guard name != nil || everybody else {
                throw ValidationError(
                    "No account is named: name one, or give --everybody."
                )
            }
            guard name == nil || !everybody else {
                throw ValidationError("--everybody is every account: name none beside it.")
            }
        }

        func run() async throws {
            try await CommandFailure.reporting {
                guard let name else {
                    try await locations.authentication().endAllSessions()
                    Output.line("All accounts are signed out.")
                    return
                }
                let asked = try await locations.account(named: name)
                try await asked.authentication.endSessions(of: asked.name)
                Output.line("\(asked.name) is signed out.")
            }
        }
    }
}
