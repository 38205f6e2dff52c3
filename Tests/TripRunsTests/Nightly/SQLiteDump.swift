import Foundation

@testable import TripRuns

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
    static func execute(_ path: String, _ sql: String) throws {
        _ = try shell([path, sql])
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
