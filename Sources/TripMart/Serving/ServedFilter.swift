public import TripDomain

/// Which trips a reader asks for, and which of them they may see: the dashboard's three filters within
/// the reader's regions.
public struct ServedFilter: Sendable, Hashable {
    /// The first month there can be.
    public static let firstMonth = Month(year: 1900, month: 1)
    /// The last month there can be.
    public static let lastMonth = Month(year: 2199, month: 12)

    /// The months; nil is all.
    public var months: ClosedRange<Month>?
    /// The trip type; nil is all.
    public var tripType: String?
    /// The region; nil is all.
    public var region: String?
    /// The regions its reader may see; nil is all.
    public var scope: Set<String>?
    /// Whether totals over all regions are of all there are, though its reader may see some alone.
    public var hasNationalTotals: Bool

    /// Asks for all trips, unless told which.
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
    /// Whether two values of a dimension are one: texts that Unicode calls equal are two values in SQL.
    func isSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
