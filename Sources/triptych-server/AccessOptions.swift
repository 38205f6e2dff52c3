import ArgumentParser
import TripIdentity

/// What a new account may do.
struct AccessOptions: ParsableArguments {
    @Option(
        name: .customLong("role"),
        help: "viewer, administrator, analyst or privacy_officer; may be repeated."
    )
    var roles: [String]

    @Option(
        name: .customLong("region"),
        help: "A region whose trips the account may see; may be repeated. (default: all)"
    )
    var regions: [String] = []

    @Flag(help: "See totals over all regions beside those of its own.")
    var nationalTotals = false

    func access() throws -> Access {
        Access(
            roles: try Self.known(roles),
            regions: regions.isEmpty ? nil : Set(regions),
            seesNationalTotals: nationalTotals || regions.isEmpty
        )
    }

    /// The roles of some words.
    static func known(_ words: [String]) throws(IdentityFault) -> Set<Role> {
        var roles: Set<Role> = []
        for word in words {
            guard let role = Role(rawValue: word) else { throw .noSuchRole(word) }
            roles.insert(role)
        }
        return roles
    }
}

/// Changes of what an account may do; what is not named stays as it is.
struct AccessChangeOptions: ParsableArguments {
    @Option(
        name: .customLong("role"),
        help: """
            viewer, administrator, analyst or privacy_officer, in place of those it has; may be repeated. \
            (default: as it is)
            """
    )
    var roles: [String] = []

    @Option(
        name: .customLong("region"),
        help: """
            A region whose trips the account may see, in place of those it sees; may be repeated. \
            (default: as it is)
            """
    )
    var regions: [String] = []

    @Flag(help: "Let it see the trips of all regions.")
    var allRegions = false

    @Flag(
        inversion: .prefixedNo,
        help: "Whether it sees totals over all regions beside those of its own. (default: as it is)"
    )
    var nationalTotals: Bool?

    func validate() throws {
        guard !roles.isEmpty || !regions.isEmpty || allRegions || nationalTotals != nil else {
            throw ValidationError(
                "Nothing is to be changed: give --role, --region, --all-regions or --national-totals."
            )
        }
        guard regions.isEmpty || !allRegions else {
            throw ValidationError("--region and --all-regions contradict each other: give one.")
        }
        guard !allRegions || nationalTotals != false else {
            throw ValidationError(
                "An account that sees all regions sees their totals: name --region too."
            )
        }
    }

    /// What an account may do from now on.
    ///
    /// An account that saw all regions saw their totals for that reason: bound to some of them, it
    /// sees those no more unless the option says so.
    ///
    /// - Parameter before: What it may do.
    /// - Returns: The same with what is changed.
    /// - Throws: ``IdentityFault`` of a role that there is not; `ValidationError` of a switch that
    ///   would switch nothing.
    func access(after before: Access) throws -> Access {
        let regions: Set<String>? =
            allRegions ? nil : self.regions.isEmpty ? before.regions : Set(self.regions)
        guard regions != nil || nationalTotals != false else {
            throw ValidationError(
                "An account that sees all regions sees their totals: name --region too."
            )
        }
        return Access(
            roles: try roles.isEmpty ? before.roles : AccessOptions.known(roles),
            regions: regions,
            seesNationalTotals: regions == nil
                || nationalTotals ?? (before.regions != nil && before.seesNationalTotals)
        )
    }
}
