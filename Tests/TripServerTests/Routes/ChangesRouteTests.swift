import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct ChangesRouteTests {
    private static let administrator = Caller(roles: [.administrator])

    /// A server over two generations, and what led from the first to the second.
    private static func server() throws -> BackendUnderTest {
        let mart = try PublishedMart().publish(seed: 1).publish(seed: 2)
        try mart.saveChanges()
        return try BackendUnderTest(mart)
    }

    private static func changes(
        _ server: BackendUnderTest,
        _ query: String,
        as caller: Caller = administrator
    ) async throws -> [String: Any]? {
        let answer = try await server.get("/kpi/changes" + query, as: caller)
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
        #expect(try answer.json.keys.contains("changes"))
        return try answer.json["changes"] as? [String: Any]
    }

    private static func sum(_ causes: [[String: Any]], _ name: String) throws -> Int {
        try causes.reduce(0) { try $0 + #require($1[name] as? Int) }
    }

    /// The same change as that of `since`, which compares the totals.
    @Test(
        arguments: ["", "?month=2026-03", "?region=08", "?from=2026-02&to=2026-05&trip_type=BLS"]
    )
    func theCausesSumExactlyToTheChange(query: String) async throws {
        let server = try Self.server()
        let changes = try #require(try await Self.changes(server, query))
        let since = try #require(
            try await server.get(
                "/kpi" + (query.isEmpty ? "?" : query + "&") + "since=1",
                as: Self.administrator
            ).json["since"] as? [String: Any]
        )
        let causes = try #require(changes["causes"] as? [[String: Any]])
        #expect(!causes.isEmpty)
        for name in ["trips", "cost_cents", "contracted_cost_cents"] {
            #expect(try Self.sum(causes, name) == since[name] as? Int, "\(name)")
        }
        let points = try #require(since["in_house_pct"] as? NSNumber).doubleValue
        let hundredths = try Self.sum(causes, "in_house_hundredths")
        #expect(abs(Double(hundredths) - points * 100) < 0.5)
        let (from, to) = (changes["from"] as? [String: Any], changes["to"] as? [String: Any])
        let ends = try (
            #require(from?["trips"] as? Int), #require(to?["trips"] as? Int)
        )
        #expect(try ends.0 + Self.sum(causes, "trips") == ends.1)
        #expect(from?["generation"] as? Int == 1)
    }

    /// The second export has other trips of the same days.
    @Test func lateTripsAreACause() async throws {
        let server = try Self.server()
        let changes = try #require(try await Self.changes(server, ""))
        let causes = try #require(changes["causes"] as? [[String: Any]])
        #expect(causes.contains { $0["kind"] as? String == "late" })
        let rows = try await server.get(
            "/kpi/changes",
            as: Self.administrator,
            headers: [.accept: "text/csv"]
        )
        let lines = rows.body.split(separator: "\r\n")
        #expect(lines.count == causes.count + 1)
        #expect(lines.first?.hasPrefix("kind,cause,trips,in_house_hundredths,") == true)
    }

    /// A file of CSV tells apart what JSON does: nothing has moved, or it is not known what has.
    @Test func rowsOfCSVTellNothingFromNotKnown() async throws {
        func rows(
            _ server: BackendUnderTest,
            as caller: Caller,
            _ query: String = ""
        ) async throws -> [Substring] {
            let answer = try await server.get(
                "/kpi/changes" + query,
                as: caller,
                headers: [.accept: "text/csv"]
            )
            #expect(answer.status == .ok)
            return Array(answer.body.split(separator: "\r\n").dropFirst())
        }
        let unsaved = try BackendUnderTest(try PublishedMart().publish(seed: 1).publish(seed: 2))
        let saved = try Self.server()
        for (server, caller) in [(unsaved, Self.administrator), (saved, Caller.someViewer)] {
            let found = try await rows(server, as: caller)
            #expect(found.count == 1 && found[0].hasPrefix("unknown,,,,,,2,"), "\(found)")
        }
        #expect(try await rows(saved, as: Self.administrator).count > 0)
        #expect(try await rows(saved, as: Self.administrator, "?month=2031-01") == [])
    }

    /// The difference of two generations may be a single trip.
    @Test func theyAreForThoseWhoSeeEveryNumber() async throws {
        let server = try Self.server()
        #expect(try await Self.changes(server, "", as: .someViewer) == nil)
        let bound = Caller(roles: [.administrator], regions: ["08"])
        let own = try #require(try await Self.changes(server, "", as: bound))
        let asked = try #require(try await Self.changes(server, "?region=08"))
        let (first, second) = (own["to"] as? [String: Any], asked["to"] as? [String: Any])
        #expect(first?["trips"] as? Int == second?["trips"] as? Int)
        let national = Caller(roles: [.administrator], regions: ["08"], seesNationalTotals: true)
        #expect(try await Self.changes(server, "", as: national) == nil)
        let answer = try await server.get("/kpi/changes?region=10", as: bound)
        #expect(answer.status == .badRequest)
    }

    @Test func whereNoneAreSavedThereAreNone() async throws {
        let mart = try PublishedMart().publish(seed: 1).publish(seed: 2)
        let server = try BackendUnderTest(mart)
        #expect(try await Self.changes(server, "") == nil)
        try mart.saveChanges()
        #expect(try await Self.changes(server, "") != nil)
        // The next night has causes of its own.
        try mart.publish(seed: 3)
        server.refresh()
        #expect(try await Self.changes(server, "") == nil)
    }

    private static let declared =
        "{paid: {mean: cost}, own: {count: \"owner = 'VA'\", label: Own}, middle: {median: cost}}"

    /// The measures that a pipeline declares, at both ends: what `/kpi` answered then and now.
    @Test(arguments: ["", "?month=2026-03", "?region=08", "?month=2031-01"])
    func declaredMeasuresStandBesideTheCauses(query: String) async throws {
        let mart = try PublishedMart(measures: Self.declared).publish(seed: 1)
        let before = try await BackendUnderTest(mart).get("/kpi" + query, as: Self.administrator)
        try mart.publish(seed: 2).saveChanges()
        let server = try BackendUnderTest(mart)
        let after = try await server.get("/kpi" + query, as: Self.administrator)
        let changes = try #require(try await Self.changes(server, query))
        let measures = try #require(changes["measures"] as? [[String: Any]])
        let ends = try [before, after].map { answer in
            let total = try #require(try answer.json["total"] as? [String: Any])
            return try #require(total["measures"] as? [[String: Any]])
        }
        #expect(measures.count == 3)
        for (measure, (then, now)) in zip(measures, zip(ends[0], ends[1])) {
            #expect(measure["name"] as? String == now["name"] as? String)
            #expect(measure["comparison"] as? String == "same")
            let pairs = [
                ("before", then, "value"), ("after", now, "value"),
                ("before_known_trips", then, "known_trips"),
                ("after_known_trips", now, "known_trips"),
            ]
            for (name, end, key) in pairs {
                #expect(measure[name] as? NSNumber == end[key] as? NSNumber, "\(measure)")
            }
            let values = ["before", "after"].map { (measure[$0] as? NSNumber)?.intValue }
            let change = values[0].flatMap { old in values[1].map { $0 - old } }
            #expect((measure["change"] as? NSNumber)?.intValue == change)
        }
        func texts(_ key: String) -> [String] { measures.compactMap { $0[key] as? String } }
        #expect(texts("amount") == ["cents", "whole", "cents"])
        #expect(texts("label") == ["mean paid", "Own", "median middle"])
    }

    /// A row for each measure has its values in columns of its own, after all others.
    @Test func aRowOfCSVForEachMeasure() async throws {
        let mart = try PublishedMart(measures: Self.declared).publish(seed: 1).publish(seed: 2)
        try mart.saveChanges()
        let server = try BackendUnderTest(mart)
        func lines(as caller: Caller) async throws -> [Substring] {
            let headers: HTTPFields = [.accept: "text/csv"]
            return try await server.get("/kpi/changes", as: caller, headers: headers)
                .body.split(separator: "\r\n")
        }
        let found = try await lines(as: Self.administrator)
        let json = try #require(try await Self.changes(server, ""))
        let causes = try #require(json["causes"] as? [[String: Any]])
        #expect(found.count == 1 + causes.count + 3)
        let columns = found[0].split(separator: ",")
        #expect(
            columns.suffix(6) == [
                "comparison", "before", "after", "change", "before_known_trips",
                "after_known_trips",
            ]
        )
        let fields = found.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(fields.allSatisfy { $0.count == columns.count })
        for row in fields[1...causes.count] { #expect(row.suffix(6).joined() == "") }
        let measures = try #require(json["measures"] as? [[String: Any]])
        for (row, measure) in zip(fields.suffix(3), measures) {
            #expect(row[0] == "measure" && row[1] == measure["name"] as? String ?? "")
            // It adds nothing to the causes.
            #expect(row[2..<6].joined() == "")
            #expect(Int(row[10]) == measure["before"] as? Int)
            #expect(Int(row[11]) == measure["after"] as? Int)
        }
        // A condition may hold for any subset of the trips.
        let viewed = try await lines(as: .someViewer)
        #expect(viewed.count == 2 && !viewed[0].contains("comparison"), "\(viewed)")
        #expect(try await Self.changes(server, "", as: .someViewer) == nil)
    }

    /// Of a reader of some regions the measures are those of these.
    @Test func measuresOfSomeRegionsAreTheirOwn() async throws {
        let mart = try PublishedMart(measures: Self.declared).publish(seed: 1).publish(seed: 2)
        try mart.saveChanges()
        let server = try BackendUnderTest(mart)
        let bound = Caller(roles: [.administrator], regions: ["08"])
        let own = try #require(try await Self.changes(server, "", as: bound))
        let asked = try #require(try await Self.changes(server, "?region=08"))
        let whole = try #require(try await Self.changes(server, ""))
        func values(_ changes: [String: Any]) throws -> [NSNumber?] {
            try #require(changes["measures"] as? [[String: Any]]).flatMap { measure in
                ["before", "after", "change", "before_known_trips", "after_known_trips"].map {
                    measure[$0] as? NSNumber
                }
            }
        }
        #expect(try values(own) == values(asked))
        #expect(try values(own) != values(whole))
        let national = Caller(roles: [.administrator], regions: ["08"], seesNationalTotals: true)
        #expect(try await Self.changes(server, "", as: national) == nil)
    }

    @Test func withoutDeclarationsThereAreNoMeasures() async throws {
        let server = try Self.server()
        for accept in ["application/json", "text/csv"] {
            let headers: HTTPFields = [.accept: accept]
            let answer = try await server.get(
                "/kpi/changes",
                as: Self.administrator,
                headers: headers
            )
            #expect(!answer.body.contains("measure") && !answer.body.contains("comparison"))
        }
    }
}
