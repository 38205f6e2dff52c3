import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /months`, `/trip-types`, `/regions`: what the filters can be set to.
struct FilterRoutes {
    let state: ServerState

    func months(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try list(request, RouteTable.months, caller) { generation, json in
            let own = caller.cube(of: generation).byMonth(ServedFilter(scope: caller.regions))
            let shown = Set(own.map(\.month))
            json.array("months") { json in
                for month in generation.months where shown.contains(month.month) {
                    json.object { json in
                        json.value("month", month.month.text)
                        json.value("label", month.label)
                        json.value("fiscal_year", month.fiscalYear)
                        json.value("month_open", month.isOpen)
                        json.value("settles_on", month.settlesOn.text)
                    }
                }
            }
        }
    }

    func tripTypes(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try list(request, RouteTable.tripTypes, caller) { generation, json in
            let own = caller.cube(of: generation).byTripType(ServedFilter(scope: caller.regions))
            json.array("trip_types") { $0.labels("trip_type", own.map(\.label)) }
        }
    }

    func regions(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try list(request, RouteTable.regions, caller) { generation, json in
            let own = caller.cube(of: generation).byRegion(ServedFilter(scope: caller.regions))
            json.array("regions") { $0.labels("region", own.map(\.label)) }
        }
    }

    private func list(
        _ request: Request,
        _ route: String,
        _ caller: Caller,
        _ members: (ServedGeneration, inout JSONText) -> Void
    ) throws(Problem) -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        _ = try QueryReading(request, known: [])
        let number = generation.header.number
        let tag = EntityTag(generation, parts: [route, caller.view])
        return Answer(tag).response(request, state.cache, of: generation) {
            var json = JSONText()
            json.object(isLine: true) { json in
                json.value("generation", number)
                members(generation, &json)
            }
            return json.text
        }
    }
}

extension JSONText {
    fileprivate mutating func labels(_ name: JSONName, _ labels: [DimensionLabel]) {
        for label in labels {
            object { json in
                json.value(name, label.value)
                json.value("label", label.label)
            }
        }
    }
}
