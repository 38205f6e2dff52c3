import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

/// What each role sees, with and without regions of its own, on every path.
@Suite struct CallerTests {
    private static func total(_ answer: BackendUnderTest.Answer) throws -> [String: Any] {
        try #require(try answer.json["total"] as? [String: Any])
    }

    @Test func rolesWithoutSmallNumbersSeeTheSuppressedCube() async throws {
        let server = try BackendUnderTest()
        for role in Role.allCases {
            let caller = Caller(roles: [role])
            let json = try await server.get("/kpi?region=20", as: caller).json
            let isWhole = role == .administrator || role == .analyst
            #expect((json["by_basis"] is NSNull) == !isWhole)
            let total = try #require(json["total"] as? [String: Any])
            #expect(total["suppressed"] as? Bool == !isWhole)
        }
        #expect(try await server.get("/kpi", as: Caller(roles: [])).status == .forbidden)
    }

    @Test func basesAddUpToTheTotal() async throws {
        let server = try BackendUnderTest()
        let caller = Caller(roles: [.analyst], regions: ["08", "20"])
        for query in ["", "?month=2026-02", "?trip_type=FW", "?region=20&from=2026-03"] {
            let json = try await server.get("/kpi" + query, as: caller).json
            let bases = try #require(json["by_basis"] as? [[String: Any]])
            let trips = bases.compactMap { $0["trips"] as? Int }.reduce(0, +)
            let total = try #require(json["total"] as? [String: Any])
            #expect(total["trips"] as? Int == trips)
            let cents = bases.compactMap { $0["cost_cents"] as? Int }.reduce(0, +)
            #expect(total["cost_cents"] as? Int == cents)
        }
    }

    /// Clients cannot find out by adding up: a part may be hidden.
    @Test func anAccountIsToldWhatItsTotalsAreOf() async throws {
        let server = try BackendUnderTest()
        for (regions, sees, told) in [
            (nil, false, true), (["08"], false, false), (["08"], true, true),
        ] as [(Set<String>?, Bool, Bool)] {
            let caller = Caller(roles: [.viewer], regions: regions, seesNationalTotals: sees)
            let json = try await server.get("/me", as: caller).json
            #expect(json["national_totals"] as? Bool == told)
            #expect(json["regions"] as? [String] == regions.map { $0.sorted() })
        }
    }

