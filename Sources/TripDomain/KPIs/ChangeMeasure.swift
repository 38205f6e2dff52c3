/// A published number whose change can be taken apart.
public enum ChangeMeasure: String, Sendable, CaseIterable {
    /// The in-house share of the trips whose class is known, in hundredths of a percent.
    case inHousePercent = "in_house_pct"
    /// What contracted trips cost, in cents, as far as it is known.
    case vendorCost = "contracted_cost_cents"

    /// The KPI.
    public var kpi: KPI {
        switch self {
        case .inHousePercent: KPIRatio.inHousePercent.kpi
        case .vendorCost: KPISum.contractedCostCents.kpi
        }
    }

    /// The sums that it is taken apart by.
    public var sums: KPISumSet {
        switch self {
        case .inHousePercent: [.inHouseTrips, .contractedTrips]
        case .vendorCost: [.contractedTrips, .contractedCostedTrips, .contractedCostCents]
        }
    }

    /// The trips of some sums that it says nothing of: undetermined ones, or those without a known
    /// cost.
    public func leftOut(_ sums: KPISums) -> Int64 {
        switch self {
        case .inHousePercent: sums.undeterminedTrips
        case .vendorCost: sums.contractedTrips - sums.contractedCostedTrips
        }
    }

    /// The published value of some trips; nil where it has none.
    func value(_ sums: KPISums) -> Int64? {
        if let coverage = kpi.coverage, !coverage.isMost(sums) { return nil }
        return kpi.value(sums)
    }

    /// The trips that count, and what of them is measured.
    func amount(_ sums: KPISums) -> MeasuredAmount {
        switch self {
        case .inHousePercent:
            MeasuredAmount(
                trips: sums.inHouseTrips + sums.contractedTrips,
                amount: sums.inHouseTrips
            )
        case .vendorCost:
            MeasuredAmount(trips: sums.contractedCostedTrips, amount: sums.contractedCostCents)
        }
    }

    /// Whether trips can have such sums.
    func isPossible(_ sums: KPISums) -> Bool {
        switch self {
        case .inHousePercent: sums.inHouseTrips >= 0 && sums.contractedTrips >= 0
        case .vendorCost:
            sums.contractedCostedTrips >= 0 && sums.contractedTrips >= sums.contractedCostedTrips
                && (sums.contractedCostedTrips > 0 || sums.contractedCostCents == 0)
        }
    }
}
