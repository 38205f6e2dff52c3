public import TripDomain

/// The finest cell: the counted trips of one month, trip type, region, class and basis.
public struct FinestCell: Sendable, Hashable {
    /// The values of a declared measure.
    public struct Measure: Sendable, Hashable {
        /// The measure's name.
        public let name: String
        /// Its sums.
        public let sums: MeasureSums
        /// Of a median, how often each value occurs, in order of the values.
        public let values: [ValueCount]

        /// Describes them.
        public init(name: String, sums: MeasureSums, values: [ValueCount]) {
            (self.name, self.sums, self.values) = (name, sums, values)
        }
    }

    /// The trips that have one value of a declared dimension.
    public struct Dimension: Sendable, Hashable {
        /// The dimension's name.
        public let name: String
        /// The value; the empty text for trips without one.
        public let value: String
        /// Their number and their known costs.
        public let sums: CostSums

        /// Describes them.
        public init(name: String, value: String, sums: CostSums) {
            (self.name, self.value, self.sums) = (name, value, sums)
        }
    }

    /// What its trips have in common.
    public let group: DeclaredGroup
    /// The sums of its trips.
    public let sums: TripSums
    /// The declared measures that have a known value, in the pipeline's order.
    public let measures: [Measure]
    /// The values of declared dimensions: by dimension in the pipeline's order, then by bytes.
    public let dimensions: [Dimension]

    /// Describes a cell.
    public init(
        group: DeclaredGroup,
        sums: TripSums,
        measures: [Measure] = [],
        dimensions: [Dimension] = []
    ) {
        (self.group, self.sums) = (group, sums)
        (self.measures, self.dimensions) = (measures, dimensions)
    }
}

/// The sums of some accepted trips at the finest grain, and what else totals need of them: what one
/// part of a divided run hands over.
public struct FinestSums: Sendable, Hashable {
    /// All trips, counted or not, and their known costs.
    public var amount = LedgerAmount()
    /// The cells, by the bytes of month, trip type, region, class and basis.
    public var cells: [FinestCell] = []
    /// The regions of all trips, counted or not, by bytes.
    public var regions: [String] = []
    /// The trip types of all trips, counted or not, by bytes.
    public var tripTypes: [String] = []
    /// The local time of the last pick-up, in seconds; nil without trips.
    public var lastPickup: Int64?
    /// The sum of the larger of cents and hundredths of a mile of each counted trip, without
    /// signs: while it fits 64 bits, no partial sum can overflow.
    public var absoluteAmounts: Int64 = 0
    /// Whether it did not.
    public var hasOverflowed = false
    /// The sum of the values of each declared measure without signs, in the pipeline's order.
    public var absoluteMeasures: [Int64] = []
    /// All trips by month, counted or not, in order of time.
    public var months: [TripLocation.MonthTrips] = []
    /// All trips by status and by whether they count, in order of both.
    public var statuses: [TripLocation.StatusTrips] = []
    /// The known costs of the trips that do not count.
    public var uncountedCents: Int64 = 0
    /// The declared measures whose values cannot be added up, by bytes.
    public var overflowing: [String] = []
    /// The declarations that have more groups than are published, by bytes.
    public var overgrowing: [String] = []

    /// No trips.
    public init() {}
}
