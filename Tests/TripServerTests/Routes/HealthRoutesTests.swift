import HTTPTypes
import Testing
import TripDomain
import TripIdentity

@testable import TripMart
@testable import TripServer

@Suite struct HealthRoutesTests {
    @Test func aServerWithoutAMartLivesAndIsNotReady() async throws {
        let server = try BackendUnderTest(PublishedMart())
        #expect(try await server.get("/healthz").status == .ok)
        let readiness = try await server.get("/readyz")
        #expect(readiness.status == .serviceUnavailable)
        #expect(readiness.headers[.retryAfter] == "60")
        let caller = Caller(roles: [.administrator])
        for path in ["/kpi", "/months", "/regions", "/trips", "/trip/AAAA"] {
            let answer = try await server.get(path, as: caller)
            #expect(try answer.json["code"] as? String == "nothing_served", "\(path)")
            #expect(answer.headers[.retryAfter] == "60")
        }
    }

    @Test func aServerWithAGenerationIsReady() async throws {
        let answer = try await BackendUnderTest().get("/readyz")
        #expect(answer.status == .ok)
        #expect(try answer.json["status"] as? String == "ready")
        #expect(try answer.json["generation"] as? Int == 1)
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test func oneThatFellBackSaysSo() async throws {
        let mart = try PublishedMart().publish(seed: 1).publish(seed: 2)
        try FileSystem.remove(mart.folder.kpiPath(2))
        let answer = try await BackendUnderTest(mart).get("/readyz")
        #expect(answer.status == .ok)
        #expect(try answer.json["status"] as? String == "fallen_back")
        #expect(try answer.json["generation"] as? Int == 1)
    }
}
