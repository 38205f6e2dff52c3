/// What a person is here for.
///
/// A person may have several roles, and may do what any of them may.
public enum Role: String, Sendable, CaseIterable {
    /// Sees KPIs with small counts hidden, and no single trip.
    case viewer
    /// A senior administrator: sees every number and, masked, every trip.
    case administrator
    /// Changes rules: what an administrator sees, and runs.
    case analyst
    /// Reads the record of who looked at what; no trip and no number of few.
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

/// What somebody may do.
public enum Permission: Sendable {
    /// Read KPIs.
    case numbers
    /// Read KPIs of few trips as well.
    case smallNumbers
    /// Read single trips, masked, and reveal what is masked.
    case trips
    /// Start and watch re-classifications.
    case runs
    /// Read the record of who looked at what.
    case accessRecord
}
