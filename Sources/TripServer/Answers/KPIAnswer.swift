import TripDomain
import TripMart

/// The answer of `/kpi`: the trips a filter lets through, by month, trip type and region.
struct KPIAnswer {
    let generation: ServedGeneration
    let cube: ServedCube
    /// The same by class and basis; nil where its reader may not see small numbers.
    let bases: ServedBases?
    let filter: ServedFilter
    let isStale: Bool

    /// What most answers take, so that their text is not moved while it grows.
    private static let usualByteCount = 16 << 10

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        var json = JSONText(capacity: Self.usualByteCount)
        json.object(isLine: true) { json in
            json.origin(generation, months: cube.months(of: filter), isStale: isStale)
            json.filter(filter)
            json.object("total") { $0.sums(of: cube.cell(filter)) }
            json.array("series") { json in
                for (month, cell) in cube.byMonth(filter) {
                    json.object { json in
                        json.value("month", month.text)
                        json.value("month_open", generation.isOpen(month))
                        json.sums(of: cell)
                    }
                }
            }
            json.array("by_trip_type") { $0.list("trip_type", cube.byTripType(filter)) }
            json.array("by_region") { $0.list("region", cube.byRegion(filter)) }
            guard let bases else { return json.null("by_basis") }
            json.array("by_basis") { json in
                for (ground, sums) in bases.byBasis(filter) {
                    json.object { json in
                        json.value("class", ground.tripClass.word)
                        json.value("basis", ground.basis)
                        json.count("trips", sums.trips)
                        json.count("costed_trips", sums.costedTrips)
                        json.count("cost_cents", sums.costCents)
                    }
                }
            }
        }
        return json.text
    }
}

extension JSONText {
    /// The members that say what some trips add up to.
    fileprivate mutating func sums(of cell: ServedCell) {
        count("trips", cell.trips)
        count("in_house_trips", cell.inHouseTrips)
        count("contracted_trips", cell.contractedTrips)
        count("undetermined_trips", cell.undeterminedTrips)
        percent("in_house_pct", cell.inHousePercentHundredths)
        percent("in_house_pct_low", cell.inHousePercentLowHundredths)
        percent("in_house_pct_high", cell.inHousePercentHighHundredths)
        count("cost_cents", cell.costCents)
        count("in_house_cost_cents", cell.inHouseCostCents)
        count("contracted_cost_cents", cell.contractedCostCents)
        count("undetermined_cost_cents", cell.undeterminedCostCents)
        count("in_house_costed_trips", cell.inHouseCostedTrips)
        count("contracted_costed_trips", cell.contractedCostedTrips)
        count("undetermined_costed_trips", cell.undeterminedCostedTrips)
        count("cost_per_trip_cents", cell.costPerTripCents)
        count("cost_per_mile_cents", cell.costPerMileCents)
        count("loaded_miles_hundredths", cell.loadedMilesHundredths)
        value("suppressed", cell.isSuppressed)
    }

    fileprivate mutating func list(
        _ name: JSONName,
        _ entries: [(label: DimensionLabel, cell: ServedCell)]
    ) {
        for (label, cell) in entries {
            object { json in
                json.value(name, label.value)
                json.value("label", label.label)
                json.sums(of: cell)
            }
        }
    }
}
