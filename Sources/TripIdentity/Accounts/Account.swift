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

/// The name of an account: short, in small letters, safe to print anywhere.
public struct AccountName: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Reads a name; capital letters count as small ones.
    ///
    /// - Parameter text: The text as typed.
    /// - Throws: ``IdentityFault/badName(_:)`` where it has characters that a name may not have.
    public init(_ text: String) throws(IdentityFault) {
        let text = text.lowercased()
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count), Self.isAlphanumeric(bytes[0]),
            bytes.allSatisfy({ Self.isAlphanumeric($0) || Self.marks.contains($0) })
        else { throw .badName(String(text.prefix(80))) }
        self.text = text
    }

    /// The name.
    public var description: String { text }

    private static let marks = Array("._-@".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// Checks e-mail addresses.
public enum EmailAddress {
    /// Whether a text is an address that is safe in an e-mail header: `name@host.example`, of
    /// visible ASCII without characters that have a meaning there.
    ///
    /// - Parameter text: The text.
    /// - Returns: Whether it is. The rule is stricter than RFC 5321: quoted names are refused.
    public static func isValid(_ text: String) -> Bool {
        let sides = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && !"<>()[],;:\\\"".utf8.contains(byte)
        }
        return sides.count == 2 && isPlain && text.utf8.count <= 254 && !text.hasPrefix("-")
            && !sides[0].isEmpty && sides[1].contains(".")
    }
}

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
