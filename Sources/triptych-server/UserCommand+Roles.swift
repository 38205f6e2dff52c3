import ArgumentParser
import TripIdentity

extension UserCommand {
    /// `triptych-server user roles`.
    struct Roles: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change what an account may do; within seconds also where it is signed in.",
            discussion: """
                Roles, regions and totals stay as they are where nothing is said of them. An account that saw every \
                region and is bound to some sees totals over all no more, unless --national-totals is given as well.
                """
        )

        @OptionGroup var places: PlaceOptions
        @OptionGroup var changes: AccessChangeOptions

        @Argument(help: "The account.")
        var name: String

        func run() async throws {
            try await CommandFailure.reporting {
                let asked = try await places.account(named: name)
                let access = try changes.access(after: asked.account.access)
                try await asked.authority.setAccess(access, of: asked.name)
                Output.line(
                    "\(asked.name) is \(AccountLine.roles(access)); regions: \(AccountLine.regions(access)); "
                        + "totals: \(AccountLine.totals(access))."
                )
            }
        }
    }
}
