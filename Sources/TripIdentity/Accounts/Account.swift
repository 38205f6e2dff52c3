/// An account of a person who may sign in.
public struct Account: Sendable, Hashable {
    /// Its number, which tokens carry; no number is used twice.
    public let id: Int64
    /// The name its owner signs in with.
    public let name: AccountName
    /// Where links to a new password are sent; nil where there is no address.
    public let email: String?
    /// What the account may do.
    public let access: Access
    /// Whether signing in is no longer allowed.
    public let isDisabled: Bool
    /// How often all its sessions were ended at once: every end makes earlier sign-ins and tickets
    /// invalid.
    var signOutCount: Int64 = 0
}

/// What an account may do, and for which regions.
public struct Access: Sendable, Hashable {
    /// The roles.
    public let roles: Set<Role>
    /// The regions whose trips the account may see; nil is all.
    public let regions: Set<String>?
    /// Whether the account may see totals over all regions though it may see the trips of only
    /// some.
    public let seesNationalTotals: Bool

    /// Grants roles, for some regions or all.
    public init(roles: Set<Role>, regions: Set<String>? = nil, seesNationalTotals: Bool = false) {
        self.roles = roles
        self.regions = regions
        self.seesNationalTotals = seesNationalTotals
    }
}
