/// Somebody who may sign in.
public struct Account: Sendable, Hashable {
    /// Its number, which tokens carry; never given twice.
    public let id: Int64
    /// What they sign in as.
    public let name: AccountName
    /// Where a way to a new password is sent; nil where there is none.
    public let email: String?
    /// What they may do.
    public let access: Access
    /// Whether they may not sign in any more.
    public let isDisabled: Bool
    /// How often all its sessions were ended at once: what its owner had open before is good for nothing.
    var signOutCount: Int64 = 0
}

/// What an account may do, and of which regions.
public struct Access: Sendable, Hashable {
    /// The roles.
    public let roles: Set<Role>
    /// The regions whose trips they may see; nil is all.
    public let regions: Set<String>?
    /// Whether they may see totals over all regions though they may see the trips of some alone.
    public let seesNationalTotals: Bool

    /// Grants roles, of some regions or all.
    public init(roles: Set<Role>, regions: Set<String>? = nil, seesNationalTotals: Bool = false) {
        self.roles = roles
        self.regions = regions
        self.seesNationalTotals = seesNationalTotals
    }
}
