import ArgumentParser
import TripIdentity

extension UserCommand {
    /// `triptych-server user sign-out`.
    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                End the sessions of an account, or those of everybody, within seconds, and close their pages of /account.
                """,
            discussion: """
                Whoever has a password or a passkey may sign in again at once: where somebody else may have it, give \
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
                    "Nobody is to be signed out: name an account, or give --everybody."
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
                    Output.line("Everybody is signed out.")
                    return
                }
                let asked = try await places.account(named: name)
                try await asked.authority.endSessions(of: asked.name)
                Output.line("\(asked.name) is signed out.")
            }
        }
    }
}
