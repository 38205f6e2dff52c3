public import TripDomain

/// The filter of a request and the regions that its reader may see: the dashboard's three filters
/// within the reader's regions.
public struct ServedFilter: Sendable, Hashable {
    /// The first possible month.
    public static let firstMonth = MonthFilter.possible.lowerBound
    /// The last possible month.
    public static let lastMonth = MonthFilter.possible.upperBound

    /// The months; nil for all.
    public var months: ClosedRange<Month>?
    /// The trip type; nil for all.
    public var tripType: String?
    /// The region; nil for all.
    public var region: String?
    /// The regions that its reader may see; nil for all.
    public var scope: Set<String>?
    /// Whether totals over all regions are national totals, although its reader may see only some
    /// regions.
    public var hasNationalTotals: Bool

    /// Creates a filter; by default of all trips.
    public init(
        months: ClosedRange<Month>? = nil,
        tripType: String? = nil,
        region: String? = nil,
        scope: Set<String>? = nil,
        hasNationalTotals: Bool = false
    ) {
        self.months = months
        self.tripType = tripType
        self.region = region
        self.scope = scope
        self.hasNationalTotals = hasNationalTotals
    }

    /// Whether its reader may see a region.
    public func mayShow(region: String) -> Bool {
        scope?.contains { $0.isSameBytes(as: region) } ?? true
    }
}

extension String {
    /// Whether two values of a dimension are the same: texts that are equal in Unicode are two
    /// values in SQL.
    func isSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
