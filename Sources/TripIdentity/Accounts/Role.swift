/// The role of a person.
///
/// A person may have several roles, and may do what any of them allows.
public enum Role: String, Sendable, CaseIterable {
    /// Sees KPIs with small counts hidden, and no trips.
    case viewer
    /// A senior administrator: sees every number and, masked, every trip.
    case administrator
    /// Changes rules: what an administrator sees, and runs.
    case analyst
    /// Reads the access record; sees no trips, and KPIs with small counts hidden.
    case privacyOfficer = "privacy_officer"

    /// What the role allows.
    public var permissions: [Permission] {
        switch self {
        case .viewer: [.numbers]
        case .administrator: [.numbers, .smallNumbers, .trips]
        case .analyst: [.numbers, .smallNumbers, .trips, .runs]
        case .privacyOfficer: [.numbers, .accessRecord]
        }
    }
}

/// A permission that roles grant.
public enum Permission: Sendable {
    /// Read KPIs.
    case numbers
    /// Read KPIs of few trips as well.
    case smallNumbers
    /// Read single trips, masked, and reveal what is masked.
    case trips
    /// Start and watch re-classifications.
    case runs
    /// Read the access record, which says who read what.
    case accessRecord
}
