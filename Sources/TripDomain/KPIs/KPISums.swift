/// The sums and counts of one group of trips: one number for each ``KPISum``.
///
/// Ratios are not stored; they are derived when reading.
public struct KPISums: Sendable {
    private var storage: KPIStorage

    /// No trips.
    public init() { storage = KPIStorage(repeating: 0) }

    /// Takes the sums from values in the order of ``KPISum``.
    ///
    /// - Precondition: There is one value per sum.
    public init(values: [Int64]) {
        precondition(values.count == KPIStorage.count, "one value per column of the cube")
        self.init()
        for index in values.indices { storage[index] = values[index] }
    }

    /// The sums of trips of one class.
    public init(_ trips: TripSums, of tripClass: TripClass) {
        self.init()
        add(trips, of: tripClass)
    }

    /// One sum.
    public subscript(sum: KPISum) -> Int64 {
        get { storage[sum.rawValue] }
        set { storage[sum.rawValue] = newValue }
    }

    /// One ratio; nil where its divisor is not greater than zero.
    public subscript(ratio: KPIRatio) -> Int64? { ratio.quotient.value(self) }

    /// The sums, in the order of ``KPISum``.
    public var values: [Int64] { storage.indices.map { storage[$0] } }

    /// Adds the sums of trips of one class.
    ///
    /// - Complexity: O(*k*) in the stored sums; allocates nothing.
    public mutating func add(_ trips: TripSums, of tripClass: TripClass) {
        for (index, measure) in Self.measures[Int(tripClass.rawValue)] {
            storage[index] += trips[measure]
        }
    }

    /// By class, the stored sums that trips of the class add to, with what they add.
    private static let measures: [[(index: Int, measure: KPIMeasure)]] =
        TripClass.allCases.sorted { $0.rawValue < $1.rawValue }.map { tripClass in
            KPISum.allCases.filter { $0.tripClass ?? tripClass == tripClass }
                .map { ($0.rawValue, $0.measure) }
        }

    /// Adds the sums of another group.
    public static func += (left: inout KPISums, right: KPISums) {
        for index in left.storage.indices { left.storage[index] += right.storage[index] }
    }

    /// Subtracts the sums of another group.
    public static func -= (left: inout KPISums, right: KPISums) {
        for index in left.storage.indices { left.storage[index] -= right.storage[index] }
    }
}

extension KPISums: Hashable {
    /// Whether all sums are equal.
    public static func == (left: KPISums, right: KPISums) -> Bool {
        left.storage.indices.allSatisfy { left.storage[$0] == right.storage[$0] }
    }

    /// Hashes all sums.
    public func hash(into hasher: inout Hasher) {
        for index in storage.indices { hasher.combine(storage[index]) }
    }
}

/// The numbers that screens and checks name one by one.
extension KPISums {
    /// Counted trips.
    public var trips: Int64 { self[.trips] }
    /// Counted trips of class `in_house`.
    public var inHouseTrips: Int64 { self[.inHouseTrips] }
    /// Counted trips of class `contracted`.
    public var contractedTrips: Int64 { self[.contractedTrips] }
    /// Counted trips of class `undetermined`.
    public var undeterminedTrips: Int64 { self[.undeterminedTrips] }
    /// Known costs of all counted trips.
    public var costCents: Int64 { self[.costCents] }
    /// Known costs of the in-house trips.
    public var inHouseCostCents: Int64 { self[.inHouseCostCents] }
    /// Known costs of the contracted trips.
    public var contractedCostCents: Int64 { self[.contractedCostCents] }
    /// Known costs of the undetermined trips.
    public var undeterminedCostCents: Int64 { self[.undeterminedCostCents] }
    /// In-house trips whose cost is known.
    public var inHouseCostedTrips: Int64 { self[.inHouseCostedTrips] }
    /// Contracted trips whose cost is known.
    public var contractedCostedTrips: Int64 { self[.contractedCostedTrips] }

    /// The trips of all classes, and their known costs.
    public var costs: CostSums {
        CostSums(
            trips: trips,
            costedTrips: inHouseCostedTrips + contractedCostedTrips
                + self[.undeterminedCostedTrips],
            costCents: costCents
        )
    }

    /// The in-house share of the trips whose class is known, in hundredths of a percent, half up;
    /// nil where there are none.
    public var inHousePercentHundredths: Int64? { self[.inHousePercent] }
    /// The in-house share if all undetermined trips were contracted.
    public var inHousePercentLowHundredths: Int64? { self[.inHousePercentLow] }
    /// The in-house share if all undetermined trips were in-house.
    public var inHousePercentHighHundredths: Int64? { self[.inHousePercentHigh] }
    /// The cost per trip with known cost, in cents, half up; nil where there are none.
    public var costPerTripCents: Int64? { self[.costPerTrip] }
}
