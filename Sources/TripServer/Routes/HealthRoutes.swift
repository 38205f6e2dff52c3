import Hummingbird
import TripDomain
import TripMart

/// `GET /healthz` and `/readyz`: whether the process lives, and whether it has something to serve.
struct HealthRoutes {
    let board: Board

    func health(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        return Answer.status("ok")
    }

    /// 503 while nothing is served, so that whoever shares out requests sends none.
    func readiness(_ request: Request) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        let generation = try board.served()
        return Answer.status(board.isFallenBack ? "fallen_back" : "ready") { json in
            json.value("generation", generation.header.number)
            json.value("stale", generation.isStale(at: board.now()))
        }
    }
}
