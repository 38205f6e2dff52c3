import HTTPTypes
import Hummingbird
import Logging
import Synchronization

/// Counts the answers of the server, as Prometheus reads them (text format 0.0.4).
///
/// By route template, method and status: never a path, a query or a name.
final class Metrics: Sendable {
    /// Which requests are counted together.
    struct Kind: Hashable, Comparable {
        let route: String
        let method: String
        let status: Int

        static func < (left: Kind, right: Kind) -> Bool {
            (left.route, left.method, left.status) < (right.route, right.method, right.status)
        }
    }

    /// How long answers took.
    private struct Histogram {
        /// One per bound, of those that took at most as long and longer than the bound before; the
        /// last beyond all.
        var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var nanoseconds: Int64 = 0
    }

    /// A figure that is read when the metrics are asked for.
    struct Gauge {
        let name: String
        let help: String
        let value: Int
        /// Whether it counts what happened since the server began.
        var onlyGrows = false
    }

    /// The bounds, in microseconds: from an answer out of memory to one that is too late.
    private static let bounds: [Int64] = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
        1_200_000, 5_000_000,
    ]

    private let state = Mutex<[Kind: Histogram]>([:])

    /// Counts an answer.
    ///
    /// - Parameters:
    ///   - kind: Which.
    ///   - nanoseconds: How long it took.
    func count(_ kind: Kind, nanoseconds: Int64) {
        let index = Self.bounds.firstIndex { nanoseconds <= $0 * 1000 } ?? Self.bounds.count
        state.withLock { known in
            known[kind, default: Histogram()].counts[index] += 1
            known[kind, default: Histogram()].nanoseconds += nanoseconds
        }
    }

    /// Everything, as Prometheus reads it.
    func text(_ gauges: [Gauge]) -> String {
        let name = "triptych_http_request_duration_seconds"
        var lines = [
            "# HELP \(name) From the head of a request to the head of its answer.",
            "# TYPE \(name) histogram",
        ]
        for (kind, histogram) in state.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            let labels =
                "route=\"\(kind.route)\",method=\"\(kind.method)\",status=\"\(kind.status)\""
            var sum = 0
            for (index, count) in histogram.counts.enumerated() {
                sum += count
                let bound = index < Self.bounds.count ? Self.seconds(Self.bounds[index]) : "+Inf"
                lines.append("\(name)_bucket{\(labels),le=\"\(bound)\"} \(sum)")
            }
            lines.append("\(name)_sum{\(labels)} \(Self.seconds(histogram.nanoseconds / 1000))")
            lines.append("\(name)_count{\(labels)} \(sum)")
        }
        for gauge in gauges {
            lines += [
                "# HELP \(gauge.name) \(gauge.help)",
                "# TYPE \(gauge.name) \(gauge.onlyGrows ? "counter" : "gauge")",
            ]
            lines.append("\(gauge.name) \(gauge.value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Microseconds as seconds, with no zeros behind the last digit.
    private static func seconds(_ microseconds: Int64) -> String {
        let (whole, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(part)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
    }
}

/// Counts and logs every request: its route template, method and status, and how long it took.
///
/// Paths, queries, headers and names stand in neither: they may name trips, regions or users.
struct RequestMeter: RouterMiddleware {
    let metrics: Metrics
    /// Where requests are logged; nil for nowhere.
    let logger: Logger?

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        context.route = RouteTable.route(at: request.uri.path)
        let response = try await next(request, context)
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        // An unknown path or method is not repeated: it may be any text.
        let isKnown = context.route?.methods.contains(request.method) ?? false
        let kind = Metrics.Kind(
            route: context.route?.template ?? "other",
            method: isKnown ? request.method.rawValue : "other",
            status: response.status.code
        )
        metrics.count(kind, nanoseconds: nanoseconds)
        logger?.info(
            "request",
            metadata: [
                "route": "\(kind.route)", "method": "\(kind.method)", "status": "\(kind.status)",
                "microseconds": "\(nanoseconds / 1000)",
            ]
        )
        return response
    }
}

/// Counts handshakes of TLS that failed, and logs them.
///
/// Many at once say that something is wrong with the certificate or with the clients: a client that
/// trusts another certificate, or knows older versions alone, cannot be told here from an attack.
final class FailedHandshakes: Sendable {
    private let failed = Atomic(0)
    private let refusals: RefusalLog

    /// - Parameter logger: Where they are logged.
    init(logger: Logger) { refusals = RefusalLog(logger) }

    /// How many failed since the server began.
    var count: Int { failed.load(ordering: .relaxed) }

    /// Counts one.
    func note() {
        failed.add(1, ordering: .relaxed)
        refusals.note(.failedHandshake)
    }
}
