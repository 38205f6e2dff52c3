import HTTPTypes
import Testing
import TripDomain
import TripMart

@testable import TripServer

@Suite struct FilterRoutesTests {
    @Test func theyListWhatTheFiltersKnow() async throws {
        let server = try BackendUnderTest()
        let served = try ServedGeneration(server.mart.folder, number: 1)
        let months = try #require(
            try await server.get("/months").json["months"] as? [[String: Any]]
        )
        #expect(months.map { $0["month"] as? String } == served.months.map(\.month.text))
        #expect(months.map { $0["month_open"] as? Bool } == served.months.map(\.isOpen))
        let types = try #require(
            try await server.get("/trip-types").json["trip_types"] as? [[String: Any]]
        )
        #expect(types.map { $0["trip_type"] as? String } == ["ALS1", "BLS", "FW"])
        let regions = try #require(
            try await server.get("/regions").json["regions"] as? [[String: Any]]
        )
        #expect(regions.map { $0["region"] as? String } == ["08", "10", "12", "20"])
    }

    @Test(arguments: ["/months", "/trip-types", "/regions"])
    func theyAreKnownByTheirTags(path: String) async throws {
        let server = try BackendUnderTest()
        let tag = try #require(try await server.get(path).headers[.eTag])
        #expect(try await server.get(path, headers: [.ifNoneMatch: tag]).status == .notModified)
        #expect(try await server.get(path + "?month=2026-03").status == .badRequest)
    }
}
