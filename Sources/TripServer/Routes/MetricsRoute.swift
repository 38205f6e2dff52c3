import HTTPTypes
import Hummingbird
import TripDomain
import TripMart

/// `GET /metrics`: the figures of the server, for monitoring from this machine.
struct MetricsRoute {
    let state: ServerState
    let metrics: Metrics
    let handshakes: FailedHandshakes

    /// The figures; for clients on other machines there is nothing at this path.
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

    /// Headers by which a proxy on this machine says that the client is elsewhere.
    private static let forwarding: Set = ["forwarded", "x-forwarded-for", "x-real-ip", "via"]

    private var gauges: [Metrics.Gauge] {
        // Nothing served is a figure, not a fault.
        let generation = try? state.served()
        return [
            Metrics.Gauge(
                name: "triptych_generation",
                help: "The generation that is served; 0 where none is.",
                value: generation?.header.number ?? 0
            ),
            Metrics.Gauge(
                name: "triptych_fallen_back",
                help: "Whether what is published cannot be read.",
                value: state.isFallenBack ? 1 : 0
            ),
            Metrics.Gauge(
                name: "triptych_stale",
                help: "Whether an export is overdue.",
                value: generation?.isStale(at: state.now()) ?? false ? 1 : 0
            ),
            Metrics.Gauge(
                name: "triptych_kept_answer_bytes",
                help: "The bytes of memory that kept answers take, as far as is known.",
                value: state.cache.size
            ),
            Metrics.Gauge(
                name: "triptych_failed_tls_handshakes_total",
                help: "The handshakes of TLS that failed since the server began.",
                value: handshakes.count,
                onlyGrows: true
            ),
        ]
    }
}
