import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /kpi/why`: why the numbers of two months differ.
struct WhyRoute {
    let state: ServerState

    func answer(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        let format = AnswerFormat(request)
        let names = QueryReading.filterNames.subtracting(["month"])
        let query = try QueryReading(request, known: format == .csv ? names.union(["by"]) : names)
        let rows = try query.rows(among: WhyAnswer.rows)
        let filter = try query.filter(for: caller)
        let (from, to) = try months(query, filter)
        try query.check(filter, in: caller.cube(of: generation))
        let cube = generation.cube(caller.numbers(filter))
        let known = cube.months(of: filter)
        for (name, month) in [("from", from), ("to", to)] where !known.contains(month) {
            throw .parameter(
                name,
                "The served generation has no trips of this month. It has those of /months."
            )
        }
        let isStale = generation.isStale(at: state.now())
        let parts = [RouteTable.why, caller.view, isStale ? "stale" : "", rows.rawValue]
        let answer = Answer(generation, parts + filter.text, as: format)
        return answer.response(request, state.cache, of: generation) {
            let why = WhyAnswer(
                generation: generation,
                cube: cube,
                filter: filter,
                from: from,
                to: to,
                isStale: isStale
            )
            return format == .csv ? why.csv(by: rows) : why.text
        }
    }

    /// The two months, which are given and differ.
    private func months(
        _ query: QueryReading,
        _ filter: ServedFilter
    ) throws(Problem) -> (from: Month, to: Month) {
        for name in ["from", "to"] where query.text(name) ?? KPICell.all == KPICell.all {
            throw .parameter(name, "Name two months: from and to.")
        }
        guard let months = filter.months, months.lowerBound < months.upperBound else {
            throw .parameter("to", "Compare two different months.")
        }
        return (months.lowerBound, months.upperBound)
    }
}

/// The answer of `/kpi/why`: the changes between two months, taken apart by region and trip type.
struct WhyAnswer {
    let generation: ServedGeneration
    let cube: ServedCube
    let filter: ServedFilter
    let from: Month
    let to: Month
    let isStale: Bool

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.origin(generation, months: cube.months(of: filter), isStale: isStale)
            json.filter(filter)
            json.value("from_open", generation.isOpen(from))
            json.value("to_open", generation.isOpen(to))
            let (before, after) = (cell(from), cell(to))
            json.object("in_house") { json in
                let values = values(of: .inHousePercent, before, after)
                json.numbers([
                    "from_pct": .hundredths(values.from), "to_pct": .hundredths(values.to),
                    "change_hundredths": .integer(values.change),
                    "from_undetermined_trips": .integer(before[.undeterminedTrips]),
                    "to_undetermined_trips": .integer(after[.undeterminedTrips]),
                ])
                parts(of: .inHousePercent, as: "hundredths", to: &json)
            }
            json.object("contracted_cost") { json in
                let values = values(of: .vendorCost, before, after)
                json.numbers([
                    "from_cents": .integer(values.from), "to_cents": .integer(values.to),
                    "change_cents": .integer(values.change),
                    "from_uncosted_trips": .integer(Self.uncosted(before)),
                    "to_uncosted_trips": .integer(Self.uncosted(after)),
                ])
                parts(of: .vendorCost, as: "cents", to: &json)
            }
        }
        return json.text
    }

    private func cell(_ month: Month) -> ServedCell {
        var filter = filter
        filter.months = month...month
        return cube.cell(filter)
    }

    /// The values of a measure in both months, and its change; nil where one is not known.
    private func values(
        of measure: ChangeMeasure,
        _ before: ServedCell,
        _ after: ServedCell
    ) -> (from: Int64?, to: Int64?, change: Int64?) {
        let (from, to) = (before.value(measure.kpi), after.value(measure.kpi))
        guard let from, let to else { return (from, to, nil) }
        return (from, to, to - from)
    }

    /// The contracted trips without a known cost; nil where they are hidden.
    private static func uncosted(_ cell: ServedCell) -> Int64? {
        guard let trips = cell[.contractedTrips], let known = cell[.contractedCostedTrips] else {
            return nil
        }
        return trips - known
    }

    /// The parts by each dimension; null where a total that they are made of is hidden.
    private func parts(of measure: ChangeMeasure, as name: JSONName, to json: inout JSONText) {
        let byRegion = change(of: measure, by: .region)
        let byTripType = change(of: measure, by: .tripType)
        json.parts("by_region", "region", of: byRegion, as: name, cube.regions)
        json.parts("by_trip_type", "trip_type", of: byTripType, as: name, cube.tripTypes)
    }

    func change(
        of measure: ChangeMeasure,
        by dimension: KPIDimension
    ) -> ChangeDecomposition? {
        cube.change(of: measure, from: from, to: to, by: dimension, filter)
    }
}

extension JSONText {
    /// The parts of a change by the values of one dimension, or null.
    fileprivate mutating func parts(
        _ name: JSONName,
        _ key: JSONName,
        of change: ChangeDecomposition?,
        as amount: JSONName,
        _ labels: [DimensionLabel]
    ) {
        guard let change else { return null(name) }
        array(name) { json in
            for part in change.parts {
                json.object { json in
                    // Those of which a number is hidden stand together, without a name.
                    let isNamed = part.value != KPICell.all
                    json.text(key, isNamed ? part.value : nil)
                    json.text("label", labels.first { isNamed && $0.isOf(part.value) }?.label)
                    json.value("kind", part.kind.rawValue)
                    json.value(amount, Int(part.amount))
                }
            }
        }
    }
}

extension DimensionLabel {
    /// Whether it is the label of a value: texts that are equal in Unicode are two values.
    fileprivate func isOf(_ value: String) -> Bool { self.value.utf8.elementsEqual(value.utf8) }
}
