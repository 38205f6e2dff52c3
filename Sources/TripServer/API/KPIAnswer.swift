import TripDomain
import TripMart
import TripText

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
                        json.numbers([
                            "trips": .integer(sums.trips),
                            "costed_trips": .integer(sums.costedTrips),
                            "cost_cents": .integer(sums.costCents),
                        ])
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
        numbers([
            "trips": .integer(cell.trips),
            "in_house_trips": .integer(cell.inHouseTrips),
            "contracted_trips": .integer(cell.contractedTrips),
            "undetermined_trips": .integer(cell.undeterminedTrips),
            "in_house_pct": .hundredths(cell.inHousePercentHundredths),
            "in_house_pct_low": .hundredths(cell.inHousePercentLowHundredths),
            "in_house_pct_high": .hundredths(cell.inHousePercentHighHundredths),
            "cost_cents": .integer(cell.costCents),
            "in_house_cost_cents": .integer(cell.inHouseCostCents),
            "contracted_cost_cents": .integer(cell.contractedCostCents),
            "undetermined_cost_cents": .integer(cell.undeterminedCostCents),
            "in_house_costed_trips": .integer(cell.inHouseCostedTrips),
            "contracted_costed_trips": .integer(cell.contractedCostedTrips),
            "undetermined_costed_trips": .integer(cell.undeterminedCostedTrips),
            "cost_per_trip_cents": .integer(cell.costPerTripCents),
            "cost_per_mile_cents": .integer(cell.costPerMileCents),
            "loaded_miles_hundredths": .integer(cell.loadedMilesHundredths),
        ])
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
