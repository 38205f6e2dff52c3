import TripDomain
import TripIdentity
import TripMart

/// Who asks, and what they may see.
struct Caller: Sendable, Hashable {
    let roles: Set<Role>
    /// The regions whose trips they may see; nil is all.
    let regions: Set<String>?
    /// Whether they may see totals over all regions though they may see the trips of some alone.
    let seesNationalTotals: Bool

    /// How they signed in; nil where nobody did.
    private(set) var session: Session?

    /// Somebody who has signed in.
    init(_ session: Session) {
        let access = session.account.access
        self.init(
            roles: access.roles,
            regions: access.regions,
            seesNationalTotals: access.seesNationalTotals
        )
        self.session = session
    }

    init(roles: Set<Role>, regions: Set<String>? = nil, seesNationalTotals: Bool = false) {
        self.roles = roles
        self.regions = regions
        self.seesNationalTotals = seesNationalTotals
    }

    /// Somebody of whom nothing is known.
    static let nobody = Caller(roles: [])

    /// Whether a role of theirs allows it.
    func may(_ permission: Permission) -> Bool {
        roles.contains { $0.permissions.contains(permission) }
    }

    /// Refuses what no role of theirs allows.
    func require(_ permission: Permission) throws(Problem) {
        guard may(permission) else { throw .forbidden }
    }

    /// The numbers they may see.
    func cube(of generation: ServedGeneration) -> ServedCube {
        may(.smallNumbers) ? generation.whole : generation.suppressed
    }

    /// The numbers of their own regions, and totals over all of which no small number of the others follows.
    func totalsBesideOwn(of generation: ServedGeneration) -> ServedCube {
        // Where small numbers are hidden of their own regions as well, nothing can be subtracted.
        guard may(.smallNumbers), let regions else { return cube(of: generation) }
        return generation.totals(beside: regions)
    }

    /// What their answers depend on beside the question: equal texts, equal answers.
    var view: String {
        let scope = regions.map { ["some"] + $0.sorted() } ?? ["all"]
        return EntityTag.text(
            of: [may(.smallNumbers) ? "whole" : "suppressed", "\(seesNationalTotals)"] + scope
        )
    }
}
