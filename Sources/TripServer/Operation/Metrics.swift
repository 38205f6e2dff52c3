import Synchronization

/// What the server counts of its own work, in the words of Prometheus (text format 0.0.4).
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
        /// One per bound, of those that took at most as long and longer than the bound before; the last beyond all.
        var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var nanoseconds: Int64 = 0
    }

    /// A figure that is looked up when somebody asks.
    struct Gauge {
        let name: String
        let help: String
        let value: Int
        /// Whether it counts what happened since the server began.
        var onlyGrows = false
    }

    /// The bounds, in microseconds: from what an answer out of memory takes to what nobody waits for.
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
