import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripReports
import TripRuns

@testable import TripMart
@testable import TripServer

extension SumFile {
    /// Gives a published file that a test has altered the sums of its bytes, as a program that
    /// writes nonsense would; a file without sums stays without.
    static func renew(for path: String) throws {
        let sums = SumFile.path(for: path)
        guard FileSystem.exists(sums) else { return }
        try FileSystem.remove(sums)
        try write(for: path, to: sums)
    }
}

/// No value that a damaged file may hold ends the server, nor a command that reads the file.
@Suite struct DamagedValuesTests {
    /// What no run writes where another kind, or a smaller number, is meant.
    private static let values = [
        "NULL", "-9223372036854775808", "-1", "65536", "4294967296", "9223372036854775807", "1e308",
        "'x'", "x'00ff'",
    ]

    /// The values for the column of an index: in `make prove` all, else two of them in turn, so
    /// that every column is damaged, and every value comes in some columns.
    private static func values(forColumn index: Int) -> [String] {
        guard ProcessInfo.processInfo.environment["PROVE"] == nil else { return values }
        return [values[2 * index % values.count], values[(2 * index + 1) % values.count]]
    }

    /// A published file that takes any value in any column.
    private struct Loosened {
        let mart: PublishedMart
        let path: String
        private let bytes: Data

