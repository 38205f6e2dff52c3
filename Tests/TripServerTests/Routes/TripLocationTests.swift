import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity

@testable import TripMart
@testable import TripServer

/// A served generation whose trips lie elsewhere.
@Suite struct TripLocationTests {
    /// A server over a generation of which the trips were taken out, as a cluster leaves one.
    private static func server() throws -> BackendUnderTest {
        let mart = try PublishedMart().publish(seed: 1)
        let path = mart.folder.generationPath(1)
        let connection = try RawConnection(path: path, mode: .create)
        try connection.execute(
            """
            BEGIN; \(TripLocationTables.ddl) \(TripLocationTables.correctionDDL)
            INSERT INTO trip_location VALUES('s3://trips/2026', 'p', 'r');
            INSERT INTO trip_location_month
                SELECT month, last_trip - first_trip + 1 FROM month_range;
            DELETE FROM trip_row; DELETE FROM trip_version; DELETE FROM patient;
            DELETE FROM month_range; PRAGMA user_version = 2; COMMIT;
            """
        )
        try connection.close()
        try SumFile.renew(for: path)
        #expect(try GenerationChecker.check(path) == [])
        return try BackendUnderTest(mart)
    }

    @Test func whatNeedsTripsIsRefusedAndNeverEmpty() async throws {
        let server = try Self.server()
        let caller = Caller(roles: [.administrator, .analyst])
        let keys = try #require(
            try MartKeys.open(keyFile: server.mart.martPath + ".key", for: server.mart.folder)
        )
        let ref = keys.ref(ofTrip: "T-1-1").text
        for path in ["/trips", "/trips?month=2026-03", "/trip/" + ref, "/trip/nonsense"] {
            let answer = try await server.get(path, as: caller)
            #expect(answer.status == .conflict, "\(path)")
            #expect(try answer.json["code"] as? String == "trips_elsewhere")
            #expect(!answer.body.contains("s3://"))
        }
        // Who may see no trip is told nothing of them.
        #expect(try await server.get("/trips", as: Caller(roles: [])).status == .forbidden)
        let run = try await server.ask(
            .post,
            "/runs",
            as: RunsRoutesTests.caller(),
            headers: [
                .contentType: "application/x-www-form-urlencoded", .idempotencyKey: "one",
            ]
        )
        #expect(run.status == .conflict)
        #expect(try run.json["code"] as? String == "trips_elsewhere")
        #expect(try await server.get("/runs", as: RunsRoutesTests.caller()).json["requests"] != nil)
    }

    @Test func numbersAreServedAsEver() async throws {
        let server = try Self.server()
        let whole = try BackendUnderTest(PublishedMart().publish(seed: 1))
        let caller = Caller(roles: [.administrator])
        for path in ["/kpi", "/kpi?month=2026-03&region=08", "/kpi/trends", "/months"] {
            let (answer, expected) = try await (
                server.get(path, as: caller), whole.get(path, as: caller)
            )
            #expect(answer.status == .ok && answer.body == expected.body, "\(path)")
        }
    }
}
