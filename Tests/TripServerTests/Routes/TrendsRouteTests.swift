import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity

@testable import TripServer

/// The months of every region and trip type, each number asked for once more from `/kpi`.
@Suite struct TrendsRouteTests {
    private static let callers = [
        Caller.someViewer, Caller(roles: [.administrator]),
        Caller(roles: [.viewer], regions: ["08", "20"]),
        Caller(roles: [.analyst], regions: ["10", "20"]),
        Caller(roles: [.administrator], regions: ["08"], seesNationalTotals: true),
    ]
    private static let names = [
        "trips", "in_house_pct", "in_house_pct_low", "in_house_pct_high", "cost_cents",
        "contracted_cost_cents", "cost_per_trip_cents",
    ]

    private static func entries(
        _ json: [String: Any],
        _ name: String
    ) throws -> [[String: Any]] {
        try #require(json[name] as? [[String: Any]])
    }

    private static func texts(_ json: [String: Any], _ name: String) throws -> [String] {
        try #require(json[name] as? [String])
    }

    /// Compares the arrays of one entry with the totals of single months.
    private static func expectMonths(
        _ entry: [String: Any],
        _ months: [String],
        _ query: String,
        _ server: BackendUnderTest,
        _ caller: Caller
    ) async throws -> Int {
        var hidden = 0
        for (index, month) in months.enumerated() {
            let answer = try await server.get("/kpi?month=\(month)\(query)", as: caller)
            let total = try #require(try answer.json["total"] as? [String: Any])
            for name in names {
                let numbers = try #require(entry[name] as? [Any])
                try #require(numbers.count == months.count)
                let (found, expected) = (numbers[index], try #require(total[name]))
                #expect("\(found)" == "\(expected)", "\(month)\(query) \(name)")
                hidden += found is NSNull && total["suppressed"] as? Bool == true ? 1 : 0
            }
        }
        #expect(hidden == 0 || entry["suppressed"] as? Bool == true)
        return hidden
    }

    @Test(arguments: callers.indices)
    func everyNumberIsThatOfItsMonth(index: Int) async throws {
        let (server, caller) = (try BackendUnderTest(), Self.callers[index])
        var hidden = 0
        for (filter, own) in [("", ""), ("?trip_type=BLS", "&trip_type=BLS")] {
            let json = try await server.get("/kpi/trends" + filter, as: caller).json
            let months = try Self.texts(json, "months")
            let kpi = try await server.get("/kpi" + filter, as: caller).json
            #expect(!months.isEmpty)
            for name in ["generation", "as_of", "data_through", "stale", "synthetic"] {
                #expect("\(try #require(json[name]))" == "\(try #require(kpi[name]))")
            }
            #expect(try Self.texts(json, "open_months") == Self.texts(kpi, "open_months"))
            let total = try #require(json["total"] as? [String: Any])
            hidden += try await Self.expectMonths(total, months, own, server, caller)
            for (list, key, twin) in [
                ("regions", "region", "by_region"), ("trip_types", "trip_type", "by_trip_type"),
            ] {
                let entries = try Self.entries(json, list)
                let known = try Self.entries(kpi, twin)
                #expect(entries.map { $0[key] as? String } == known.map { $0[key] as? String })
                let labels = known.map { $0["label"] as? String }
                #expect(entries.map { $0["label"] as? String } == labels)
                for entry in entries {
                    let value = try #require(entry[key] as? String)
                    let query = key == "trip_type" && !own.isEmpty ? own : own + "&\(key)=\(value)"
                    hidden += try await Self.expectMonths(entry, months, query, server, caller)
                }
            }
        }
        // Small counts are hidden from viewers, and from no reader who may see every number.
        #expect(caller.may(.smallNumbers) && !caller.seesNationalTotals ? hidden == 0 : hidden > 0)
    }

    private static let declared =
        "{paid: {mean: cost}, own: {count: \"owner = 'VA'\"}, middle: {median: cost}}"

    /// The pipeline's own measures, each asked for once more from `/kpi`.
    @Test(arguments: [nil, ["08", "20"]] as [Set<String>?])
    func everyMeasureIsThatOfItsMonth(regions: Set<String>?) async throws {
        let server = try BackendUnderTest(PublishedMart(measures: Self.declared).publish(seed: 1))
        let caller = Caller(roles: [.administrator], regions: regions)
        let json = try await server.get("/kpi/trends?trip_type=BLS", as: caller).json
        let kpi = try await server.get("/kpi", as: caller).json
        for key in ["name", "label", "kind", "unit", "amount"] {
            let (found, expected) = try (
                Self.entries(json, "measures"), Self.entries(kpi, "measures")
            )
            #expect(found.map { $0[key] as? String } == expected.map { $0[key] as? String })
        }
        let months = try Self.texts(json, "months")
        var entries = [("&trip_type=BLS", try #require(json["total"] as? [String: Any]))]
        for (list, key) in [("regions", "region"), ("trip_types", "trip_type")] {
            entries += try Self.entries(json, list).map { entry in
                let query = "&\(key)=\(try #require(entry[key] as? String))"
                return (key == "region" ? "&trip_type=BLS" + query : query, entry)
            }
        }
        #expect(entries.count > 2)
        for (query, entry) in entries {
            let measures = try Self.entries(entry, "measures")
            for (index, month) in months.enumerated() {
                let answer = try await server.get("/kpi?month=\(month)\(query)", as: caller)
                let total = try #require(try answer.json["total"] as? [String: Any])
                let expected = try Self.entries(total, "measures")
                try #require(measures.count == 3 && expected.count == 3)
                for (found, one) in zip(measures, expected) {
                    #expect(found["name"] as? String == one["name"] as? String)
                    for (list, key) in [("values", "value"), ("known_trips", "known_trips")] {
                        let numbers = try #require(found[list] as? [Any])
                        try #require(numbers.count == months.count)
                        #expect("\(numbers[index])" == "\(try #require(one[key]))", "\(query)")
                    }
                }
            }
        }
    }

    /// Columns at the end, for readers who see every number alone.
    @Test func measuresAreForThoseWhoSeeEveryNumber() async throws {
        let server = try BackendUnderTest(PublishedMart(measures: Self.declared).publish(seed: 1))
        let columns = ",paid_cents,paid_known_trips,own,middle_cents,middle_known_trips"
        for (index, caller) in Self.callers.enumerated() {
            let isWhole = caller.may(.smallNumbers) && !caller.seesNationalTotals
            let json = try await server.get("/kpi/trends", as: caller)
            #expect(json.body.contains("measures") == isWhole, "\(index)")
            for rows in ["region", "trip_type"] {
                let csv = try await server.get(
                    "/kpi/trends?by=" + rows,
                    as: caller,
                    headers: [.accept: "text/csv"]
                ).body.split(separator: "\r\n").map(String.init)
                let header = try #require(csv.first)
                #expect(header.hasSuffix(columns) == isWhole && csv.count > 6, "\(index)")
                #expect(isWhole || !header.contains("paid"))
                let counts = Set(
                    csv.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
                )
                #expect(counts.count == 1, "\(index)")
            }
        }
        let plain = try await BackendUnderTest().get("/kpi/trends", as: Self.callers[1])
        #expect(!plain.body.contains("measures"))
    }

    @Test func aRegionAloneIsListedAlone() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get("/kpi/trends?region=08").json
        #expect(try Self.entries(json, "regions").map { $0["region"] as? String } == ["08"])
        #expect(try Self.entries(json, "trip_types").count > 1)
        let filter = try #require(json["filter"] as? [String: Any])
        #expect(filter["region"] as? String == "08" && filter["from"] is NSNull)
    }

    @Test func theGoalOfEachMonthStandsBesideIt() async throws {
        let goal = "[{from: 2026-03, in_house_pct: 45}, {from: 2026-05, in_house_pct: 47.5}]"
        let server = try BackendUnderTest(PublishedMart(goal: goal).publish(seed: 1))
        let json = try await server.get("/kpi/trends").json
        let goals = try #require(json["goal_pct"] as? [Any])
        let texts = goals.map { ($0 as? NSNumber)?.doubleValue }
        #expect(texts == [nil, nil, 45, 45, 47.5, 47.5])
    }

    @Test func itIsKnownByItsTag() async throws {
        let server = try BackendUnderTest()
        let answer = try await server.get("/kpi/trends?region=08")
        let tag = try #require(answer.headers[.eTag])
        let known = try await server.get("/kpi/trends?region=08", headers: [.ifNoneMatch: tag])
        #expect(known.status == .notModified && known.body.isEmpty)
        #expect(try await server.get("/kpi/trends").headers[.eTag] != tag)
        #expect(try await server.get("/kpi?region=08").headers[.eTag] != tag)
    }

    @Test(arguments: ["month=2026-03", "from=2026-01", "since=1", "region=99", "trip_type=bls"])
    func otherParametersAreRefused(query: String) async throws {
        let answer = try await BackendUnderTest().get("/kpi/trends?" + query)
        #expect(answer.status == .badRequest)
    }
}
