import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

/// What a dashboard shows beside the sums: the month compared with, the goal, what has changed.
@Suite struct KPIAnswerTests {
    private static let administrator = Caller(roles: [.administrator])

    private static func member(
        _ server: BackendUnderTest,
        _ path: String,
        _ name: String,
        as caller: Caller = administrator
    ) async throws -> [String: Any]? {
        try await server.get(path, as: caller).json[name] as? [String: Any]
    }

    /// The minimal pipeline settles months after 90 days; its data ends on 2026-06-28.
    @Test(
        arguments: [
            ("", "2026-09-28"), ("?month=2026-03", "2026-06-29"), ("?month=2026-02", nil),
            ("?from=2026-01&to=2026-04", "2026-07-29"), ("?month=2027-01", nil),
        ] as [(String, String?)]
    )
    func theDayOnWhichTheLastOpenMonthSettlesIsNamed(query: String, day: String?) async throws {
        let json = try await BackendUnderTest().get("/kpi" + query).json
        #expect(json["settles_on"] as? String == day)
        #expect(json.keys.contains("settles_on"))
    }

    @Test func theNextExportIsDueWhereOneIsExpected() async throws {
        let without = try await BackendUnderTest().get("/kpi").json
        #expect(without["next_expected"] is NSNull)
        let server = try BackendUnderTest(PublishedMart(expects: true).publish(seed: 1))
        let text = try await server.get("/kpi").json["next_expected"] as? String
        // Six in the morning of the day after the export came, in New York.
        #expect(text == "2026-11-02T11:00:00Z")
    }

    @Test(
        arguments: [
            ("?month=2026-03", "2026-03", 45), ("?from=2026-03&to=2026-04", "2026-03", 45),
            ("?month=2026-06", "2026-05", 47.5), ("", nil, nil), ("?month=2026-02", nil, nil),
            ("?from=2026-04&to=2026-05", nil, nil),
        ] as [(String, String?, Double?)]
    )
    func aGoalIsThatOfAllMonths(query: String, since: String?, percent: Double?) async throws {
        let goal = "[{from: 2026-03, in_house_pct: 45}, {from: 2026-05, in_house_pct: 47.5}]"
        let server = try BackendUnderTest(PublishedMart(goal: goal).publish(seed: 1))
        let found = try await Self.member(server, "/kpi" + query, "goal")
        #expect(found?["since"] as? String == since)
        #expect((found?["in_house_pct"] as? NSNumber)?.doubleValue == percent)
    }

    @Test(arguments: [(0, "above"), (100, "below")])
    func aVerdictFollowsFromTheInterval(percent: Int, verdict: String) async throws {
        let goal = "[{from: 2026-01, in_house_pct: \(percent)}]"
        let server = try BackendUnderTest(PublishedMart(goal: goal).publish(seed: 1))
        let found = try await Self.member(server, "/kpi", "goal")
        #expect(found?["verdict"] as? String == verdict)
        // What is hidden decides nothing.
        let total = try await Self.member(server, "/kpi?region=20", "total", as: .someViewer)
        let hidden = try await Self.member(server, "/kpi?region=20", "goal", as: .someViewer)
        let isHidden = total?["in_house_pct_low"] is NSNull
        #expect(hidden?["verdict"] as? String == (isHidden ? "not_decided" : verdict))
    }

