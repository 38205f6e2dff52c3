import HTTPTypes
import Hummingbird
import TripDomain
import TripMart

/// `GET /metrics`: how the server is doing, for whoever watches it from this machine.
struct MetricsRoute {
    let board: Board
    let metrics: Metrics
    let tally: ConnectionTally

    /// The figures; to others than programs on this machine there is nothing here.
    func answer(_ request: Request, isLocal: Bool) throws(Problem) -> Response {
        _ = try QueryReading(request, known: [])
        let isForwarded = request.headers.contains {
            Self.forwarding.contains($0.name.canonicalName)
        }
        guard isLocal, !isForwarded else { throw .notFound }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
            ],
            body: .inPieces(ByteBuffer(string: metrics.text(gauges)))
        )
    }

    /// Headers by which a proxy on this machine says that somebody elsewhere asks.
    private static let forwarding: Set = ["forwarded", "x-forwarded-for", "x-real-ip", "via"]

    private var gauges: [Metrics.Gauge] {
        // Nothing served is a figure, not a fault.
        let generation = try? board.served()
        return [
            Metrics.Gauge(
                name: "triptych_generation",
                help: "The generation that is served; 0 where none is.",
                value: generation?.header.number ?? 0
            ),
            Metrics.Gauge(
                name: "triptych_fallen_back",
                help: "Whether what is published cannot be read.",
                value: board.isFallenBack ? 1 : 0
            ),
            Metrics.Gauge(
                name: "triptych_stale",
                help: "Whether an export is overdue.",
                value: generation?.isStale(at: board.now()) ?? false ? 1 : 0
            ),
            Metrics.Gauge(
                name: "triptych_kept_answer_bytes",
                help: "The bytes of memory that kept answers take, as far as is known.",
                value: board.cache.size
            ),
            Metrics.Gauge(
                name: "triptych_failed_tls_handshakes_total",
                help: "The handshakes of TLS that failed since the server began.",
                value: tally.failedHandshakeCount,
                onlyGrows: true
            ),
            Metrics.Gauge(
                name: "triptych_turned_away_connections_total",
                help: "The connections that were closed unread since the server began.",
                value: tally.turnedAwayCount,
                onlyGrows: true
            ),
        ]
    }
}
