import Foundation
import HTTPTypes
import Testing
import TripMart

@testable import TripIdentity
@testable import TripServer

@Suite struct RunsRoutesTests {
    static func caller(
        _ role: Role = .analyst,
        id: Int64 = 7,
        regions: Set<String>? = nil
    ) throws -> Caller {
        let account = Account(
            id: id,
            name: try AccountName("someone"),
            email: nil,
            access: Access(roles: [role], regions: regions),
            isDisabled: false
        )
        return Caller(
            Session(
                id: "s",
                account: account,
                clientID: "dashboard",
                authenticatedAt: 0,
                startedAt: 0,
                lastUsedAt: 0,
                hasEnded: false
            )
        )
    }

    private static func start(
        _ server: BackendUnderTest,
        _ caller: Caller,
        key: String? = "one",
        _ form: String = ""
    ) async throws -> BackendUnderTest.Answer {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let key { headers[.idempotencyKey] = key }
        return try await server.ask(.post, "/runs", as: caller, headers: headers, body: form)
    }

    @Test func aRunIsAskedForOnceHoweverOftenItIsSent() async throws {
        let server = try BackendUnderTest()
        let caller = try Self.caller()
        let first = try await Self.start(server, caller, key: "one", "plan=0a1b2c3d")
        #expect(first.status == .accepted && first.headers[.cacheControl] == "no-store")
        let id = try #require(try first.json["id"] as? String)
        #expect(first.headers[.location] == "/runs/" + id)
        #expect(try first.json["state"] as? String == "waiting")
        #expect(try first.json["requested_by"] as? String == "someone")
        let again = try await Self.start(server, caller, key: "one", "plan=0a1b2c3d")
        #expect(again.status == .accepted && again.body == first.body)
        let found = try await server.get("/runs/" + id, as: caller)
        #expect(found.status == .ok && found.body == first.body)
        // The same key of another account is another key.
        let other = try await Self.start(server, Self.caller(id: 8), key: "one", "plan=0a1b2c3d")
        #expect(try other.json["id"] as? String != id)
        let reused = try await Self.start(server, caller)
        #expect(reused.status == .conflict)
        #expect(try reused.json["code"] as? String == "idempotency_key_reused")
    }

    @Test func theListHasRequestsAndNights() async throws {
        let server = try BackendUnderTest()
        let caller = try Self.caller()
        for key in ["one", "two"] { _ = try await Self.start(server, caller, key: key) }
        try RunLog(server.mart.folder).recordNight(command: "run /secret/folder")
        let answer = try await server.get("/runs", as: caller)
        #expect(answer.status == .ok)
        #expect((try answer.json["requests"] as? [Any])?.count == 2)
        let runs = try #require(try answer.json["runs"] as? [[String: Any]])
        #expect(runs.first?["command"] as? String == "run")
        #expect(runs.first?["started_at"] as? String == "2026-11-20T02:14:07Z")
        #expect(!answer.body.contains("secret") && !answer.body.contains("details"))
    }

    @Test func aRunThatNoWorkerTakesSaysSo() async throws {
        let server = try BackendUnderTest()
        let caller = try Self.caller()
        let asked = try await Self.start(server, caller)
        #expect(try asked.json["waiting_for"] as? String == "worker")
        let hint = try #require(try asked.json["hint"] as? String)
        #expect(hint.hasPrefix("No worker takes requests at this moment."))
        #expect(hint.hasSuffix("triptych runs work PIPELINE"))
        let id = try #require(try asked.json["id"] as? String)
        #expect(try await server.get("/runs/" + id, as: caller).body == asked.body)
        let listed = try await server.get("/runs", as: caller).json["requests"]
        #expect((listed as? [[String: Any]])?.first?["hint"] as? String == hint)
        // A worker that stands ready, or is at another run, takes it next.
        let worker = try RunQueue(server.mart.folder).worker(now: 1)
        let waiting = try await server.get("/runs/" + id, as: caller).json
        #expect(waiting["waiting_for"] as? String == "turn" && waiting["hint"] is NSNull)
        let cancelled = try await server.ask(.post, "/runs/\(id)/cancel", as: caller).json
        #expect(cancelled["waiting_for"] is NSNull && cancelled["hint"] is NSNull)
        withExtendedLifetime(worker) {}
    }

    @Test func theServersOwnWorkerComesAgain() {
        #expect(RunWait.worker(isKept: true).hint?.contains("starts one again") == true)
        #expect(RunWait.worker(isKept: true).word == "worker")
    }

