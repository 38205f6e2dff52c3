import Hummingbird
import TripDomain
import TripMart
import TripText

/// `GET /healthz` and `/readyz`: whether the process lives, and whether it has something to serve.
struct HealthRoutes {
    let state: ServerState

    func health(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        return Answer.status("ok")
    }

    /// 503 while nothing is served, so that a load balancer sends no requests.
    func readiness(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        let generation = try state.served()
        return Answer.status(state.isFallenBack ? "fallen_back" : "ready") { json in
            json.value("generation", generation.header.number)
            json.value("stale", generation.isStale(at: state.now()))
        }
    }
}
