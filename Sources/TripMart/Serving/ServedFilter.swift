public import TripDomain

/// Which trips a reader asks for: the dashboard's three filters.
public struct ServedFilter: Sendable, Hashable {
    /// The months; nil is all.
    public var months: ClosedRange<Month>?
    /// The trip type; nil is all.
    public var tripType: String?
    /// The region; nil is all.
    public var region: String?

    /// Asks for all trips, unless told which.
    public init(
        months: ClosedRange<Month>? = nil,
        tripType: String? = nil,
        region: String? = nil
    ) {
        self.months = months
        self.tripType = tripType
        self.region = region
    }

    /// The same of other months.
    func with(months: ClosedRange<Month>) -> ServedFilter {
        ServedFilter(months: months, tripType: tripType, region: region)
    }
}