    @Test func aRunIsCalledOff() async throws {
        let server = try BackendUnderTest()
        let caller = try Self.caller()
        let id = try #require(try await Self.start(server, caller).json["id"] as? String)
        let cancelled = try await server.ask(.post, "/runs/\(id)/cancel", as: caller)
        #expect(cancelled.status == .ok)
        #expect(try cancelled.json["state"] as? String == "cancelled")
        // What is over stays as it is.
        let again = try await server.ask(.post, "/runs/\(id)/cancel", as: caller)
        #expect(again.body == cancelled.body)
        let queue = RunQueue(server.mart.folder)
        let writing = try #require(
            try await Self.start(server, caller, key: "two").json["id"] as? String
        )
        let worker = try #require(try queue.worker(now: 1))
        _ = try worker.next(now: 2)
        _ = try worker.beginWriting(writing)
        let late = try await server.ask(.post, "/runs/\(writing)/cancel", as: caller)
        #expect(late.status == .conflict)
        let shown = try await server.get("/runs/" + writing, as: caller)
        #expect((try shown.json["stage"] as? [String: Any])?["name"] as? String == "writing")
    }

    @Test func theAccountThatAsksOrCancelsIsOnRecordOnce() async throws {
        let mart = try PublishedMart().publish(seed: 1)
        let folder = IdentityFolder(path: mart.path + "/identity")
        let authentication = try await AuthenticationService(
            folder,
            issuer: "https://triptych.test",
            isDemo: true
        ) {
            5
        }
        let server = try BackendUnderTest(mart, now: 5, authentication: authentication)
        let caller = try Self.caller()
        let id = try #require(try await Self.start(server, caller).json["id"] as? String)
        _ = try await Self.start(server, caller)
        for _ in 0..<2 { _ = try await server.ask(.post, "/runs/\(id)/cancel", as: caller) }
        let entries = try authentication.record.read().entries
        #expect(entries.map(\.event) == [.runRequested, .runCancelled])
        #expect(entries.allSatisfy { $0.subject == id && $0.account == 7 })
    }

    @Test func aPlanInTheAddressIsRefused() async throws {
        let server = try BackendUnderTest()
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .idempotencyKey: "one",
        ]
        let answer = try await server.ask(
            .post,
            "/runs?plan=0a1b2c3d",
            as: Self.caller(),
            headers: headers,
            body: ""
        )
        #expect(answer.status == .badRequest)
        #expect(try RunQueue(server.mart.folder).all().isEmpty)
    }

    @Test(arguments: [Role.viewer, .administrator, .privacyOfficer])
    func otherRolesCannotAskForRuns(role: Role) async throws {
        let server = try BackendUnderTest()
        let caller = try Self.caller(role)
        #expect(try await Self.start(server, caller).status == .forbidden)
        #expect(try await server.get("/runs", as: caller).status == .forbidden)
        let path = "/runs/" + String(repeating: "0", count: 32)
        #expect(try await server.get(path, as: caller).status == .forbidden)
        #expect(try await server.ask(.post, path + "/cancel", as: caller).status == .forbidden)
        #expect(try RunQueue(server.mart.folder).all().isEmpty)
    }

    @Test func anAnalystOfSomeRegionsDoesNotDecideOnAll() async throws {
        let server = try BackendUnderTest()
        let caller = try Self.caller(regions: ["08"])
        #expect(try await Self.start(server, caller).status == .forbidden)
        #expect(try await server.get("/runs", as: caller).status == .forbidden)
    }

    @Test(arguments: [
        (nil, "", "idempotency_key_missing"), ("two words", "", "idempotency_key_missing"),
        (String(repeating: "k", count: 65), "", "idempotency_key_missing"),
        ("k", "plan=../../etc", "bad_parameter"), ("k", "plan=0A1B2C3D", "bad_parameter"),
        ("k", "plan=", "bad_parameter"),
        ("k", "force=1", "unknown_parameter"),
    ])
    func anUnreadableRequestIsRefused(key: String?, form: String, code: String) async throws {
        let server = try BackendUnderTest()
        let answer = try await Self.start(server, Self.caller(), key: key, form)
        #expect(answer.status == .badRequest)
        #expect(try answer.json["code"] as? String == code)
        #expect(try RunQueue(server.mart.folder).all().isEmpty)
    }

    @Test(arguments: ["0", "..", "%2e%2e", String(repeating: "z", count: 32)])
    func anUnknownRunIsNotFound(id: String) async throws {
        let server = try BackendUnderTest()
        #expect(try await server.get("/runs/" + id, as: Self.caller()).status == .notFound)
        let path = "/runs/\(id)/cancel"
        #expect(try await server.ask(.post, path, as: Self.caller()).status == .notFound)
    }

    @Test func twentyWaitAndNoMore() async throws {
        let server = try BackendUnderTest()
        for number in 0..<20 {
            let answer = try await Self.start(server, Self.caller(), key: "k\(number)")
            #expect(answer.status == .accepted)
        }
        let answer = try await Self.start(server, Self.caller(), key: "k20")
        #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "60")
    }
}
