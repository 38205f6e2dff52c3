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
    /// Whether `sums` holds miles; groups by class or basis do not.
    public let hasMiles: Bool
    /// Whether it has the number of trips with a cost and miles; files of older versions do not.
    public let hasCostedMilesTrips: Bool
}

/// An answer: the groups in order of their values, and all of them together.
public struct KPITable: Sendable, Hashable {
    /// The groups, in order of their keys.
    public let rows: [KPIRow]
    /// All trips that match the filters, in one group.
    public let total: KPIRow
}

extension KPISums {
    /// The in-house share of the trips whose class is known, in hundredths of a percent, half up;
    /// nil
    /// where there are none.
    public var inHousePercentHundredths: Int64? {
        Self.percentHundredths(inHouseTrips, of: inHouseTrips + contractedTrips)
    }

    /// The in-house share if all undetermined trips were contracted.
    public var inHousePercentLowHundredths: Int64? {
        Self.percentHundredths(
            inHouseTrips,
            of: inHouseTrips + contractedTrips + undeterminedTrips
        )
    }

    /// The in-house share if all undetermined trips were in-house.
    public var inHousePercentHighHundredths: Int64? {
        Self.percentHundredths(
            inHouseTrips + undeterminedTrips,
            of: inHouseTrips + contractedTrips + undeterminedTrips
        )
    }

    /// The number of trips whose cost is known.
    public var costedTrips: Int64 {
        inHouseCostedTrips + contractedCostedTrips + undeterminedCostedTrips
    }

    /// The cost per trip with known cost, in cents, half up; nil where there are none.
    public var costPerTripCents: Int64? {
        Self.halfUp(costCents, by: costedTrips)
    }

    /// The cost per mile over the trips that have both, in cents, half up; nil where there are
    /// none.
    public var costPerMileCents: Int64? {
        Self.halfUp(100 * costWithMilesCents, by: costedMilesHundredths)
    }

    private static func percentHundredths(_ part: Int64, of whole: Int64) -> Int64? {
        whole > 0 ? (20_000 * part + whole) / (2 * whole) : nil
    }

    /// The nearest integer to a quotient; a half is rounded up, also below zero.
    private static func halfUp(_ sum: Int64, by count: Int64) -> Int64? {
        count > 0 ? CivilTime.floorDivide(2 * sum + count, 2 * count) : nil
    }
}
