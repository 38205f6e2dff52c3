import Foundation
import TestSupport
import Testing
import TripDomain

@testable import TripMart
@testable import TripRuns

/// A folder with a pipeline, exports and a mart of its own, removed when the test is over.
final class RunFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-night-" + UUID().uuidString).path
        for folder in ["in", "pipeline", "reference"] {
            try FileManager.default.createDirectory(
                atPath: path + "/" + folder,
                withIntermediateDirectories: true
            )
        }
    }

    deinit {
        // A folder that remains does no harm.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    func options(
        _ adjust: (inout RunOptions) -> Void = { _ in }
    ) -> RunOptions {
        var options = RunOptions(
            pipelinePath: path + "/pipeline",
            martPath: path + "/mart",
            inputPath: path + "/in",
            referencePath: path + "/reference",
            now: 1_793_513_640
        )
        adjust(&options)
        return options
    }

    @discardableResult
    func run(_ adjust: (inout RunOptions) -> Void = { _ in }) throws -> RunReport {
        try NightlyRun(options: options(adjust), progress: Progress()).perform()
    }

    /// A generation as sorted text: every table, rows in order, without values that differ by run.
    func dump() throws -> [String] {
        let folder = MartFolder(path: path + "/mart")
        let served = try ServedMart.open(folder)
        let excluded = ["generation", "check_result", "meta", "patient"]
        return try SQLiteDump.lines(served.file.path, excluding: excluded)
    }
}

/// The minimal pipeline with a field for corrections and an order taken from the file name.
enum RunPipeline {
    static func text(replaces: String = "same_path") -> String {
        MinimalPipeline.text.replacing(
            "trips: {files: \"*.csv*\"}",
            with: "trips: {files: \"**/*.csv*\", order: \"trips_(\\\\d+)\", replaces: \(replaces)"
                + (replaces == "period" ? ", period: \"trips_(\\\\d)\"" : "") + "}"
        )
    }

    /// Checks that take the place of the built-in ones, for exports of a few odd records.
    static let lenient = """

        checks:
          - {id: rejects, warn_if: "reject_pct > 100"}
          - {id: undetermined, warn_if: "undetermined_pct > 100"}
        """

    static let header = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner\n"

    static func line(
        _ id: Int,
        day: Int = 5,
        month: Int = 5,
        cost: String = "10.00",
        owner: String = "VA"
    ) -> String {
        "T-\(id),\(month)/\(day)/2026 10:00,08,BLS,\(cost),\(owner)\n"
    }
}

/// Compresses with the system's gzip, which shares no code with the reader.
enum GzipText {
    static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
        process.arguments = ["-nc"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The inputs of these tests fit the pipe's buffer.
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }
}

/// A SQLite file as sorted text, by the sqlite3 shell, which shares no code with the program.
enum SQLiteDump {
    static func lines(_ path: String, excluding tables: [String]) throws -> [String] {
        let names = try query(
            path,
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        )
        return try names.filter { !tables.contains($0) && !$0.isEmpty }.flatMap { name in
            // Sealed values differ by design: their nonces are random.
            let columns = try query(path, "SELECT name FROM pragma_table_info('\(name)')")
                .filter { !$0.isEmpty && !$0.hasPrefix("sealed") }
                .map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
            return try query(path, "SELECT \(columns) FROM \"\(name)\"").sorted()
                .map { "\(name): \($0)" }
        }
    }

    /// Changes a finished file without the program.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - sql: The statements.
    ///   - keepsSums: Whether its check sums stay those of the bytes before.
    /// - Throws: Any error of the shell or the sums.
    static func execute(_ path: String, _ sql: String, keepsSums: Bool = false) throws {
        _ = try shell([path, sql])
        if !keepsSums { try SumFile.renew(for: path) }
    }

    static func query(_ path: String, _ sql: String) throws -> [String] {
        try shell(["file:\(path)?mode=ro&immutable=1", sql])
    }

    private static func shell(_ arguments: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

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
