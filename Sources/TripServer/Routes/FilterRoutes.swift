import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /months`, `/trip-types`, `/regions`: what the filters can be set to.
struct FilterRoutes {
    let state: ServerState

    func months(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try list(request, RouteTable.months, caller, named: "months") { generation in
            let own = caller.cube(of: generation).byMonth(ServedFilter(scope: caller.regions))
            let shown = Set(own.map(\.month))
            return AnswerTable(
                names: ["month", "label", "fiscal_year", "month_open", "settles_on"],
                rows: generation.months.filter { shown.contains($0.month) }.map { month in
                    [
                        .text(month.month.text), .text(month.label),
                        .number(.integer(Int64(month.fiscalYear))), .truth(month.isOpen),
                        .text(month.settlesOn.text),
                    ]
                }
            )
        }
    }

    func tripTypes(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try list(request, RouteTable.tripTypes, caller, named: "trip_types") { generation in
            let own = caller.cube(of: generation).byTripType(ServedFilter(scope: caller.regions))
            return AnswerTable("trip_type", own.map(\.label))
        }
    }

    func regions(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try list(request, RouteTable.regions, caller, named: "regions") { generation in
            let own = caller.cube(of: generation).byRegion(ServedFilter(scope: caller.regions))
            return AnswerTable("region", own.map(\.label))
        }
    }

    private func list(
        _ request: Request,
        _ route: String,
        _ caller: Caller,
        named name: JSONName,
        _ choices: (ServedGeneration) -> AnswerTable
    ) throws(Problem) -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        _ = try QueryReading(request, known: [])
        let format = AnswerFormat(request)
        let answer = Answer(generation, [route, caller.view], as: format)
        return answer.response(request, state.cache, of: generation) {
            let (table, number) = (choices(generation), generation.header.number)
            if format == .csv {
                let origin = RowValue.number(.integer(Int64(number)))
                return table.csv(from: ["generation"], [origin])
            }
            var json = JSONText()
            json.object(isLine: true) { json in
                json.value("generation", number)
                json.list(name, table)
            }
            return json.text
        }
    }
}

extension AnswerTable {
    fileprivate init(_ name: StaticString, _ labels: [DimensionLabel]) {
        self.init(names: [name, "label"], rows: labels.map { [.text($0.value), .text($0.label)] })
    }
}
