import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

/// The lists of an answer as rows for spreadsheets, made of the same numbers.
@Suite struct AnswerFormatTests {
    private static let administrator = Caller(roles: [.administrator])
    private static let asCSV: HTTPFields = [.accept: "text/csv"]

    @Test(arguments: [
        ("", false), ("*/*", false), ("text/csv", true), ("TEXT/CSV ; q=1", true),
        ("text/*", true), ("text/csv, application/json", false), ("text/csv;q=0", false),
        ("application/json;q=0.5, text/csv", true), ("text/csv;q=0.5, application/json", false),
        ("text/csv, */*;q=0.1", true), ("text/csv;q=x", false), ("text/html,*/*;q=0.8", false),
        // Equal weights: what is named more exactly goes first.
        ("text/csv, */*", true), ("*/*, text/csv", true), ("text/*, */*", true),
        ("application/json, */*", false), ("text/csv, application/*", true),
        ("text/csv;q=0.9, */*", false), ("text/csv;q=0.001, */*;q=0", true),
        ("text/csv;q=0, */*", false), ("application/json;q=0, */*", true),
        // Weights that RFC 9110 does not have weigh nothing.
        ("text/csv;q=inf, application/json", false), ("text/csv;q=infinity", false),
        ("text/csv;q=nan", false), ("text/csv;q=2, application/json;q=0.5", false),
        ("text/csv;q=1.001", false), ("text/csv;q=0.1234", false), ("text/csv;q=-1", false),
        ("text/csv;q=1e0", false), ("text/csv;q=0x1", false), ("text/csv;q=", false),
        ("text/csv;q=.5", false), ("text/csv;q=1.000", true), ("text/csv;q=1.", true),
        ("text/csv;q=0.5, application/json;q=0.499", true),
    ])
    func theSenderSaysWhetherItIsCSV(accept: String, isCSV: Bool) {
        let request = Request(
            head: HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: "/kpi",
                headerFields: [.accept: accept]
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
        #expect(AnswerFormat(request) == (isCSV ? .csv : .json))
    }

    /// The rows of an answer in CSV: each its cells by the names of their columns.
    ///
    /// No text of these marts has a comma or a quote.
    private static func rows(_ answer: BackendUnderTest.Answer) throws -> [[String: String]] {
        #expect(answer.headers[.contentType] == "text/csv; charset=utf-8; header=present")
        #expect(answer.body.hasSuffix("\r\n") && !answer.body.contains("\""))
        let lines = answer.body.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let names = try #require(lines.first)
        return try lines.dropFirst().map { cells in
            try #require(cells.count == names.count)
            return Dictionary(uniqueKeysWithValues: zip(names, cells))
        }
    }

    /// Whether a cell says what a member of JSON does.
    private static func isSame(_ cell: String?, _ member: Any?) -> Bool {
        switch (cell, member) {
        case ("", is NSNull): true
        case ("true", let truth as Bool): truth
        case ("false", let truth as Bool): !truth
        case (let cell?, let text as String): cell == text
        case (let cell?, let number as NSNumber): Double(cell) == number.doubleValue
        default: false
        }
    }

    @Test(
        arguments: [
            ("/kpi", "", "by_month"), ("/kpi", "by=trip_type", "by_trip_type"),
            ("/kpi", "by=region", "by_region"), ("/kpi", "by=region&month=2026-03", "by_region"),
            ("/months", "", "months"), ("/trip-types", "", "trip_types"),
            ("/regions", "", "regions"),
        ]
    )
    func rowsAreTheObjectsOfTheList(path: String, query: String, name: String) async throws {
        let server = try BackendUnderTest()
        let asked = query.split(separator: "&").filter { !$0.hasPrefix("by=") }
        for caller in [Self.administrator, .someViewer] {
            let json = try await server.get(
                path + (asked.isEmpty ? "" : "?" + asked.joined(separator: "&")),
                as: caller
            ).json
            let objects = try #require(json[name] as? [[String: Any]])
            let rows = try Self.rows(
                try await server.get(
                    path + (query.isEmpty ? "" : "?" + query),
                    as: caller,
                    headers: Self.asCSV
                )
            )
            #expect(rows.count == objects.count && !rows.isEmpty)
            for (row, object) in zip(rows, objects) {
                #expect(Set(object.keys).isSubset(of: row.keys))
                for (name, value) in object { #expect(Self.isSame(row[name], value), "\(name)") }
                #expect(row["generation"] == "1")
            }
        }
    }

    @Test func whatIsHiddenIsAnEmptyCellAndMarked() async throws {
        let server = try BackendUnderTest()
        for path in ["/kpi?by=region", "/kpi/trends"] {
            let rows = try Self.rows(try await server.get(path, headers: Self.asCSV))
            let hidden = rows.filter { $0["suppressed"] == "true" }
            #expect(!hidden.isEmpty && hidden.allSatisfy { $0.values.contains("") })
        }
    }

    @Test func everyRowIsOfOneKindSoThatAColumnIsTheTotal() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get("/kpi", as: Self.administrator).json
        let total = try #require(json["total"] as? [String: Any])
        for rows in ["month", "trip_type", "region", "basis"] {
            let answer = try await server.get(
                "/kpi?by=" + rows,
                as: Self.administrator,
                headers: Self.asCSV
            )
            let trips = try Self.rows(answer).compactMap { $0["trips"].flatMap { Int($0) } }
            #expect(trips.reduce(0, +) == total["trips"] as? Int, "\(rows)")
        }
    }

    @Test func trendsHaveARowForEachMonthOfAGroup() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get("/kpi/trends", as: Self.administrator).json
        let months = try #require(json["months"] as? [String])
        for (rows, list) in [("region", "regions"), ("trip_type", "trip_types")] {
            let answer = try await server.get(
                "/kpi/trends?by=" + rows,
                as: Self.administrator,
                headers: Self.asCSV
            )
            let found = try Self.rows(answer)
            let groups = try #require(json[list] as? [[String: Any]])
            #expect(found.count == groups.count * months.count)
            for (index, row) in found.enumerated() {
                let (group, place) = (groups[index / months.count], index % months.count)
                #expect(row[rows] == group[rows] as? String && row["month"] == months[place])
                for name in ["trips", "in_house_pct", "cost_per_trip_cents"] {
                    let series = try #require(group[name] as? [Any])
                    #expect(Self.isSame(row[name], series[place]), "\(name)")
                }
            }
        }
    }

