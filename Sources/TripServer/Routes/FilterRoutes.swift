import Hummingbird
import TripDomain
import TripMart

/// `GET /months`, `/trip-types`, `/regions`: what the filters can be set to.
struct FilterRoutes {
    let board: Board

    func months(_ request: Request) throws(Problem) -> Response {
        try list(request, RouteTable.months) { generation, json in
            json.array("months") { json in
                for month in generation.months {
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

    func tripTypes(_ request: Request) throws(Problem) -> Response {
        try list(request, RouteTable.tripTypes) { generation, json in
            json.array("trip_types") {
                $0.labels("trip_type", generation.suppressed.tripTypes)
            }
        }
    }

    func regions(_ request: Request) throws(Problem) -> Response {
        try list(request, RouteTable.regions) { generation, json in
            json.array("regions") { $0.labels("region", generation.suppressed.regions) }
        }
    }

    private func list(
        _ request: Request,
        _ route: String,
        _ members: (ServedGeneration, inout JSONText) -> Void
    ) throws(Problem) -> Response {
        let generation = try board.served()
        _ = try QueryReading(request, known: [])
        let number = generation.header.number
        return Answer.json(EntityTag(generation: number, parts: [route]), request) {
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
    fileprivate mutating func labels(_ name: String, _ labels: [DimensionLabel]) {
        for label in labels {
            object { json in
                json.value(name, label.value)
                json.value("label", label.label)
            }
        }
    }
}
