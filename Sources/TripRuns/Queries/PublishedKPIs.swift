public import TripDomain
public import TripMart

/// The KPIs of one generation, for the filters and the grouping of a query.
public struct PublishedKPIs: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// The filters and the grouping.
    public let query: KPIQuery
    /// The numbers.
    public let table: KPITable
    /// The open months that have trips in the answer, in order.
    public let openMonths: [Month]
    /// The goal in force in all months of the answer; nil where there is none, where it changes
    /// within them, and where the query is of classes or bases.
    public let goal: Goal?
    /// The day whose regions all trips are assigned to; nil where each has its own.
    public let regionsAsOf: CivilDate?
    /// Whether any counted trip of the generation, filtered or not, has a known cost.
    public let hasCosts: Bool
    /// All months that have trips, in order.
    public let months: [Month]
    /// The labels of the values that the answer is grouped by.
    public let labels: ValueLabels
}

/// A page of trips of one generation.
public struct PublishedTrips: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// The trips.
    public let page: TripPage
    /// The number of counted trips that match the filters.
    public let total: Int64
    /// The months that were asked for; nil for all.
    public let askedMonths: ClosedRange<Month>?
    /// All months that have trips, in order.
    public let months: [Month]
    /// The references of the trips of the page, in their order.
    public let refs: [String]
    /// What people call its trip types and regions.
    public let labels: ValueLabels
    /// Whether any cost of the generation is known.
    public let hasCosts: Bool
    /// The flags that name the mart in a command, after a blank each.
    public let martFlags: String
}
