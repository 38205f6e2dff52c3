public import TripDomain

/// The filter of a list of trips.
public struct TripFilter: Sendable, Hashable {
    /// The months; nil for all.
    public var months: ClosedRange<Month>?
    /// The trip types; empty for all.
    public var tripTypes: [String]
    /// The regions; empty for all.
    public var regions: [String]
    /// The class; nil for all.
    public var tripClass: TripClass?
    /// Whether to leave out the trips that the pipeline does not count.
    public var isCountedOnly: Bool

    /// Creates a filter; by default of all trips.
    public init(
        months: ClosedRange<Month>? = nil,
        tripTypes: [String] = [],
        regions: [String] = [],
        tripClass: TripClass? = nil,
        isCountedOnly: Bool = false
    ) {
        self.months = months
        self.tripTypes = tripTypes
        self.regions = regions
        self.tripClass = tripClass
        self.isCountedOnly = isCountedOnly
    }
}

/// One trip in a list.
public struct TripSummary: Sendable, Hashable {
    /// Its position among all trips by pick-up time, from 1; pages are cut by it.
    public let tripNumber: Int64
    /// Its id.
    public let tripID: String
    /// Local pick-up time, `YYYY-MM-DD HH:MM:SS`.
    public let pickupAt: String
    /// The month, `YYYY-MM`.
    public let month: String
    /// The trip type.
    public let tripType: String
    /// The region.
    public let region: String
    /// The class.
    public let tripClass: TripClass
    /// The basis; empty where there is none.
    public let basis: String
    /// The id of the deciding rule; nil where none matched.
    public let ruleID: String?
    /// Whether the pipeline counts it.
    public let isCounted: Bool
    /// The cost in cents; nil where not known.
    public let costCents: Int64?
    /// Loaded miles in hundredths; nil where not known.
    public let milesHundredths: Int64?
    /// The name of the provider that drove; nil where not known, or without a field
    /// `provider_name`.
    public let providerName: String?
    /// The source position of its accepted version.
    public let position: SourcePosition
}

/// One page of a list, newest first.
public struct TripPage: Sendable, Hashable {
    /// The trips, by descending number.
    public let trips: [TripSummary]
    /// The cursor of the next page; nil on the last page.
    public let next: Int64?

    /// An empty page.
    public static let empty = TripPage(trips: [], next: nil)
}

/// One value of a trip under its column's name.
public struct TripValue: Sendable, Hashable {
    /// The column's name in rules and in the `trip` view.
    public let name: String
    /// The value as rules read it.
    public let value: StoredValue
}

/// A valid version of a trip that is not the accepted one, or a line of its claim.
public struct StoredVersion: Sendable, Hashable {
    /// `duplicate`, `superseded`, or of a line `merged` or `withdrawn`.
    public let term: LedgerTerm
    /// Its source position.
    public let position: SourcePosition
    /// Its amount in cents; nil where not known.
    public let amountCents: Int64?
}

/// All that is known of one trip.
public struct TripDetail: Sendable {
    /// The row of a list.
    public let summary: TripSummary
    /// What the facility's clock was ahead of UTC at the pick-up, in seconds; negative where it was
    /// behind.
    public let pickupOffsetSeconds: Int64
    /// All columns of the `trip` view, in their order; no patient identifier.
    public let values: [TripValue]
    /// The trip as a batch of one row in the generation's shape, classified; the patient is NULL.
    public let batch: TripBatch
    /// The deciding rule; nil where none matched.
    public let rule: RuleEntry?
    /// The file of its accepted version.
    public let file: SourceFileEntry
    /// The reference of its patient; nil where there is none.
    public let patientRef: Int64?
    /// Its other valid versions, in order of exports.
    public let versions: [StoredVersion]
    /// Records of it that were rejected, and so changed nothing, in order of exports.
    public let rejects: [RejectRow]
}

/// One reject.
public struct RejectRow: Sendable, Hashable {
    /// Its number within the generation, from 1.
    public let number: Int
    /// Its source position.
    public let position: SourcePosition
    /// The record's size in bytes.
    public let byteSize: Int
    /// The number of items of the ledger in it.
    public let itemCount: Int
    /// The field that failed; nil when the record as a whole did.
    public let field: String?
    /// Why.
    public let reason: RejectReason
    /// Its amount in cents; nil where blank or unreadable.
    public let amountCents: Int64?
    /// Whether the amount could not be read.
    public let isUnpriced: Bool
    /// The id of the known trip it is a record of; nil where there is none.
    public let tripID: String?
    /// Whether it comes after all valid versions of that trip, and so would have corrected it.
    public let isCorrection: Bool
}

/// Rejects of one kind.
public struct RejectGroup: Sendable, Hashable {
    /// Why.
    public let reason: RejectReason
    /// The field; nil where records as a whole failed.
    public let field: String?
    /// The number of rejects.
    public let count: Int
    /// The number of items of the ledger.
    public let itemCount: Int
    /// The number that would have corrected a known trip.
    public let correctionCount: Int
    /// The number of the first reject, as an example.
    public let firstNumber: Int
}

/// The filter of a list of rejects.
public struct RejectFilter: Sendable, Hashable {
    /// The reason; nil for all.
    public var reason: RejectReason?
    /// The field; nil for all.
    public var field: String?
    /// The file's path; nil for all.
    public var path: String?
    /// Whether to list only those that would have corrected a known trip.
    public var isCorrection: Bool

    /// Creates a filter; by default of all rejects.
    public init(
        reason: RejectReason? = nil,
        field: String? = nil,
        path: String? = nil,
        isCorrection: Bool = false
    ) {
        self.reason = reason
        self.field = field
        self.path = path
        self.isCorrection = isCorrection
    }

    /// Its values, in the order in which the condition of a query has them.
    var arguments: [any StoredArgument] {
        [reason?.rawValue, field, field, path, isCorrection ? 1 : 0]
    }
}
