import ArgumentParser
import TripIdentity

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
                """
        )

        @OptionGroup var places: PlaceOptions

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
                    try await places.authority().endAllSessions()
                    Output.line("All accounts are signed out.")
                    return
                }
                let asked = try await places.account(named: name)
                try await asked.authority.endSessions(of: asked.name)
                Output.line("\(asked.name) is signed out.")
            }
        }
    }
}
