import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct TripRouteTests {
    private static let administrator = Caller(roles: [.administrator])

    private static func ref(_ mart: PublishedMart, _ id: String) throws -> String {
        try #require(try MartKeys.open(keyFile: mart.martPath + ".key", for: mart.folder))
            .ref(ofTrip: id).text
    }

    @Test func itSaysWhatATripIsAndWhy() async throws {
        let server = try BackendUnderTest()
        let ref = try Self.ref(server.mart, "T-1-7")
        let answer = try await server.get("/trip/" + ref, as: Self.administrator)
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.eTag] == nil)
        let json = try answer.json
        let trip = try #require(try ServedMart.open(server.mart.folder).trip(id: "T-1-7"))
        #expect(json["ref"] as? String == ref)
        #expect(json["class"] as? String == trip.summary.tripClass.word)
        #expect(json["region"] as? String == trip.summary.region)
        let rule = try #require(json["rule"] as? [String: Any])
        #expect(rule["id"] as? String == trip.rule?.id)
        #expect(rule["because"] as? String == trip.rule?.because)
    }

    /// In New York, in winter and in summer.
    @Test(arguments: [
        ("T-1-7", "2026-02-08T10:17:00-05:00"), ("T-1-10", "2026-05-11T10:20:00-04:00"),
    ])
    func aPickUpIsOnTheClockOfTheFacility(id: String, moment: String) async throws {
        let server = try BackendUnderTest()
        let ref = try Self.ref(server.mart, id)
        let json = try await server.get("/trip/" + ref, as: Self.administrator).json
        #expect(json["picked_up_at"] as? String == moment)
    }

    @Test func patientProviderNumberAndCostAreMasked() async throws {
        let server = try BackendUnderTest()
        let answer = try await server.get(
            "/trip/" + Self.ref(server.mart, "T-1-7"),
            as: Self.administrator
        )
        let masked = try #require(try answer.json["masked"] as? [String: Any])
        #expect(masked["cost"] as? String == "••••••••")
        // The pipeline of these tests has neither.
        #expect(masked["patient_id"] is NSNull && masked["provider_npi"] is NSNull)
        let cost = try ServedMart.open(server.mart.folder).trip(id: "T-1-7")?.summary.costCents
        let cents = try #require(cost)
        #expect(!answer.body.contains("\(cents)") && !answer.body.contains("\(cents / 100)."))
        #expect(!answer.body.contains("T-1-7"))
    }

    @Test func aTripNoRuleDecidedHasNoRule() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get(
            "/trip/" + Self.ref(server.mart, "T-1-50"),
            as: Self.administrator
        ).json
        #expect(json["class"] as? String == "undetermined" && json["rule"] is NSNull)
    }

    @Test func aMissingTripAndOneOfAnotherRegionGetTheSameAnswer() async throws {
        let server = try BackendUnderTest()
        let foreign = try PublishedMart().publish(seed: 1)
        let trips = try ServedMart.open(server.mart.folder).trips(TripFilter(), limit: 1000).trips
        let elsewhere = try #require(trips.first { $0.region != "08" })
        let own = try #require(trips.first { $0.region == "08" })
        let caller = Caller(roles: [.administrator], regions: ["08"])
        let refs = [
            try Self.ref(server.mart, elsewhere.tripID), try Self.ref(server.mart, "T-9-9"),
            try Self.ref(foreign, own.tripID), "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            try Self.ref(server.mart, ""),
        ]
        var bodies: Set<String> = []
        for ref in refs {
            let begun = ContinuousClock.now
            let answer = try await server.get("/trip/" + ref, as: caller)
            #expect(answer.status == .notFound)
            // Not before the time after which all are refused, whatever there was to read.
            #expect(ContinuousClock.now - begun >= .milliseconds(5))
            bodies.insert(answer.body)
        }
        #expect(bodies.count == 1)
        let found = try await server.get("/trip/" + Self.ref(server.mart, own.tripID), as: caller)
        #expect(found.status == .ok)
    }

    @Test func aCallerWithoutTheRightIsNotToldWhetherATripExists() async throws {
        let server = try BackendUnderTest()
        for ref in [try Self.ref(server.mart, "T-1-7"), "x"] {
            let answer = try await server.get("/trip/" + ref, as: Caller(roles: [.viewer]))
            #expect(answer.status == .forbidden)
        }
    }
}
