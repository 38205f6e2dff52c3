import Foundation
import Testing

/// One golden case: a shell script that uses the command, and its expected output.
///
///     Cases/<subject>/<number>/cmd        run by bash in an empty folder
///     Cases/<subject>/<number>/expected   exit status, stdout and stderr
///
/// Scripts find the checkout in `$ROOT` and the command on the path. Durations and folders differ
/// from run to run and are replaced before comparing.
struct CommandCase: Sendable, CustomTestStringConvertible {
    let path: String

    var testDescription: String { path }

    static let casesFolder = ShellScript.root + "/Tests/CommandTests/Cases"

    /// All cases, by path.
    static var all: [CommandCase] {
        // A folder that cannot be listed gives no case, and a test requires at least one.
        let subjects = (try? FileManager.default.contentsOfDirectory(atPath: casesFolder)) ?? []
        return subjects.sorted().flatMap { subject in
            // A folder that cannot be listed gives no case, and a test requires at least one.
            let numbers = try? FileManager.default.contentsOfDirectory(
                atPath: casesFolder + "/" + subject
            )
            return (numbers ?? []).sorted().map { CommandCase(path: subject + "/" + $0) }
        }
    }

    private var folder: String { Self.casesFolder + "/" + path }

    var expected: String {
        // A case without its expectation differs from any output.
        (try? String(contentsOfFile: folder + "/expected", encoding: .utf8)) ?? ""
    }

    /// Writes the actual output as the new expectation.
    func rewrite(_ actual: String) throws {
        try actual.write(toFile: folder + "/expected", atomically: true, encoding: .utf8)
    }

    /// Runs the script and returns status and output in the form of `expected`.
    func run() throws -> String {
        let script = try String(contentsOfFile: folder + "/cmd", encoding: .utf8)
        let ending = try ShellScript(script).run()
        return Self.normalised(
            "exit \(ending.status)\n--- stdout\n\(ending.output)--- stderr\n\(ending.errors)",
            ending
        )
    }

    private static func normalised(_ text: String, _ ending: ShellScript.Ending) -> String {
        var text = text.replacingOccurrences(of: ending.checkout, with: "$ROOT")
            .replacingOccurrences(of: ending.folder, with: "$WORK")
        for (pattern, replacement) in [
            ("[0-9,]+\\.[0-9] s\\b", "# s"), ("ended [0-9: +-]+Z?", "ended #"),
            ("[0-9,]+ records/s", "# records/s"),
            (": line [0-9]+: +[0-9]+ Terminated", ": Terminated"),
            ("process [0-9]+ on [^ :]+", "process # on HOST"),
        ] {
            text = text.replacingOccurrences(
                of: pattern,
                with: replacement,
                options: .regularExpression
            )
        }
        return text
    }
}
