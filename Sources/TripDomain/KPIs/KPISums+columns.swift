/// The sums by column of the cube.
extension KPISums {
    /// The columns' names, in the order of the table.
    ///
    /// All but the last two are the contract of the store; those make cost per mile exact, and say
    /// how many trips it rests on.
    public static let columnNames = [
        "trips", "in_house_trips", "contracted_trips", "undetermined_trips", "cost_cents",
        "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents",
        "in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips",
        "loaded_miles_hundredths", "miles_known_trips", "cost_with_miles_cents",
        "costed_miles_hundredths", "costed_miles_trips",
    ]

    /// The sums, in the order of ``columnNames``.
    public var values: [Int64] {
        [
            trips, inHouseTrips, contractedTrips, undeterminedTrips,
            costCents, inHouseCostCents, contractedCostCents,
            undeterminedCostCents, inHouseCostedTrips, contractedCostedTrips,
            undeterminedCostedTrips, loadedMilesHundredths, milesKnownTrips,
            costWithMilesCents, costedMilesHundredths, costedMilesTrips,
        ]
    }

    /// Takes the sums from values in the order of ``columnNames``.
    ///
    /// - Precondition: There is one value per column.
    public init(values: [Int64]) {
        precondition(values.count == Self.columnNames.count, "one value per column of the cube")
        self.init()
        (trips, inHouseTrips) = (values[0], values[1])
        (contractedTrips, undeterminedTrips) = (values[2], values[3])
        (costCents, inHouseCostCents) = (values[4], values[5])
        (contractedCostCents, undeterminedCostCents) = (values[6], values[7])
        (inHouseCostedTrips, contractedCostedTrips) = (values[8], values[9])
        (undeterminedCostedTrips, loadedMilesHundredths) = (values[10], values[11])
        (milesKnownTrips, costWithMilesCents) = (values[12], values[13])
        (costedMilesHundredths, costedMilesTrips) = (values[14], values[15])
    }
}
