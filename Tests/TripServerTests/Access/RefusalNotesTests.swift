import HTTPTypes
import Testing

@testable import TripIdentity
@testable import TripServer

@Suite struct RefusalNotesTests {
    private static let now: Int64 = 1_793_513_640

    /// An account of some regions that has signed in.
    private static func caller(_ id: Int64, regions: Set<String>?) throws -> Caller {
        let account = Account(
            id: id,
            name: try AccountName("someone"),
            email: nil,
            access: Access(roles: [.administrator], regions: regions),
            isDisabled: false
        )
        return Caller(
            Session(
                id: "s\(id)",
                account: account,
                clientID: "dashboard",
                authenticatedAt: now,
                startedAt: now,
                lastUsedAt: now,
                hasEnded: false
            )
        )
    }

    @Test func anotherRegionAskedForIsNotedAsOneThatIsNowhere() async throws {
        let mart = try PublishedMart().publish(seed: 1)
        let folder = IdentityFolder(path: mart.path + "/identity")
        let authentication = try await AuthenticationService(
            folder,
            issuer: "https://triptych.test",
            isDemo: true
        ) {
            Self.now
        }
        let server = try BackendUnderTest(mart, now: Self.now, authentication: authentication)
        let (bound, other) = (
            try Self.caller(7, regions: ["10", "77"]), try Self.caller(8, regions: ["08"])
        )
        for path in ["/kpi", "/trips"] {
            let there = try await server.get(path + "?region=08", as: bound)
            let nowhere = try await server.get(path + "?region=99", as: bound)
            #expect(there.status == .badRequest && there.body == nowhere.body)
            #expect(there.headers == nowhere.headers)
        }
        #expect(try await server.get("/kpi?region=99", as: other).status == .badRequest)
        // One's own, one's own that does not occur, what cannot be read, and, for an account that
        // sees all, one that occurs nowhere.
        for (path, caller) in [
            ("/kpi?region=10", bound), ("/kpi?region=77", bound), ("/kpi?month=x", other),
            ("/kpi?region=99", try Self.caller(9, regions: nil)),
        ] {
            _ = try await server.get(path, as: caller)
        }
        // The entries before it were added without waiting.
        try await authentication.record.add(AccessEntry(.emailSet, at: Self.now))
        let entries = try authentication.record.read().entries.dropLast()
        let asked = [(7, "/kpi"), (7, "/trips"), (8, "/kpi")] as [(Int64, String)]
        let expected = asked.map { account, route in
            AccessEntry(
                .refused,
                at: Self.now,
                account: account,
                subject: route,
                detail: RefusalNotes.otherRegion
            )
        }
        #expect(Array(entries) == expected)
    }
}
