import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct KPIRouteTests {
    private static func rows(_ json: [String: Any], _ name: String) throws -> [[String: Any]] {
        try #require(json[name] as? [[String: Any]])
    }

    @Test func totalsAreThoseOfTheSuppressedCube() async throws {
        let server = try BackendUnderTest()
        let served = try ServedGeneration(server.mart.folder, number: 1)
        for query in [
            "", "?region=08", "?trip_type=FW", "?month=2026-03&region=20", "?from=2026-02",
        ] {
            let json = try await server.get("/kpi" + query).json
            let total = try #require(json["total"] as? [String: Any])
            let months: ClosedRange<Month>? =
                query.contains("month=")
                ? Month(year: 2026, month: 3)...Month(year: 2026, month: 3)
                : query.contains("from=")
                    ? Month(year: 2026, month: 2)...Month(year: 2199, month: 12) : nil
            let filter = ServedFilter(
                months: months,
                tripType: query.contains("FW") ? "FW" : nil,
                region: query.contains("08")
                    ? "08" : query.contains("20") && query.contains("region") ? "20" : nil
            )
            let cell = served.suppressed.cell(filter)
            #expect(total["trips"] as? Int64 == cell.trips)
            #expect(total["cost_cents"] as? Int64 == cell[.costCents])
            #expect(total["suppressed"] as? Bool == cell.isSuppressed)
            let percent = (total["in_house_pct"] as? NSNumber)?.doubleValue
            #expect(percent == cell.value(KPIRatio.inHousePercent.kpi).map { Double($0) / 100 })
            let series = try Self.rows(json, "by_month")
            #expect(
                series.map { $0["month"] as? String }
                    == served.suppressed.byMonth(filter).map { $0.month.text }
            )
            let types = try Self.rows(json, "by_trip_type")
            #expect(
                types.map { $0["trips"] as? Int64 }
                    == served.suppressed.byTripType(filter).map { $0.cell.trips }
            )
            let regions = try Self.rows(json, "by_region")
            #expect(
                regions.map { $0["region"] as? String }
                    == served.suppressed.byRegion(filter).map { $0.label.value }
            )
        }
    }

    @Test func hiddenNumbersAreNullAndMarked() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get("/kpi?region=20").json
        let total = try #require(json["total"] as? [String: Any])
        #expect(total["suppressed"] as? Bool == true)
        let cells = try Self.rows(json, "by_month") + Self.rows(json, "by_trip_type")
        for cell in cells {
            let numbers = cell.filter { $0.value is NSNull }
            #expect(cell["suppressed"] as? Bool == !numbers.isEmpty)
        }
        let shown = cells.compactMap { $0["trips"] as? Int }
        #expect(shown.allSatisfy { $0 == 0 || $0 > 10 })
    }

    @Test func itSaysWhatItIsAnAnswerTo() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get("/kpi?month=2026-03&trip_type=BLS&region=all").json
        #expect(json["generation"] as? Int == 1)
        #expect(json["as_of"] as? String == "2026-11-01T01:14:00-05:00")
        #expect(json["data_through"] as? String == "2026-06-28")
        #expect(json["stale"] as? Bool == false)
        let filter = try #require(json["filter"] as? [String: Any])
        #expect(filter["from"] as? String == "2026-03" && filter["to"] as? String == "2026-03")
        #expect(filter["trip_type"] as? String == "BLS" && filter["region"] is NSNull)
    }

    /// An export that is overdue makes every answer stale, and another answer than before.
    @Test func anOverdueExportMakesAnAnswerStale() async throws {
        let mart = try PublishedMart(expects: true).publish(seed: 1)
        let published: Int64 = 1_793_513_640
        let (young, old) = (
            try BackendUnderTest(mart, now: published),
            try BackendUnderTest(mart, now: published + 7 * 86_400)
        )
        let administrator = Caller(roles: [.administrator])
        for path in ["/kpi", "/kpi?month=2026-03", "/trips", "/readyz"] {
            let (before, after) = (
                try await young.get(path, as: administrator),
                try await old.get(path, as: administrator)
            )
            #expect(try before.json["stale"] as? Bool == false, "\(path)")
            #expect(try after.json["stale"] as? Bool == true, "\(path)")
            #expect(path == "/readyz" || before.headers[.eTag] != after.headers[.eTag])
        }
    }

    @Test(
        arguments: [
            ("from=2026-02", "2026-02", nil), ("to=2026-03", nil, "2026-03"),
            ("month=all", nil, nil),
            ("from=all&to=2026-03", nil, "2026-03"), ("from=all&to=all", nil, nil),
            ("month=2026-03", "2026-03", "2026-03"),
        ] as [(String, String?, String?)]
    )
    func anOpenEndIsNull(query: String, from: String?, to: String?) async throws {
        let json = try await BackendUnderTest().get("/kpi?" + query).json
        let filter = try #require(json["filter"] as? [String: Any])
        #expect(filter["from"] as? String == from && filter["to"] as? String == to)
    }

    @Test func anEntityTagIsOfGenerationAndQuestion() async throws {
        let server = try BackendUnderTest()
        func tag(_ path: String) async throws -> String? {
            try await server.get(path).headers[.eTag]
        }
        let first = try #require(try await tag("/kpi?region=08"))
        #expect(first.hasPrefix("\"1-"))
        #expect(try await tag("/kpi?region=08") == first)
        #expect(try await tag("/kpi?region=10") != first)
        #expect(try await tag("/kpi?trip_type=08") == nil)
        let known = try await server.get("/kpi?region=08", headers: [.ifNoneMatch: first])
        #expect(known.status == .notModified)
        #expect(known.body.isEmpty && known.headers[.eTag] == first)
        try server.mart.publish(seed: 2)
        server.refresh()
        let newer = try await server.get("/kpi?region=08", headers: [.ifNoneMatch: first])
        #expect(newer.status == .ok)
        #expect(newer.headers[.eTag]?.hasPrefix("\"2-") == true)
    }

    /// As after a mart was put back from a copy: the number is the same, the bytes are not.
    @Test func anEntityTagIsOfTheBytesOfTheGeneration() async throws {
        var tags: Set<String> = []
        for seed in [1, 2] {
            let server = try BackendUnderTest(PublishedMart().publish(seed: seed))
            tags.insert(try #require(try await server.get("/kpi").headers[.eTag]))
        }
        #expect(tags.count == 2 && tags.allSatisfy { $0.hasPrefix("\"1-") })
    }

    @Test(arguments: [
        ("month=2026-13", "month"), ("month=March", "month"),
        ("month=2026-03&from=2026-01", "month"),
        ("from=2026-05&to=2026-04", "to"), ("to=x", "to"), ("region=99", "region"),
        ("trip_type=bls", "trip_type"), ("region=", "region"),
    ])
    func aParameterThatCannotBeReadIsNamed(query: String, parameter: String) async throws {
        let answer = try await BackendUnderTest().get("/kpi?" + query)
        #expect(answer.status == .badRequest)
        #expect(try answer.json["parameter"] as? String == parameter)
        #expect(try answer.json["code"] as? String == "bad_parameter")
    }

    @Test(arguments: ["x=1", "region=08&region=10", "Region=08", "month"])
    func anUnknownParameterOrOneTwiceIsRefused(query: String) async throws {
        let answer = try await BackendUnderTest().get("/kpi?" + query)
        #expect(answer.status == .badRequest)
        #expect(answer.headers[.contentType] == "application/problem+json")
    }
}
