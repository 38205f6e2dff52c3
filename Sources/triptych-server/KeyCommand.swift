import ArgumentParser
import TripIdentity
import TripText

/// `triptych-server key`: the keys that sign tokens.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys that sign tokens.",
        discussion: """
            Examples:
              triptych-server key rotate
            """,
        subcommands: [Rotate.self]
    )

    /// `triptych-server key rotate`.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign with a new key from now on.",
            usage: "triptych-server key rotate [--withdraw] [<options>]",
            discussion: """
                A running server uses it within seconds. Tokens of the key before stay good until they end, \
                ten minutes at most; an hour later that key verifies nothing, and the next rotation removes it.

                Examples:
                  triptych-server key rotate
                  triptych-server key rotate --withdraw
                """
        )

        @OptionGroup var locations: LocationOptions

        @Flag(
            help:
                "Let the keys before verify nothing from now on: every user refreshes or signs in again."
        )
        var withdraw = false

        func run() async throws {
            try await CommandFailure.reporting {
                let id = try await locations.authentication().rotateKeys(withdrawing: withdraw)
                Output.line("Tokens are signed with \(id) from now on.")
            }
        }
    }
}
