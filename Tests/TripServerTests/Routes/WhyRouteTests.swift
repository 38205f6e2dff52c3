import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct WhyRouteTests {
    private static let administrator = Caller(roles: [.administrator])

    private static func parts(_ json: [String: Any], _ name: String) throws -> [[String: Any]] {
        try #require(json[name] as? [[String: Any]])
    }

    @Test func partsSumToTheChangeOfThePublishedNumbers() async throws {
        let server = try BackendUnderTest()
        for more in ["", "&region=08", "&trip_type=BLS"] {
            let path = "/kpi/why?from=2026-02&to=2026-05" + more
            let json = try await server.get(path, as: Self.administrator).json
            var totals: [[String: Any]] = []
            for month in ["2026-02", "2026-05"] {
                let kpi = try await server.get("/kpi?month=\(month)" + more, as: Self.administrator)
                totals.append(try #require(try kpi.json["total"] as? [String: Any]))
            }
            let share = try #require(json["in_house"] as? [String: Any])
            #expect(share["from_pct"] as? NSNumber == totals[0]["in_house_pct"] as? NSNumber)
            #expect(share["to_pct"] as? NSNumber == totals[1]["in_house_pct"] as? NSNumber)
            #expect(
                share["to_undetermined_trips"] as? Int == totals[1]["undetermined_trips"] as? Int
            )
            let cost = try #require(json["contracted_cost"] as? [String: Any])
            #expect(cost["from_cents"] as? Int == totals[0]["contracted_cost_cents"] as? Int)
            #expect(cost["to_cents"] as? Int == totals[1]["contracted_cost_cents"] as? Int)
            for (object, change, amount) in [
                (share, "change_hundredths", "hundredths"), (cost, "change_cents", "cents"),
            ] {
                for list in ["by_region", "by_trip_type"] {
                    let amounts = try Self.parts(object, list).compactMap { $0[amount] as? Int }
                    #expect(amounts.reduce(0, +) == object[change] as? Int, "\(more) \(list)")
                    #expect(amounts.map(\.magnitude) == amounts.map(\.magnitude).sorted(by: >))
                }
            }
        }
    }

    @Test func itSaysWhatItIsAnAnswerTo() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get(
            "/kpi/why?from=2026-02&to=2026-06&region=08",
            as: Self.administrator
        ).json
        #expect(json["generation"] as? Int == 1)
        let filter = try #require(json["filter"] as? [String: Any])
        #expect(filter["from"] as? String == "2026-02" && filter["to"] as? String == "2026-06")
        #expect(filter["region"] as? String == "08" && filter["trip_type"] is NSNull)
        #expect(json["from_open"] as? Bool == false && json["to_open"] as? Bool == true)
        let share = try #require(json["in_house"] as? [String: Any])
        let types = try Self.parts(share, "by_trip_type")
        #expect(types.allSatisfy { ["rate", "mix"].contains($0["kind"] as? String) })
        #expect(types.allSatisfy { $0["label"] is String && $0["trip_type"] is String })
    }

    /// A viewer gets no name beside a part that a hidden number would follow from.
    @Test func aViewerGetsWhatIsHiddenAsOne() async throws {
        let server = try BackendUnderTest()
        let served = try ServedGeneration(server.mart.folder, number: 1)
        let json = try await server.get("/kpi/why?from=2026-02&to=2026-05").json
        let share = try #require(json["in_house"] as? [String: Any])
        let months = (Month(year: 2026, month: 2), Month(year: 2026, month: 5))
        for (list, key, dimension) in [
            ("by_region", "region", KPIDimension.region), ("by_trip_type", "trip_type", .tripType),
        ] {
            let expected = served.suppressed.change(
                of: .inHousePercent,
                from: months.0,
                to: months.1,
                by: dimension,
                ServedFilter()
            )
            guard let expected else {
                #expect(share[list] is NSNull)
                continue
            }
            let found = try Self.parts(share, list)
            #expect(
                found.map { $0[key] as? String }
                    == expected.parts.map { $0.value == KPICell.all ? nil : $0.value }
            )
            #expect(found.map { $0["hundredths"] as? Int64 } == expected.parts.map(\.amount))
        }
    }

    @Test(arguments: [
        ("", "from"), ("?from=2026-02", "to"), ("?from=all&to=2026-05", "from"),
        ("?from=2026-02&to=2026-02", "to"), ("?from=2026-05&to=2026-02", "to"),
        ("?from=2026-02&to=2031-01", "to"), ("?from=1999-01&to=2026-02", "from"),
        ("?month=2026-02", "month"), ("?from=2026-02&to=2026-05&region=99", "region"),
    ])
    func twoDifferentMonthsWithTripsAreCompared(query: String, parameter: String) async throws {
        let server = try BackendUnderTest()
        let answer = try await server.get("/kpi/why" + query, as: Self.administrator)
        #expect(answer.status == .badRequest)
        #expect(try answer.json["parameter"] as? String == parameter)
    }

    @Test func aCallerOfSomeRegionsGetsTheirPartsAlone() async throws {
        let server = try BackendUnderTest()
        let path = "/kpi/why?from=2026-02&to=2026-05"
        for seesTotals in [false, true] {
            let caller = Caller(
                roles: [.administrator],
                regions: ["08", "10"],
                seesNationalTotals: seesTotals
            )
            let share = try #require(
                try await server.get(path, as: caller).json["in_house"] as? [String: Any]
            )
            // Null where the total of a month is hidden, as it is in `/kpi`.
            let regions = (share["by_region"] as? [[String: Any]])?.map { $0["region"] as? String }
            #expect(seesTotals || regions != nil)
            #expect(Set(["08", "10", nil]).isSuperset(of: regions ?? []))
            #expect(seesTotals || !(regions ?? []).contains(nil))
        }
        let unknown = Caller(roles: [], regions: nil)
        #expect(try await server.get(path, as: unknown).status == .forbidden)
    }

    @Test func aKnownAnswerCostsNoBody() async throws {
        let server = try BackendUnderTest()
        let path = "/kpi/why?from=2026-02&to=2026-05"
        let tags = [
            try await server.get(path).headers[.eTag],
            try await server.get(path, as: Self.administrator).headers[.eTag],
            try await server.get(path + "&region=08").headers[.eTag],
            try await server.get("/kpi?from=2026-02&to=2026-05").headers[.eTag],
        ]
        #expect(Set(tags).count == tags.count && !tags.contains(nil))
    }
}
