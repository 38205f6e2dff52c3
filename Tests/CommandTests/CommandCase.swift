import Foundation
import Testing

/// One golden case: a shell script that uses the command, and what it must print.
///
///     Cases/<subject>/<number>/cmd        run by bash in an empty folder
///     Cases/<subject>/<number>/expected   exit status, stdout and stderr
///
/// Scripts find the checkout in `$ROOT` and the command on the path. What differs from run to run is
/// replaced before comparing: durations, folders.
struct CommandCase: Sendable, CustomTestStringConvertible {
    let path: String

    var testDescription: String { path }

    /// The checkout.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")
    static let casesFolder = root + "/Tests/CommandTests/Cases"
    /// Where the command was built: beside the test bundle.
    static let binaryFolder = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().path

    /// All cases, by path.
    static var all: [CommandCase] {
        let subjects = (try? FileManager.default.contentsOfDirectory(atPath: casesFolder)) ?? []
        return subjects.sorted().flatMap { subject in
            // A folder that cannot be listed gives no case, and a test asks for at least one.
            let numbers = try? FileManager.default.contentsOfDirectory(
                atPath: casesFolder + "/" + subject)
            return (numbers ?? []).sorted().map { CommandCase(path: subject + "/" + $0) }
        }
    }

    private var folder: String { Self.casesFolder + "/" + path }

    var expected: String {
        (try? String(contentsOfFile: folder + "/expected", encoding: .utf8)) ?? ""
    }

    /// Writes what the command printed as what it must print from now on.
    func rewrite(_ actual: String) throws {
        try actual.write(toFile: folder + "/expected", atomically: true, encoding: .utf8)
    }

    /// Runs the script and returns status and output in the form of `expected`.
    func run() throws -> String {
        let work = FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-case-" + UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: work, withIntermediateDirectories: true)
        defer {
            // Kept on request; otherwise a folder that stays behind does no harm.
            if ProcessInfo.processInfo.environment["KEEP"] == nil {
                try? FileManager.default.removeItem(atPath: work)
            } else {
                print("kept \(path): \(work)")
            }
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [folder + "/cmd"]
        process.currentDirectoryURL = URL(fileURLWithPath: work)
        process.environment = [
            "PATH": Self.binaryFolder + ":/usr/local/bin:/usr/bin:/bin", "ROOT": Self.root,
            "HOME": work, "TRIPTYCH_NOW": "2026-11-01T06:14:00Z", "TRIPTYCH_THREADS": "2",
            "CASE": folder, "LC_ALL": "C.UTF-8",
        ]
        // Files, not pipes: a full pipe nobody reads would stop the command.
        let (out, err) = (work + "/.stdout", work + "/.stderr")
        for file in [out, err] { FileManager.default.createFile(atPath: file, contents: nil) }
        process.standardOutput = FileHandle(forWritingAtPath: out)
        process.standardError = FileHandle(forWritingAtPath: err)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let texts = try [out, err].map { try String(contentsOfFile: $0, encoding: .utf8) }
        return Self.normalised(
            "exit \(process.terminationStatus)\n--- stdout\n\(texts[0])--- stderr\n\(texts[1])",
            work: work)
    }

    private static func normalised(_ text: String, work: String) -> String {
        var text = text.replacingOccurrences(of: work, with: "$WORK")
            .replacingOccurrences(of: root, with: "$ROOT")
        for (pattern, replacement) in [
            ("[0-9,]+\\.[0-9] s\\b", "# s"), ("[0-9,]+ records/s", "# records/s"),
            ("process [0-9]+ on [^ :]+", "process # on HOST"),
        ] {
            text = text.replacingOccurrences(
                of: pattern, with: replacement, options: .regularExpression)
        }
        return text
    }
}
