import Foundation
import HTTPTypes
import Testing

@testable import TripIdentity
@testable import TripMart
@testable import TripServer

@Suite struct RevealRouteTests {
    private static let now: Int64 = 1_793_513_640

    /// A server with a record, and an account that signed in so many seconds ago.
    private static func made(
        signedIn age: Int64 = 0,
        role: Role = .administrator,
        regions: Set<String>? = nil,
        damagedBy sql: String? = nil
    ) async throws -> (BackendUnderTest, AuthenticationService, Caller, ref: String) {
        let mart = try PublishedMart().publish(seed: 1)
        if let sql {
            let connection = try RawConnection(path: mart.folder.generationPath(1), mode: .create)
            try connection.execute("PRAGMA writable_schema = ON;" + sql)
            try connection.close()
            try SumFile.renew(for: mart.folder.generationPath(1))
        }
        let folder = IdentityFolder(path: mart.path + "/identity")
        let authentication = try await AuthenticationService(
            folder,
            issuer: "https://triptych.test",
            isDemo: true
        ) {
            now
        }
        let account = Account(
            id: 7,
            name: try AccountName("someone"),
            email: nil,
            access: Access(roles: [role], regions: regions),
            isDisabled: false
        )
        let session = Session(
            id: "s",
            account: account,
            clientID: "dashboard",
            authenticatedAt: now - age,
            startedAt: now - age,
            lastUsedAt: now,
            hasEnded: false
        )
        let server = try BackendUnderTest(mart, now: now, authentication: authentication)
        let keys = try #require(
            try MartKeys.open(keyFile: mart.martPath + ".key", for: mart.folder)
        )
        return (server, authentication, Caller(session), keys.ref(ofTrip: "T-1-7").text)
    }

    private static func ask(
        _ server: BackendUnderTest,
        _ ref: String,
        _ caller: Caller,
        _ form: String = "field=cost&reason=billing"
    ) async throws -> BackendUnderTest.Answer {
        try await server.post("/trip/\(ref)/reveal", form, as: caller)
    }

    @Test func aFieldIsShownAndRecorded() async throws {
        let (server, authentication, caller, ref) = try await Self.made(signedIn: 300)
        let answer = try await Self.ask(server, ref, caller)
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
        let trip = try ServedMart.open(server.mart.folder).trip(id: "T-1-7")
        #expect(try answer.json["value"] as? Int == trip?.summary.costCents.map(Int.init))
        #expect(try answer.json["show_for_seconds"] as? Int == 10)
        let entries = try authentication.record.read().entries
        #expect(
            entries == [
                AccessEntry(
                    .revealed,
                    at: Self.now,
                    account: 7,
                    subject: ref,
                    detail: "cost",
                    reason: .billing
                )
            ]
        )
        // The pipeline of these tests has no patients.
        let none = try await Self.ask(server, ref, caller, "field=patient_id&reason=investigation")
        #expect(try none.json["value"] is NSNull)
    }

    @Test func aSignInOfLongAgoIsNotEnough() async throws {
        let (server, authentication, caller, ref) = try await Self.made(signedIn: 301)
        let answer = try await Self.ask(server, ref, caller)
        #expect(answer.status == .unauthorized)
        #expect(try answer.json["code"] as? String == "authenticate_again")
        let challenge = try #require(answer.headers[.wwwAuthenticate])
        #expect(
            challenge.contains("insufficient_user_authentication")
                && challenge.contains("max_age=300")
        )
        #expect(try authentication.record.read().entries.isEmpty)
    }

    @Test(arguments: [Role.viewer, .privacyOfficer])
    func otherRolesRevealNothing(role: Role) async throws {
        let (server, authentication, caller, ref) = try await Self.made(role: role)
        #expect(try await Self.ask(server, ref, caller).status == .forbidden)
        #expect(try await Self.events(authentication) == [.refused])
    }

    @Test func anotherRegionsTripLooksLikeNone() async throws {
        let (server, authentication, caller, ref) = try await Self.made(regions: ["99"])
        let other = try await Self.ask(server, ref, caller)
        let none = try await Self.ask(server, "x", caller)
        #expect(other.status == .notFound && other.body == none.body)
        // One for both: a search through trips does not fill the record.
        #expect(try await Self.events(authentication) == [.refused])
    }

    /// What was recorded, also without waiting.
    private static func events(
        _ authentication: AuthenticationService
    ) async throws -> [AccessEntry.Event] {
        try await authentication.record.add(AccessEntry(.emailSet, at: 0))
        return try authentication.record.read().entries.map(\.event).dropLast()
    }

    @Test(arguments: [
        "", "field=cost", "reason=billing", "field=COST&reason=billing",
        "field=cost&reason=because",
        "field=cost&field=cost&reason=billing", "field=cost&reason=",
    ])
    func aMalformedRevealIsRefused(form: String) async throws {
        let (server, authentication, caller, ref) = try await Self.made()
        #expect(try await Self.ask(server, ref, caller, form).status == .badRequest)
        #expect(try authentication.record.read().entries.isEmpty)
    }

    @Test func nothingIsShownThatCannotBeRecorded() async throws {
        let (server, authentication, caller, ref) = try await Self.made()
        try FileManager.default.createDirectory(
            atPath: authentication.record.path,
            withIntermediateDirectories: false
        )
        let answer = try await Self.ask(server, ref, caller)
        #expect(answer.status == .internalServerError)
        let cost = try ServedMart.open(server.mart.folder).trip(id: "T-1-7")?.summary.costCents
        #expect(!answer.body.contains("\(try #require(cost))"))
    }

    /// Nor is it recorded as a refusal.
    @Test func anUnreadableFieldIsNotRecordedAsRevealed() async throws {
        let (server, authentication, caller, ref) = try await Self.made(
            damagedBy: """
                UPDATE sqlite_schema SET sql = replace(sql, 'NULL AS patient_ref', '5 AS patient_ref')
                WHERE name = 'trip'
                """
        )
        let answer = try await Self.ask(server, ref, caller, "field=patient_id&reason=billing")
        #expect(answer.status == .notFound)
        #expect(try await Self.events(authentication).isEmpty)
        #expect(try await Self.ask(server, ref, caller).status == .ok)
        #expect(try await Self.events(authentication) == [.emailSet, .revealed])
    }

    @Test func manyRevealsOfAnAccountAreRateLimited() async throws {
        let (server, authentication, caller, ref) = try await Self.made()
        for _ in 0..<30 { #expect(try await Self.ask(server, ref, caller).status == .ok) }
        let answer = try await Self.ask(server, ref, caller)
        #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "600")
        #expect(try authentication.record.read().entries.count == 30)
    }
}
