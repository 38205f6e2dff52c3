import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /kpi/trends`: the months of every region and trip type, as arrays of one length.
struct TrendsRoute {
    let state: ServerState

    func answer(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        let format = AnswerFormat(request)
        let known: Set = ["trip_type", "region"]
        let query = try QueryReading(request, known: format == .csv ? known.union(["by"]) : known)
        let rows = try query.rows(among: TrendsAnswer.rows)
        let filter = try query.filter(for: caller)
        try query.check(filter, in: caller.cube(of: generation))
        let isStale = generation.isStale(at: state.now())
        let parts = [RouteTable.trends, caller.view, isStale ? "stale" : "", rows.rawValue]
        let answer = Answer(generation, parts + filter.text, as: format)
        return answer.response(request, state.cache, of: generation) {
            let numbers = caller.numbers(filter)
            let trends = TrendsAnswer(
                generation: generation,
                cube: generation.cube(numbers),
                measures: TrendMeasures(generation, numbers),
                filter: filter,
                isStale: isStale
            )
            return format == .csv ? trends.csv(by: rows) : trends.text
        }
    }
}

/// The answer of `/kpi/trends`: for each region and each trip type, one number per month.
struct TrendsAnswer {
    let generation: ServedGeneration
    let cube: ServedCube
    /// The pipeline's own; nil where it declares none, or the reader does not see every number.
    let measures: TrendMeasures?
    let filter: ServedFilter
    let isStale: Bool

    /// What most answers take, so that their text is not moved while it grows.
    private static let usualByteCount = 64 << 10

    /// What the rows of its CSV may be, each of one month; the first where the client does not say.
    static let rows: [KPIDimension] = [.region, .tripType]

    /// The regions or the trip types as CSV, with one row for each month.
    func csv(by rows: KPIDimension) -> [UInt8] {
        let labels = rows == .region ? cube.byRegion(filter) : cube.byTripType(filter)
        let (months, origin) = (cube.months(of: filter), OriginColumns.values(generation))
        return CSVText.text(
            [rows.rawValue, "label", "month", "month_open", "goal_pct"] + KPI.followed.map(\.name)
                + ["suppressed"] + OriginColumns.names + (measures?.names ?? []),
            labels.flatMap { label, _ in
                months.map { month in
                    var own = filter
                    if rows == .region {
                        own.region = label.value
                    } else {
                        own.tripType = label.value
                    }
                    own.months = month...month
                    let (cell, goal) = (cube.cell(own), generation.goals.inForce(in: month))
                    let keys: [RowValue] = [
                        .text(label.value), .text(label.label), .text(month.text),
                        .truth(generation.isOpen(month)),
                        .number(.hundredths(goal?.inHousePercentHundredths)),
                    ]
                    let numbers = KPI.followed.map { RowValue.number($0.number(cell.value($0))) }
                    let isHidden = KPI.followed.contains(where: cell.hides)
                    return keys + numbers + [.truth(isHidden)] + origin
                        + (measures?.rowValues(own) ?? [])
                }
            }
        )
    }

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        let months = cube.months(of: filter)
        var json = JSONText(capacity: Self.usualByteCount)
        json.object(isLine: true) { json in
            json.origin(generation, months: months, isStale: isStale)
            json.filter(filter)
            json.array("months") { json in
                for month in months { json.value(nil, month.text) }
            }
            json.array("goal_pct") { json in
                for month in months {
                    let goal = generation.goals.inForce(in: month)
                    json.element(.hundredths(goal?.inHousePercentHundredths))
                }
            }
            json.object("total") { $0.series(self, filter, months) }
            json.array("regions") { json in
                for (label, _) in cube.byRegion(filter) {
                    var own = filter
                    own.region = label.value
                    json.entry("region", label) { $0.series(self, own, months) }
                }
            }
            json.array("trip_types") { json in
                for (label, _) in cube.byTripType(filter) {
                    var own = filter
                    own.tripType = label.value
                    json.entry("trip_type", label) { $0.series(self, own, months) }
                }
            }
            if let measures { json.declarations(measures.declared) }
        }
        return json.text
    }
}

extension JSONText {
    fileprivate mutating func entry(
        _ name: JSONName,
        _ label: DimensionLabel,
        _ members: (inout JSONText) -> Void
    ) {
        object { json in
            json.value(name, label.value)
            json.value("label", label.label)
            members(&json)
        }
    }

    /// The KPIs of a filter, month by month; a month without trips has none.
    fileprivate mutating func series(
        _ answer: TrendsAnswer,
        _ filter: ServedFilter,
        _ months: [Month]
    ) {
        let cells = months.map { answer.cube.cell(filter.of($0)) }
        for kpi in KPI.followed {
            array(.fixed(kpi.key)) { json in
                for cell in cells { json.element(kpi.number(cell.value(kpi))) }
            }
        }
        value("suppressed", cells.contains { KPI.followed.contains(where: $0.hides) })
        if let measures = answer.measures { add(measures, filter, months) }
    }

    /// A number of an array.
    mutating func element(_ number: JSONNumber) {
        switch number {
        case .integer(let number?): value(nil, Int(number))
        case .hundredths(let number?): value(nil, hundredths: Int(number))
        case .integer(nil), .hundredths(nil): null()
        }
    }
}