    @Test func aScopeIsAllThatIsSeen() async throws {
        let server = try BackendUnderTest()
        let scoped = Caller(roles: [.administrator], regions: ["10", "20"])
        let all = Caller(roles: [.administrator])
        var sum = 0
        for region in ["10", "20"] {
            let own = try Self.total(try await server.get("/kpi?region=\(region)", as: all))
            let same = try Self.total(try await server.get("/kpi?region=\(region)", as: scoped))
            #expect(own["trips"] as? Int == same["trips"] as? Int)
            sum += try #require(own["trips"] as? Int)
        }
        let answer = try await server.get("/kpi", as: scoped)
        #expect(try Self.total(answer)["trips"] as? Int == sum)
        let regions = try #require(try answer.json["by_region"] as? [[String: Any]])
        #expect(regions.map { $0["region"] as? String } == ["10", "20"])
        let listed = try #require(
            try await server.get("/regions", as: scoped).json["regions"] as? [[String: Any]]
        )
        #expect(listed.map { $0["region"] as? String } == ["10", "20"])
        let trips = try await server.get("/trips?limit=200", as: scoped).json
        #expect(trips["total"] as? Int == sum)
        let rows = try #require(trips["trips"] as? [[String: Any]])
        #expect(Set(rows.compactMap { $0["region"] as? String }) == ["10", "20"])
    }

    @Test(arguments: ["/kpi", "/trips"])
    func anotherRegionLooksLikeOneThatDoesNotOccur(path: String) async throws {
        let server = try BackendUnderTest()
        let scoped = Caller(roles: [.administrator], regions: ["10"])
        let other = try await server.get(path + "?region=08", as: scoped)
        let none = try await server.get(path + "?region=99", as: scoped)
        #expect(other.status == .badRequest)
        #expect(other.body == none.body)
        #expect(other.headers[.eTag] == nil)
    }

    @Test(arguments: ["/kpi", "/trips"])
    func aTripTypeOfOtherRegionsAloneLooksLikeOneThatDoesNotOccur(path: String) async throws {
        let server = try BackendUnderTest()
        let all = Caller(roles: [.administrator])
        var count = 0
        for region in ["08", "10", "12", "20"] {
            let scoped = Caller(roles: [.administrator], regions: [region])
            let none = try await server.get(path + "?trip_type=NONE", as: scoped)
            #expect(none.status == .badRequest)
            let types = try #require(
                try await server.get("/trip-types", as: scoped).json["trip_types"]
                    as? [[String: Any]]
            ).compactMap { $0["trip_type"] as? String }
            for type in ["BLS", "ALS1", "FW"] {
                let answer = try await server.get(path + "?trip_type=\(type)", as: scoped)
                let whole = try await server.get("/kpi?trip_type=\(type)&region=\(region)", as: all)
                let occurs = try Self.total(whole)["trips"] as? Int != 0
                #expect((answer.status == .ok) == occurs && types.contains(type) == occurs)
                if !occurs {
                    #expect(answer.body == none.body)
                    count += 1
                }
            }
        }
        #expect(count > 0)
    }

    @Test func tagsTellViewsApart() async throws {
        let server = try BackendUnderTest()
        let callers = [
            Caller(roles: [.viewer]), Caller(roles: [.administrator]),
            Caller(roles: [.administrator], regions: ["08"]),
            Caller(roles: [.administrator], regions: ["08", "10"]),
            Caller(roles: [.administrator], regions: ["08"], seesNationalTotals: true),
            Caller(roles: [.administrator], regions: []),
            Caller(roles: [.administrator], regions: ["08,10"]),
            Caller(roles: [.administrator], regions: ["*"]),
            Caller(roles: [.administrator], regions: ["all"]),
        ]
        var tags: Set<String> = []
        for caller in callers {
            tags.insert(try #require(try await server.get("/kpi", as: caller).headers[.eTag]))
        }
        #expect(tags.count == callers.count)
    }

    @Test func nationalTotalsComeWithoutOtherRegions() async throws {
        let server = try BackendUnderTest()
        let all = try Self.total(
            try await server.get("/kpi", as: Caller(roles: [.administrator]))
        )
        let caller = Caller(roles: [.administrator], regions: ["08"], seesNationalTotals: true)
        let answer = try await server.get("/kpi", as: caller)
        // What the others have in some month is small, and would follow from the total.
        #expect(try Self.total(answer)["trips"] is NSNull && all["trips"] is Int)
        #expect(try answer.json["by_basis"] is NSNull)
        // A caller who sees no small number of its own region gets the published totals.
        let viewer = Caller(roles: [.viewer], regions: ["08"], seesNationalTotals: true)
        let shown = try Self.total(try await server.get("/kpi", as: viewer))
        let known = try Self.total(try await server.get("/kpi", as: Caller(roles: [.viewer])))
        #expect(shown as NSDictionary == known as NSDictionary)
        // What a list of types names may be asked for.
        for type in try #require(try answer.json["by_trip_type"] as? [[String: Any]]) {
            let value = try #require(type["trip_type"] as? String)
            let one = try await server.get("/kpi?trip_type=\(value)", as: caller)
            #expect(one.status == .ok)
        }
        let regions = try #require(try answer.json["by_region"] as? [[String: Any]])
        #expect(regions.map { $0["region"] as? String } == ["08"])
        let trips = try await server.get("/trips?limit=200", as: caller).json
        let own = try Self.total(try await server.get("/kpi?region=08", as: caller))
        #expect(trips["total"] as? Int == own["trips"] as? Int)
    }

    @Test(arguments: [[], ["all"], ["99"], ["all", "*"]] as [Set<String>])
    func aScopeOfNothingSeesNothing(regions: Set<String>) async throws {
        let server = try BackendUnderTest()
        let caller = Caller(roles: [.administrator], regions: regions)
        #expect(try Self.total(try await server.get("/kpi", as: caller))["trips"] as? Int == 0)
        let trips = try await server.get("/trips", as: caller).json
        #expect(trips["total"] as? Int == 0)
        #expect((trips["trips"] as? [Any])?.isEmpty == true)
        for path in ["/months", "/trip-types", "/regions"] {
            let lists = try await server.get(path, as: caller).json.values.compactMap {
                $0 as? [Any]
            }
            #expect(lists.count == 1 && lists[0].isEmpty)
        }
    }
}
