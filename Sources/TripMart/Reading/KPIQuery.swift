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

/// A question to the cube: which trips, and by what.
public struct KPIQuery: Sendable, Hashable {
    /// The months; nil is all.
    public var months: ClosedRange<Month>?
    /// The trip types; none is all.
    public var tripTypes: [String]
    /// The regions; none is all.
    public var regions: [String]
    /// The classes; none is all.
    public var classes: [TripClass]
    /// The bases; none is all.
    public var bases: [String]
    /// What to group by, in order; none is one group of all.
    public var by: [KPIDimension]

    /// Asks for all trips, unless told which, in one group, unless told by what.
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

    /// Whether the answer needs the split by class and basis, which knows no miles.
    public var needsBasis: Bool {
        !classes.isEmpty || !bases.isEmpty || by.contains(.tripClass) || by.contains(.basis)
    }
}

/// One group of an answer.
public struct KPIRow: Sendable, Hashable {
    /// The group's values, in the order of the query's `by`.
    public let keys: [String]
    /// What its trips add up to.
    public let sums: KPISums
    /// Whether a month of it may still grow.
    public let isOpen: Bool
    /// Whether `sums` holds miles; groups by class or basis do not.
    public let hasMiles: Bool
    /// Whether it holds how many trips have a cost and miles; files of older versions do not.
    public let hasCostedMilesTrips: Bool
}

/// An answer: the groups in order of their values, and all of them together.
public struct KPITable: Sendable, Hashable {
    /// The groups, in order of their keys.
    public let rows: [KPIRow]
    /// All that the filters let through, in one group.
    public let total: KPIRow
}

extension KPISums {
    /// In-house trips of those whose class is known, in hundredths of a percent, half up; nil
    /// where there are none.
    public var inHousePercentHundredths: Int64? {
        Self.percentHundredths(inHouseTrips, of: inHouseTrips + contractedTrips)
    }

    /// The same if all undetermined trips turned out contracted.
    public var inHousePercentLowHundredths: Int64? {
        Self.percentHundredths(
            inHouseTrips,
            of: inHouseTrips + contractedTrips + undeterminedTrips
        )
    }

    /// The same if all undetermined trips turned out in-house.
    public var inHousePercentHighHundredths: Int64? {
        Self.percentHundredths(
            inHouseTrips + undeterminedTrips,
            of: inHouseTrips + contractedTrips + undeterminedTrips
        )
    }

    /// Trips whose cost is known.
    public var costedTrips: Int64 {
        inHouseCostedTrips + contractedCostedTrips + undeterminedCostedTrips
    }

    /// Known costs per trip with known cost, in cents, half up; nil where there are none.
    public var costPerTripCents: Int64? {
        Self.halfUp(costCents, by: costedTrips)
    }

    /// Costs per mile over the trips that have both, in cents, half up; nil where there are none.
    public var costPerMileCents: Int64? {
        Self.halfUp(100 * costWithMilesCents, by: costedMilesHundredths)
    }

    private static func percentHundredths(_ part: Int64, of whole: Int64) -> Int64? {
        whole > 0 ? (20_000 * part + whole) / (2 * whole) : nil
    }

    /// The nearest whole number to a quotient; a half goes up, also below zero.
    private static func halfUp(_ sum: Int64, by count: Int64) -> Int64? {
        count > 0 ? CivilTime.floorDivide(2 * sum + count, 2 * count) : nil
    }
}