    /// February and January are settled; no night read an earlier month at the age of the others.
    @Test func aSettledMonthIsComparedWithTheOneBefore() async throws {
        let server = try BackendUnderTest()
        for (caller, region) in [
            (Self.administrator, ""), (.someViewer, ""), (.someViewer, "&region=08"),
        ] {
            let found = try #require(
                try await Self.member(
                    server,
                    "/kpi?month=2026-02" + region,
                    "comparison",
                    as: caller
                )
            )
            let twin = try #require(
                try await Self.member(server, "/kpi?month=2026-01" + region, "total", as: caller)
            )
            #expect(found["month"] as? String == "2026-01")
            #expect(found["kind"] as? String == "settled")
            #expect(found["age_days"] as? Int == 148)
            #expect(found["generation"] as? Int == 1)
            for name in [
                "trips", "contracted_trips", "undetermined_trips", "in_house_pct",
                "in_house_pct_low", "cost_cents",
            ] {
                #expect("\(try #require(found[name]))" == "\(try #require(twin[name]))", "\(name)")
            }
        }
        for query in ["?month=2026-06", "?month=2026-01", "", "?from=2026-01&to=2026-02"] {
            let json = try await server.get("/kpi" + query, as: Self.administrator).json
            #expect(json["comparison"] is NSNull, "\(query)")
        }
    }

    /// The change since an earlier generation is what the two answers differ by.
    @Test func theChangeSinceAnEarlierGenerationIsTheDifference() async throws {
        let mart = try PublishedMart().publish(seed: 1)
        let before = try BackendUnderTest(mart)
        let callers = [
            Self.administrator, Caller(roles: [.analyst], regions: ["10", "20"]),
        ]
        let queries = ["", "month=2026-03", "region=10", "trip_type=BLS&month=2026-02"]
        var then: [String: [String: Any]] = [:]
        func asked(
            _ server: BackendUnderTest,
            _ caller: Int,
            _ query: String
        ) async throws
            -> [String: Any]?
        {
            let answer = try await server.get("/kpi?" + query, as: callers[caller])
            return answer.status == .ok ? try answer.json["total"] as? [String: Any] : nil
        }
        for caller in callers.indices {
            for query in queries {
                then["\(caller) \(query)"] = try await asked(before, caller, query)
            }
        }
        try mart.publish(seed: 2)
        let after = try BackendUnderTest(mart)
        var count = 0
        for caller in callers.indices {
            for query in queries {
                guard let was = then["\(caller) \(query)"],
                    let now = try await asked(after, caller, query)
                else { continue }
                let path = "/kpi?since=1&" + query
                let change = try #require(
                    try await Self.member(after, path, "since", as: callers[caller])
                )
                #expect(change["generation"] as? Int == 1)
                for name in ["trips", "cost_cents", "contracted_cost_cents"] {
                    let difference = (was[name] as? Int).flatMap { was in
                        (now[name] as? Int).map { $0 - was }
                    }
                    #expect(change[name] as? Int == difference, "\(path) \(name)")
                    count += difference == nil ? 0 : 1
                }
            }
        }
        #expect(count > 12)
        // One late trip would be a difference of one, also between two numbers that are shown.
        for caller in [
            Caller.someViewer,
            Caller(roles: [.administrator], regions: ["08"], seesNationalTotals: true),
        ] {
            for query in queries {
                let answer = try await after.get("/kpi?since=1&" + query, as: caller)
                guard answer.status == .ok else { continue }
                #expect(try answer.json["since"] is NSNull)
            }
        }
    }

    @Test func anUnknownEarlierGenerationHasNoChange() async throws {
        let mart = try PublishedMart().publish(seed: 1).publish(seed: 2)
        let server = try BackendUnderTest(mart)
        for path in ["/kpi", "/kpi?since=7"] {
            #expect(try await server.get(path).json["since"] is NSNull)
        }
        for query in ["since=0", "since=x", "since=01", "since="] {
            let answer = try await server.get("/kpi?" + query)
            #expect(answer.status == .badRequest)
            #expect(try answer.json["parameter"] as? String == "since")
        }
        var tags: [String?] = []
        for query in ["", "?since=1", "?since=2", "?since=7"] {
            let answer = try await server.get("/kpi" + query, as: Self.administrator)
            tags.append(answer.headers[.eTag])
        }
        // An answer without a change is that of a client that names no generation.
        #expect(Set(tags).count == 3 && tags[0] == tags[3])
    }
}
