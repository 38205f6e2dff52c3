import Testing

@testable import TripServer

@Suite struct MetricsTests {
    private static func kind(_ route: String, _ status: Int = 200) -> Metrics.Kind {
        Metrics.Kind(route: route, method: "GET", status: status)
    }

    @Test func answersAreCountedByRouteAndTime() {
        let metrics = Metrics()
        for nanoseconds: Int64 in [100_000, 100_001, 3_000_000, 9_000_000_000] {
            metrics.count(Self.kind("/kpi"), nanoseconds: nanoseconds)
        }
        metrics.count(Self.kind("/kpi", 401), nanoseconds: 50_000)
        let lines = Set(metrics.text([]).split(separator: "\n").map(String.init))
        let name = "triptych_http_request_duration_seconds"
        let labels = "route=\"/kpi\",method=\"GET\",status=\"200\""
        for line in [
            "# TYPE \(name) histogram", "\(name)_bucket{\(labels),le=\"0.0001\"} 1",
            "\(name)_bucket{\(labels),le=\"0.00025\"} 2",
            "\(name)_bucket{\(labels),le=\"0.0025\"} 2",
            "\(name)_bucket{\(labels),le=\"0.005\"} 3", "\(name)_bucket{\(labels),le=\"1.2\"} 3",
            "\(name)_bucket{\(labels),le=\"+Inf\"} 4", "\(name)_count{\(labels)} 4",
            "\(name)_sum{\(labels)} 9.0032",
            "\(name)_count{route=\"/kpi\",method=\"GET\",status=\"401\"} 1",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func figuresComeWithWhatTheyAre() {
        let text = Metrics().text([Metrics.Gauge(name: "triptych_x", help: "What it is.", value: 7)]
        )
        #expect(
            text.hasSuffix("# HELP triptych_x What it is.\n# TYPE triptych_x gauge\ntriptych_x 7\n")
        )
        let counted = Metrics.Gauge(name: "y_total", help: "How many.", value: 1, onlyGrows: true)
        #expect(Metrics().text([counted]).contains("\n# TYPE y_total counter\n"))
    }
}
