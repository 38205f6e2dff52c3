/// How the records of a source, which are lines of claims, are joined into trips.
///
/// A base line is a trip; the mileage and ancillary lines of its claim are merged into it.
public struct ClaimLineDefinition: Sendable, Hashable {
    /// What a line of a claim is.
    public enum Kind: String, Sendable, CaseIterable {
        /// The service: one trip.
        case base
        /// The miles of a trip.
        case mileage
        /// Whatever else was delivered with a trip, such as oxygen or waiting time.
        case ancillary
    }

    /// What a claim does to an earlier one.
    public enum Billing: String, Sendable, CaseIterable {
        /// Nothing: it is a claim of its own, or a newer version of itself.
        case original
        /// It takes the place of another claim.
        case replacement
        /// It takes a claim back.
        case void
    }

    /// A number of which a trip has the sum over its lines.
    public struct Sum: Sendable, Hashable {
        /// The field.
        public let field: String
        /// The lines whose values are added.
        public let kinds: Set<Kind>

        /// Describes one sum.
        ///
        /// - Parameters:
        ///   - field: The field.
        ///   - kinds: The lines whose values are added.
        public init(field: String, kinds: Set<Kind>) {
            self.field = field
            self.kinds = kinds
        }
    }

    /// The field that tells what a claim does to an earlier one, and its values.
    public struct Frequency: Sendable, Hashable {
        /// The text field.
        public let field: String
        /// Its values; a blank is an original.
        public let values: [String: Billing]

        /// Describes the field.
        ///
        /// - Parameters:
        ///   - field: The text field.
        ///   - values: Its values.
        public init(field: String, values: [String: Billing]) {
            self.field = field
            self.values = values
        }
    }

    /// The text fields that name a claim.
    public var claim: [String]
    /// The text field with a line's number in its claim; nil where lines have none.
    public var line: String?
    /// The text field, or derived text, that tells a line's kind.
    public var kind: String
    /// Its values.
    public var kinds: [String: Kind]
    /// The fields that a line has in common with the base line of its trip.
    public var shared: [String]
    /// What is added up.
    public var sums: [Sum]
    /// What a claim does to an earlier one; nil where all are originals.
    public var frequency: Frequency?
    /// The text fields that name the claim which is replaced or voided, as many as `claim` has;
    /// empty where such a claim has the number of the earlier one.
    public var replaced: [String]

    /// Describes the lines of a source.
    ///
    /// - Parameters:
    ///   - claim: The text fields that name a claim.
    ///   - kind: The text field, or derived text, that tells a line's kind.
    ///   - kinds: Its values.
    ///   - shared: The fields that a line has in common with its base line.
    ///   - sums: What is added up.
    public init(
        claim: [String],
        kind: String,
        kinds: [String: Kind],
        shared: [String],
        sums: [Sum]
    ) {
        self.claim = claim
        self.kind = kind
        self.kinds = kinds
        self.shared = shared
        self.sums = sums
        replaced = []
    }
}
