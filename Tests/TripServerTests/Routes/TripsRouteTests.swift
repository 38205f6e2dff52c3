import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct TripsRouteTests {
    private static let administrator = Caller(roles: [.administrator])

    private static func trips(_ answer: BackendUnderTest.Answer) throws -> [[String: Any]] {
        try #require(try answer.json["trips"] as? [[String: Any]])
    }

    /// All pages of a list, and the total each of them gave.
    private static func pages(
        _ server: BackendUnderTest,
        _ query: String,
        as caller: Caller = administrator
    ) async throws -> (refs: [String], trips: [[String: Any]], totals: Set<Int>) {
        var (trips, totals, cursor) = ([[String: Any]](), Set<Int>(), nil as String?)
        repeat {
            let next = cursor.map { "&cursor=\($0)" } ?? ""
            let answer = try await server.get("/trips?" + query + next, as: caller)
            #expect(answer.status == .ok)
            trips += try Self.trips(answer)
            totals.insert(try #require(try answer.json["total"] as? Int))
            cursor = try answer.json["next"] as? String
        } while cursor != nil
        return (trips.compactMap { $0["ref"] as? String }, trips, totals)
    }

    /// The references of all counted trips of a filter, newest first, by reading each trip.
    private static func twin(
        _ mart: PublishedMart,
        _ isAsked: (TripSummary) -> Bool
    ) throws -> [String] {
        let keys = try #require(
            try MartKeys.open(keyFile: mart.martPath + ".key", for: mart.folder)
        )
        let all = try ServedMart.open(mart.folder).trips(TripFilter(), limit: 100_000).trips
        return all.sorted { $0.tripNumber > $1.tripNumber }
            .filter { $0.isCounted && isAsked($0) }.map { keys.ref(ofTrip: $0.tripID).text }
    }

    @Test func everyFilterIsListedWholeInOrderAndOnce() async throws {
        let server = try BackendUnderTest()
        for month in [nil, "2026-03"] {
            for type in [nil, "FW"] {
                for region in [nil, "08", "20"] {
                    let parts = [
                        "limit=17", month.map { "month=\($0)" }, type.map { "trip_type=\($0)" },
                        region.map { "region=\($0)" },
                    ]
                    let list = try await Self.pages(
                        server,
                        parts.compactMap(\.self).joined(separator: "&")
                    )
                    let expected = try Self.twin(server.mart) { trip in
                        (month == nil || trip.month == month)
                            && (type == nil || trip.tripType == type)
                            && (region == nil || trip.region == region)
                    }
                    #expect(list.refs == expected)
                    #expect(list.totals == [expected.count])
                }
            }
        }
    }

    @Test func aListTellsNothingOfWhoWasDrivenOrWhatItCost() async throws {
        let server = try BackendUnderTest()
        let answer = try await server.get("/trips", as: Self.administrator)
        let known: Set = [
            "ref", "pickup_date", "month", "trip_type", "region", "class", "basis", "provider",
            "loaded_miles_hundredths",
        ]
        let trips = try Self.trips(answer)
        #expect(trips.count == TripsRoute.usualLimit)
        #expect(trips.allSatisfy { Set($0.keys) == known })
        #expect(!answer.body.contains("T-1-") && !answer.body.contains(" 10:"))
    }

    @Test func aListIsKeptByNoBrowserAndKnownByItsTag() async throws {
        let server = try BackendUnderTest()
        let answer = try await server.get("/trips", as: Self.administrator)
        let tag = try #require(answer.headers[.eTag])
        let known = try await server.get(
            "/trips",
            as: Self.administrator,
            headers: [.ifNoneMatch: tag]
        )
        #expect(known.status == .notModified && known.headers[.eTag] == tag)
        for each in [answer, known] { #expect(each.headers[.cacheControl] == "no-store") }
        let sums = try await server.get("/kpi", as: Self.administrator)
        #expect(sums.headers[.cacheControl] == "private, no-cache")
    }

    @Test func aListStaysThatOfItsFirstPage() async throws {
        let server = try BackendUnderTest()
        let first = try await server.get("/trips?limit=10", as: Self.administrator)
        let cursor = try #require(try first.json["next"] as? String)
        let before = try await server.get(
            "/trips?limit=10&cursor=" + cursor,
            as: Self.administrator
        )
        for seed in 2...3 {
            try server.mart.publish(seed: seed)
            server.refresh()
            let again = try await server.get(
                "/trips?limit=10&cursor=" + cursor,
                as: Self.administrator
            )
            #expect(again.body == before.body && again.headers[.eTag] == before.headers[.eTag])
            let newest = try await server.get("/trips?limit=10", as: Self.administrator)
            #expect(try newest.json["generation"] as? Int == seed)
        }
        try server.mart.publish(seed: 4)
        server.refresh()
        let gone = try await server.get("/trips?limit=10&cursor=" + cursor, as: Self.administrator)
        #expect(gone.status == .gone)
        #expect(try gone.json["code"] as? String == "cursor_expired")
    }

    @Test func aCursorFitsItsOwnListAlone() async throws {
        let server = try BackendUnderTest()
        let first = try await server.get("/trips?limit=10&region=08", as: Self.administrator)
        let cursor = try #require(try first.json["next"] as? String)
        let scoped = Caller(roles: [.administrator], regions: ["08"])
        let others: [(String, Caller)] = [
            ("/trips?cursor=\(cursor)", Self.administrator),
            ("/trips?region=10&cursor=\(cursor)", Self.administrator),
            ("/trips?region=08&month=2026-03&cursor=\(cursor)", Self.administrator),
            ("/trips?region=08&cursor=\(cursor)", scoped),
            ("/trips?region=08&cursor=\(cursor.dropLast())", Self.administrator),
            ("/trips?region=08&cursor=" + String(cursor.reversed()), Self.administrator),
            ("/trips?region=08&cursor=", Self.administrator),
        ]
        for (path, caller) in others {
            let answer = try await server.get(path, as: caller)
            #expect(answer.status == .badRequest)
            #expect(try answer.json["parameter"] as? String == "cursor")
        }
    }

    @Test(arguments: ["0", "201", "-1", "x", "1e1", "", "05", "99999999999999999999"])
    func aLimitOutOfBoundsIsRefused(limit: String) async throws {
        let answer = try await BackendUnderTest().get(
            "/trips?limit=" + limit,
            as: Self.administrator
        )
        #expect(answer.status == .badRequest)
        #expect(try answer.json["parameter"] as? String == "limit")
    }

    @Test func aCallerWithoutTheRightSeesNoTrips() async throws {
        let server = try BackendUnderTest()
        for role in [Role.viewer, .privacyOfficer] {
            let caller = Caller(roles: [role])
            #expect(try await server.get("/trips", as: caller).status == .forbidden)
            #expect(try await server.get("/trips?x=1", as: caller).status == .forbidden)
        }
        #expect(try await server.get("/trips", as: Caller(roles: [])).status == .forbidden)
        #expect(try await server.get("/trips", as: Caller(roles: [.analyst])).status == .ok)
    }

    /// A mart gets its key file with its first generation, which may come after the server.
    @Test func tripsAreServedAsSoonAsThereIsAKey() async throws {
        let server = try BackendUnderTest(PublishedMart())
        #expect(
            try await server.get("/trips", as: Self.administrator).status == .serviceUnavailable
        )
        try server.mart.publish(seed: 1)
        server.refresh()
        #expect(try await server.get("/trips", as: Self.administrator).status == .ok)
    }

    @Test func aServerWithoutAKeyNamesNoTrips() async throws {
        let server = try BackendUnderTest(hasKey: false)
        let answer = try await server.get("/trips", as: Self.administrator)
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "60")
        #expect(try answer.json["code"] as? String == "trips_not_served")
    }

    /// Fifty by default.
    @Test func aPageHasFiftyTrips() async throws {
        let answer = try await BackendUnderTest().get("/trips", as: Self.administrator)
        #expect(try Self.trips(answer).count == 50)
    }

    @Test(arguments: ["from=2026-03", "to=2026-03", "from=2026-02&to=2026-04", "from=all&to=all"])
    func aRangeOfMonthsIsListedWhole(range: String) async throws {
        let server = try BackendUnderTest()
        let list = try await Self.pages(server, range + "&limit=200")
        let bounds = range.split(separator: "&").map { $0.split(separator: "=") }
        let twin = try Self.twin(server.mart) { trip in
            bounds.allSatisfy { bound in
                if bound[1] == "all" { return true }
                return bound[0] == "from" ? trip.month >= bound[1] : trip.month <= bound[1]
            }
        }
        #expect(list.refs == twin)
        #expect(list.totals == [twin.count])
        #expect(!twin.isEmpty)
    }
}
