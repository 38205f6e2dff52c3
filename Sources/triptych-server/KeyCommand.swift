import ArgumentParser
import TripIdentity

/// `triptych-server key`: what tokens are signed with.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "See to the keys that tokens are signed with.",
        subcommands: [Rotate.self]
    )

    /// `triptych-server key rotate`.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign with a new key from now on.",
            discussion: """
                A running server takes it up within seconds. Tokens of the key before stay good until they end, \
                ten minutes at most; an hour later that key verifies nothing, and the next rotation removes it.
                """
        )

        @OptionGroup var places: PlaceOptions

        @Flag(
            help:
                "Let the keys before verify nothing from now on: everybody refreshes or signs in again."
        )
        var withdraw = false

        func run() async throws {
            try await CommandFailure.reporting {
                let id = try await places.authority().rotateKeys(withdrawing: withdraw)
                Output.line("Tokens are signed with \(id) from now on.")
            }
        }
    }
}
