import ArgumentParser
import TripIdentity
import TripText

extension UserCommand {
    /// `triptych-server user email`.
    struct Email: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the e-mail address of an account, or without one remove it.",
            discussion: """
                Examples:
                  triptych-server user email network-8 office@example.gov
                  triptych-server user email network-8
                """
        )

        @OptionGroup var locations: LocationOptions

        @Argument(help: "The account.")
        var name: String

        @Argument(help: "The address.")
        var address: String?

        func run() async throws {
            try await CommandFailure.reporting {
                let asked = try await locations.account(named: name)
                try await asked.authentication.setEmail(address, of: asked.name)
                Output.line(
                    address.map { "\(asked.name) gets e-mail at \($0)." }
                        ?? "\(asked.name) gets no e-mail."
                )
            }
        }
    }

    /// `triptych-server user passkeys`.
    struct Passkeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the passkeys of an account, or remove one whose device is lost.",
            discussion: """
                Removing one ends the sessions of the account.

                Examples:
                  triptych-server user passkeys fleet-office
                  triptych-server user passkeys fleet-office --remove PASSKEY
                """
        )

        @OptionGroup var locations: LocationOptions

        // One in 64 begins with a hyphen.
        @Option(parsing: .unconditional, help: ArgumentHelp("Remove this one.", valueName: "id"))
        var remove: String?

        @Argument(help: "The account.")
        var name: String

        func run() async throws {
            try await CommandFailure.reporting {
                let asked = try await locations.account(named: name)
                if let remove {
                    try await asked.authentication.removePasskey(remove, of: asked.name)
                    Output.line("The passkey is removed; \(asked.name) is signed out.")
                    return
                }
                let rows = try await asked.authentication.passkeys(of: asked.account).map {
                    passkey in
                    [
                        passkey.id, UTCText.day(passkey.createdAt),
                        passkey.lastUsedAt.map(UTCText.day) ?? "never",
                        passkey.mayBeSynced ? "several devices" : "one device",
                    ]
                }
                let head = ["Passkey", "Added", "Last used", "Where"]
                for line in TextTable.lines([head] + rows) { Output.line(line) }
            }
        }
    }
}
