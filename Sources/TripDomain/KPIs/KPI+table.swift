/// A sum that the cube stores: the cases are its columns, in the order of the store.
public enum KPISum: Int, Sendable, CaseIterable {
    /// Counted trips, of all classes and by class.
    case trips, inHouseTrips, contractedTrips, undeterminedTrips
    /// Known costs, of all classes and by class.
    case costCents, inHouseCostCents, contractedCostCents, undeterminedCostCents
    /// Trips whose cost is known, by class.
    case inHouseCostedTrips, contractedCostedTrips, undeterminedCostedTrips
    /// Loaded miles, and the trips whose miles are known.
    case loadedMilesHundredths, milesKnownTrips
    /// Costs, miles and number of the trips whose cost and miles are both known.
    case costWithMilesCents, costedMilesHundredths, costedMilesTrips
}

/// The sums of one cell: one number for each case of ``KPISum``.
typealias KPIStorage = InlineArray<16, Int64>

/// A ratio of sums, which is derived when it is read and never stored.
public enum KPIRatio: Int, Sendable, CaseIterable {
    /// The in-house share of the trips whose class is known, and its bounds: as if all undetermined
    /// trips were contracted, and as if all were in-house.
    case inHousePercent, inHousePercentLow, inHousePercentHigh
    /// Costs per trip with a known cost, and per mile of the trips that have both.
    case costPerTrip, costPerMile
}

extension KPI {
    /// All KPIs, in the order in which answers list them.
    ///
    /// For sums of existing measures, everything else follows from this table: the columns of the
    /// store and their recount, the views, the numbers of `kpi` as text, JSON and CSV, `/kpi`,
    /// reports, and what is hidden with which count. A new row is marked `isLater`, and its label
    /// makes it a column of the text.
    public static let table: [KPI] = [
        KPI(.trips, "trips", .trips, label: "trips"),
        KPI(.inHouseTrips, "in_house_trips", .trips, of: .inHouse, label: "in-house"),
        KPI(.contractedTrips, "contracted_trips", .trips, of: .contracted, label: "contracted"),
        KPI(.undeterminedTrips, "undetermined_trips", .trips, of: .undetermined, label: "undet."),
        KPI(
            .inHousePercent,
            "in_house_pct",
            .percent([.inHouseTrips], of: [.inHouseTrips, .contractedTrips]),
            label: "in-house %"
        ),
        KPI(
            .inHousePercentLow,
            "in_house_pct_low",
            .percent([.inHouseTrips], of: [.inHouseTrips, .contractedTrips, .undeterminedTrips]),
            label: "if undet. fall",
            .interval(to: .inHousePercentHigh)
        ),
        KPI(
            .inHousePercentHigh,
            "in_house_pct_high",
            .percent(
                [.inHouseTrips, .undeterminedTrips],
                of: [.inHouseTrips, .contractedTrips, .undeterminedTrips]
            )
        ),
        KPI(.costCents, "cost_cents", .costCents),
        KPI(
            .inHouseCostCents,
            "in_house_cost_cents",
            .costCents,
            of: .inHouse,
            coverage: KPICoverage(.inHouseCostedTrips, of: .inHouseTrips)
        ),
        KPI(
            .contractedCostCents,
            "contracted_cost_cents",
            .costCents,
            of: .contracted,
            label: "vendor cost",
            coverage: KPICoverage(.contractedCostedTrips, of: .contractedTrips)
        ),
        KPI(.undeterminedCostCents, "undetermined_cost_cents", .costCents, of: .undetermined),
        KPI(.inHouseCostedTrips, "in_house_costed_trips", .costedTrips, of: .inHouse),
        KPI(
            .contractedCostedTrips,
            "contracted_costed_trips",
            .costedTrips,
            of: .contracted,
            label: "cost known",
            .share(of: .contractedTrips)
        ),
        KPI(
            .undeterminedCostedTrips,
            "undetermined_costed_trips",
            .costedTrips,
            of: .undetermined
        ),
        KPI(
            .costPerTrip,
            "cost_per_trip_cents",
            .quotient(
                [.costCents],
                by: [.inHouseCostedTrips, .contractedCostedTrips, .undeterminedCostedTrips],
                .cents
            )
        ),
        // Miles are stored in hundredths.
        KPI(
            .costPerMile,
            "cost_per_mile_cents",
            .quotient([.costWithMilesCents], times: 100, by: [.costedMilesHundredths], .cents)
        ),
        KPI(.loadedMilesHundredths, "loaded_miles_hundredths", .milesHundredths),
        KPI(.milesKnownTrips, "miles_known_trips", .milesKnownTrips, isServed: false),
        KPI(.costWithMilesCents, "cost_with_miles_cents", .costWithMilesCents, isServed: false),
        KPI(
            .costedMilesHundredths,
            "costed_miles_hundredths",
            .costedMilesHundredths,
            isServed: false
        ),
        KPI(
            .costedMilesTrips,
            "costed_miles_trips",
            .costedMilesTrips,
            isServed: false,
            isLater: true
        ),
    ]
}
