import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /kpi`: trips, in-house % and cost, by month, trip type and region.
struct KPIRoute {
    let state: ServerState

    func answer(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        let cube = caller.cube(of: generation)
        let query = try QueryReading(request, known: QueryReading.filterNames)
        let filter = try query.filter(for: caller)
        try query.check(filter, in: cube)
        let isStale = generation.isStale(at: state.now())
        let tag = EntityTag(
            generation,
            parts: [RouteTable.kpi, caller.view, isStale ? "stale" : ""] + filter.text
        )
        return Answer(tag).response(request, state.cache, of: generation) {
            let isBeside = filter.hasNationalTotals && filter.scope != nil
            return KPIAnswer(
                generation: generation,
                cube: isBeside ? caller.totalsBesideOwn(of: generation) : cube,
                // Those of their own regions, of which they ask by name.
                bases: caller.may(.smallNumbers) && !(isBeside && filter.region == nil)
                    ? generation.bases : nil,
                filter: filter,
                isStale: isStale
            ).text
        }
    }
}

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
                for (classAndBasis, sums) in bases.byBasis(filter) {
                    json.object { json in
                        json.value("class", classAndBasis.tripClass.word)
                        json.value("basis", classAndBasis.basis)
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
        numbers(KPI.served.map { (key: $0.key, value: $0.number(cell.value($0))) })
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

extension KPI {
    /// The KPIs of an answer, in its order.
    fileprivate static let served = table.filter(\.isServed)

    /// A value in JSON.
    fileprivate func number(_ value: Int64?) -> JSONNumber {
        switch unit {
        case .trips, .cents, .hundredthsOfMile: .integer(value)
        case .hundredthsOfPercent: .hundredths(value)
        }
    }
}