    @Test func theColumnsOfPartsSumToTheChanges() async throws {
        let server = try BackendUnderTest()
        let months = "from=2026-01&to=2026-04"
        let json = try await server.get("/kpi/why?" + months, as: Self.administrator).json
        let share = try #require(json["in_house"] as? [String: Any])
        let cost = try #require(json["contracted_cost"] as? [String: Any])
        for rows in ["region", "trip_type"] {
            let found = try Self.rows(
                try await server.get(
                    "/kpi/why?\(months)&by=\(rows)",
                    as: Self.administrator,
                    headers: Self.asCSV
                )
            )
            for (name, change) in [
                ("hundredths", share["change_hundredths"]), ("cents", cost["change_cents"]),
            ] {
                let parts = found.compactMap { $0[name].flatMap { Int($0) } }
                #expect(parts.count == found.count && !parts.isEmpty)
                #expect(parts.reduce(0, +) == change as? Int, "\(rows) \(name)")
            }
            #expect(found.allSatisfy { $0["suppressed"] == "false" && $0["label"] != "" })
        }
    }

    @Test func theNextPageOfAListIsLinked() async throws {
        let server = try BackendUnderTest()
        let json = try await server.get("/trips?region=08", as: Self.administrator).json
        var (path, refs) = ("/trips?region=08&limit=30" as String?, [String]())
        while let asked = path {
            let answer = try await server.get(asked, as: Self.administrator, headers: Self.asCSV)
            #expect(answer.headers[.cacheControl] == "no-store")
            // One that begins with a minus has an apostrophe before it, for spreadsheets.
            refs += try Self.rows(answer).compactMap { row in
                row["ref"].map { $0.hasPrefix("'") ? String($0.dropFirst()) : $0 }
            }
            let link = answer.headers.first { $0.name.canonicalName == "link" }?.value
            if let link { #expect(link.hasPrefix("</trips?") && link.hasSuffix(">; rel=\"next\"")) }
            path = link.map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(refs.count == json["total"] as? Int && Set(refs).count == refs.count)
        let first = try #require(json["trips"] as? [[String: Any]]).compactMap { $0["ref"] }
        #expect(first.compactMap { $0 as? String } == Array(refs.prefix(first.count)))
    }

    @Test func eitherFormatHasATagOfItsOwn() async throws {
        let server = try BackendUnderTest()
        for path in ["/kpi", "/kpi/trends", "/months", "/regions", "/trips?limit=2"] {
            let json = try await server.get(path, as: Self.administrator)
            let csv = try await server.get(path, as: Self.administrator, headers: Self.asCSV)
            #expect(json.headers[.vary] == "Accept-Encoding, Accept")
            #expect(csv.headers[.vary] == "Accept-Encoding, Accept")
            let tag = try #require(csv.headers[.eTag])
            #expect(json.headers[.eTag] != tag)
            let known: HTTPFields = [.accept: "text/csv", .ifNoneMatch: tag]
            let again = try await server.get(path, as: Self.administrator, headers: known)
            #expect(again.status == .notModified)
            let other: HTTPFields = [.ifNoneMatch: tag]
            #expect(
                try await server.get(path, as: Self.administrator, headers: other).status == .ok
            )
        }
    }

    @Test func rowsAreChosenForCSVAlone() async throws {
        let server = try BackendUnderTest()
        for (path, isCSV, name) in [
            ("/kpi?by=region", false, "by"), ("/kpi?since=1", true, "since"),
            ("/kpi?by=class", true, "by"), ("/kpi/trends?by=month", true, "by"),
            ("/kpi/why?from=2026-01&to=2026-04&by=basis", true, "by"),
            ("/months?by=month", true, "by"),
        ] {
            let answer = try await server.get(path, headers: isCSV ? Self.asCSV : [:])
            #expect(answer.status == .badRequest && answer.headers[.contentType] != "text/csv")
            #expect(try answer.json["parameter"] as? String == name)
        }
    }

    /// Bases have no suppressed numbers.
    @Test func basesAreForThoseWhoSeeEveryNumber() async throws {
        let server = try BackendUnderTest()
        let answer = try await server.get("/kpi?by=basis", headers: Self.asCSV)
        #expect(answer.status == .forbidden)
        let bound = Caller(roles: [.administrator], regions: ["08"], seesNationalTotals: true)
        for (path, status) in [
            ("/kpi?by=basis", HTTPResponse.Status.forbidden), ("/kpi?by=basis&region=08", .ok),
        ] {
            #expect(try await server.get(path, as: bound, headers: Self.asCSV).status == status)
        }
    }
}
