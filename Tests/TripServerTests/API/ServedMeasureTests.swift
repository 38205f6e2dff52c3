import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity

@testable import TripServer

/// Declared measures in the answers of `/kpi`, beside the sums that they must agree with.
@Suite struct ServedMeasureTests {
    private static let administrator = Caller(roles: [.administrator])
    private static let declared =
        "{paid: {mean: cost}, own: {count: \"owner = 'VA'\", label: Own}, middle: {median: cost}}"

    private static func server() throws -> BackendUnderTest {
        try BackendUnderTest(PublishedMart(measures: declared).publish(seed: 1))
    }

    /// The measures of a group by name; nil stands for a value that is known of no trip.
    private static func values(_ group: [String: Any]) throws -> [String: Double?] {
        let measures = try #require(group["measures"] as? [[String: Any]])
        #expect(
            measures.compactMap { $0["name"] as? String } == ["paid_cents", "own", "middle_cents"]
        )
        var values: [String: Double?] = [:]
        for measure in measures {
            let name = try #require(measure["name"] as? String)
            values[name] = .some((measure["value"] as? NSNumber)?.doubleValue)
            #expect(measure["known_trips"] is NSNumber)
        }
        return values
    }

    private static func groups(_ json: [String: Any]) throws -> [[String: Any]] {
        let total = try #require(json["total"] as? [String: Any])
        return try ["by_month", "by_trip_type", "by_region"].reduce(into: [total]) {
            $0 += try #require(json[$1] as? [[String: Any]])
        }
    }

    @Test(arguments: ["", "?month=2026-03", "?region=08", "?from=2026-01&to=2026-03"])
    func everyGroupHasItsMeasures(query: String) async throws {
        let json = try await Self.server().get("/kpi" + query, as: Self.administrator).json
        let names = try #require(json["measures"] as? [[String: Any]])
        #expect(names.compactMap { $0["kind"] as? String } == ["mean", "count", "median"])
        #expect(
            names.compactMap { $0["label"] as? String } == ["mean paid", "Own", "median middle"]
        )
        for group in try Self.groups(json) {
            let values = try Self.values(group)
            func number(_ name: String) -> Double? { (group[name] as? NSNumber)?.doubleValue }
            // Every trip of this mart has a cost, and the owner decides its class.
            #expect(values["paid_cents"] == number("cost_per_trip_cents"))
            #expect(values["own"] == number("in_house_trips"))
        }
    }

    /// Beside the month that it is compared with stand that month's own measures.
    @Test func theComparedMonthHasItsMeasures() async throws {
        let server = try Self.server()
        let json = try await server.get("/kpi?month=2026-02", as: Self.administrator).json
        let comparison = try #require(json["comparison"] as? [String: Any])
        let month = try #require(comparison["month"] as? String)
        let earlier = try await server.get("/kpi?month=" + month, as: Self.administrator).json
        let total = try #require(earlier["total"] as? [String: Any])
        #expect(try Self.values(comparison) == Self.values(total))
        let amounts = try #require(json["measures"] as? [[String: Any]])
        #expect(amounts.compactMap { $0["amount"] as? String } == ["cents", "whole", "cents"])
        let viewed = try await server.get("/kpi?month=2026-02").json["comparison"]
        #expect((viewed as? [String: Any])?["measures"] == nil)
    }

    /// A condition may hold for any subset of the trips: beside the class of the other trips it
    /// would give away a small one.
    @Test(arguments: ["", "?month=2026-03", "?region=08"])
    func aViewerGetsNone(query: String) async throws {
        let server = try Self.server()
        let json = try await server.get("/kpi" + query).json
        #expect(json["total"] != nil)
        #expect(json["measures"] == nil)
        for group in try Self.groups(json) { #expect(group["measures"] == nil) }
        let rows = query.isEmpty ? "?by=region" : query + "&by=region"
        let csv = try await server.get("/kpi" + rows, headers: [.accept: "text/csv"]).body
        #expect(csv.contains("in_house_trips"))
        let header = csv.split(whereSeparator: \.isNewline)[0].split(separator: ",")
        for name in ["paid_cents", "own", "middle_cents"] {
            #expect(!header.contains { $0 == name })
        }
    }

    @Test func theColumnsOfCSVFollowAtTheEnd() async throws {
        let server = try Self.server()
        for rows in ["month", "trip_type", "region"] {
            let text = try await server.get(
                "/kpi?by=\(rows)",
                as: Self.administrator,
                headers: [.accept: "text/csv"]
            ).body
            let header = try #require(text.split(whereSeparator: \.isNewline).first)
            #expect(
                header.hasSuffix(
                    ",paid_cents,paid_known_trips,own,middle_cents,middle_known_trips"
                )
            )
        }
    }

    @Test func withoutDeclarationsAnswersAreAsBefore() async throws {
        let answer = try await BackendUnderTest().get("/kpi", as: Self.administrator)
        #expect(!answer.body.contains("measures"))
    }
}