        init(
            _ name: (MartFolder) -> String,
            preparing: (MartFolder) throws -> Void = { _ in }
        ) throws {
            mart = try PublishedMart()
            // A second export, so that what is told of each is added up.
            let export = """
                Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner
                T-0-1,1/1/2026 10:10,08,BLS,100.25,VA

                """
            try Data(export.utf8).write(to: URL(fileURLWithPath: mart.path + "/in/trips_0.csv"))
            try mart.publish(seed: 1)
            try preparing(mart.folder)
            path = name(mart.folder)
            let connection = try RawConnection(path: path, mode: .create)
            try connection.execute(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';
                """
            )
            try connection.close()
            try SumFile.renew(for: path)
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        }

        /// All columns of all tables.
        func columns() throws -> [(table: String, column: String)] {
            let connection = try RawConnection(path: path, mode: .immutable)
            let rows = try connection.prepare(
                """
                SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid
                """
            )
            var columns: [(String, String)] = []
            while try rows.step() { columns.append((rows.text(0), rows.text(1))) }
            return columns
        }

        /// Damages one column, of all rows that can have the value.
        ///
        /// - Returns: Whether it is another file now.
        func damage(_ column: (table: String, column: String), _ value: String) throws -> Bool {
            try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
            let connection = try RawConnection(path: path, mode: .create)
            let sql = "UPDATE OR IGNORE \"\(column.table)\" SET \"\(column.column)\" = \(value)"
            // A number of a row is never a text.
            let isDone = (try? connection.execute(sql)) != nil
            try connection.close()
            try SumFile.renew(for: path)
            return try isDone && Data(contentsOf: URL(fileURLWithPath: path)) != bytes
        }
    }

    private static let callers = [
        Caller(roles: [.administrator]), .someViewer,
        Caller(roles: [.administrator], regions: ["20"], seesNationalTotals: true),
    ]

    /// What a server says of the mart, in place of which it may say that it cannot.
    ///
    /// - Returns: How many answers say what was asked.
    private static func answered(_ mart: PublishedMart, _ ref: String) async throws -> Int {
        let server: BackendUnderTest
        do {
            server = try BackendUnderTest(mart)
        } catch is MartError {
            // As where the file says that it belongs to another key.
            return 0
        }
        let known: Set<HTTPResponse.Status> = [
            .ok, .forbidden, .notFound, .unprocessableContent, .serviceUnavailable,
        ]
        var count = 0
        for path in [
            "/kpi", "/kpi?region=20&trip_type=BLS", "/kpi?from=2026-02&to=2026-04",
            "/kpi/why?from=2026-02&to=2026-04", "/trips",
            "/trips?region=20&limit=3", "/trip/" + ref, "/months", "/trip-types", "/regions",
            "/runs", "/readyz",
        ] {
            for caller in callers {
                let answer = try await server.get(path, as: caller)
                // A list that comes upon the damage is a fault of the server's, and has the file
                // inspected.
                let isList = path.hasPrefix("/trips") && answer.status == .internalServerError
                // A month to compare may seem to have no trips.
                let isMonth = path.hasPrefix("/kpi/why") && answer.status == .badRequest
                #expect(isList || isMonth || known.contains(answer.status), "\(path)")
                #expect(!answer.body.isEmpty)
                _ = try answer.json
                count += answer.status == .ok ? 1 : 0
            }
        }
        return count
    }

    /// Reads all that a command does; it may find the file damaged.
    private static func read(_ folder: MartFolder) throws {
        func attempt(_ work: (ServedMart) throws -> Void) throws {
            do { try work(ServedMart.open(folder)) } catch is MartError {}
        }
        try attempt { _ = try $0.cube() }
        try attempt { _ = try $0.basisCells() }
        try attempt { _ = try $0.kpi(KPIQuery(by: [.month, .tripType, .region])) }
        try attempt { mart in
            for month in try mart.months() { _ = mart.header.settleDate(of: month.month).text }
        }
        try attempt { _ = (try $0.regions(), try $0.tripTypes()) }
        try attempt { _ = try $0.rules() }
        try attempt { _ = (try $0.checks(), try $0.inputs()) }
        try attempt { _ = (try $0.exclusions(), try $0.clocks()) }
        try attempt { _ = try $0.files() }
        try attempt { _ = try $0.ledger() }
        try attempt { _ = try $0.bridge() }
        try attempt { _ = try $0.trip(id: "T-1-7") }
        try attempt { _ = try $0.rejectGroups() }
        try attempt { _ = try $0.rejects(limit: 10) }
    }

    private static func damageEverything(_ name: (MartFolder) -> String) async throws {
        let loosened = try Loosened(name)
        let mart = loosened.mart
        let ref = try #require(try MartKeys.open(keyFile: mart.martPath + ".key", for: mart.folder))
            .ref(ofTrip: "T-1-7").text
        let whole = try await answered(mart, ref)
        var (damagedCount, answeredCount) = (0, 0)
        let columns = try loosened.columns()
        for (index, column) in columns.enumerated() {
            for value in values(forColumn: index) where try loosened.damage(column, value) {
                damagedCount += 1
                answeredCount += try await answered(mart, ref)
                try read(mart.folder)
            }
        }
        // Most of what is asked of most files is answered: not the first look alone turns them
        // away.
        #expect(damagedCount > columns.count && answeredCount > damagedCount * whole / 4)
    }

    @Test func noneOfTheGenerationEndsTheServer() async throws {
        try await Self.damageEverything { $0.generationPath(1) }
    }

    @Test func noneOfTheSuppressedNumbersEndsTheServer() async throws {
        try await Self.damageEverything { $0.kpiPath(1) }
    }

    /// Nor does one of the list of runs, which the server and `runs` read.
    @Test func noneOfTheListOfRunsEndsWhatReadsIt() async throws {
        let loosened = try Loosened(\.runLogPath) { folder in
            for _ in 1...2 { try RunLog(folder).recordNight(command: "run") }
        }
        let mart = loosened.mart
        let queries = MartQueries(martPath: mart.martPath, keyPath: nil)
        let server = try BackendUnderTest(mart)
        var (damagedCount, answeredCount) = (0, 0)
        for column in try loosened.columns() where column.table == "run" {
            for value in Self.values where try loosened.damage(column, value) {
                damagedCount += 1
                let answer = try await server.get("/runs", as: Caller(roles: [.analyst]))
                #expect([.ok, .internalServerError].contains(answer.status), "\(column) \(value)")
                _ = try answer.json
                answeredCount += answer.status == .ok ? 1 : 0
                for format in OutputFormat.allCases {
                    do {
                        _ = RunsScreen(try queries.runs(limit: 10)).text(format, on: .usual)
                    } catch is MartError {}
                }
                for number in [.min, -1, 0, 1, 2, .max] {
                    do {
                        _ = RunsScreen(try queries.run(number)).details(on: .usual)
                    } catch is MartError {} catch is RunError {}
                }
            }
        }
        #expect(damagedCount > 50 && answeredCount > damagedCount / 4)
    }
}
