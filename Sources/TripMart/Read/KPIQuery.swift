public import TripDomain

/// A dimension that KPIs can be grouped by.
public enum KPIDimension: String, Sendable, CaseIterable {
    /// The month, `YYYY-MM`.
    case month
    /// The trip type.
    case tripType = "trip_type"
    /// The region.
    case region
    /// The class.
    case tripClass = "class"
    /// The basis of the class.
    case basis
    /// The US federal fiscal year.
    case fiscalYear = "fiscal_year"
}

/// A query of the cube: filters of the trips, and the dimensions to group by.
public struct KPIQuery: Sendable, Hashable {
    /// The months; nil for all.
    public var months: ClosedRange<Month>?
    /// The trip types; empty for all.
    public var tripTypes: [String]
    /// The regions; empty for all.
    public var regions: [String]
    /// The classes; empty for all.
    public var classes: [TripClass]
    /// The bases; empty for all.
    public var bases: [String]
    /// The dimensions to group by, in order; empty for one group of all trips.
    public var by: [KPIDimension]

    /// Creates a query; by default of all trips in one group.
    public init(
        months: ClosedRange<Month>? = nil,
        tripTypes: [String] = [],
        regions: [String] = [],
        classes: [TripClass] = [],
        bases: [String] = [],
        by: [KPIDimension] = []
    ) {
        self.months = months
        self.tripTypes = tripTypes
        self.regions = regions
        self.classes = classes
        self.bases = bases
        self.by = by
    }

    /// Whether the answer needs the split by class and basis, which has no miles.
    public var needsBasis: Bool {
        !classes.isEmpty || !bases.isEmpty || by.contains(.tripClass) || by.contains(.basis)
    }
}

/// One group of an answer.
public struct KPIRow: Sendable, Hashable {
    /// The group's values, in the order of the query's `by`.
    public let keys: [String]
    /// The sums of its trips.
    public let sums: KPISums
    /// Whether one of its months may still grow.
    public let isOpen: Bool
    /// The sums that are known; the others are 0 in ``sums``.
    ///
    /// Groups by class or basis have none with miles, and files of older versions lack some.
    public let known: KPISumSet

    /// A KPI of the group; nil where one of its sums is not known, or where it is a ratio without a
    /// value.
    public func value(_ kpi: KPI) -> Int64? { known.contains(kpi.sums) ? kpi.value(sums) : nil }
}

/// An answer: the groups in order of their values, and all of them together.
public struct KPITable: Sendable, Hashable {
    /// The groups, in order of their keys.
    public let rows: [KPIRow]
    /// All trips that match the filters, in one group.
    public let total: KPIRow
}
