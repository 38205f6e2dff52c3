import Foundation
import Testing

/// Output that cannot be written, for every command of both programs: never a success.
@Suite struct OutputTests {
    /// A command by the words of its name, and the arguments it succeeds with.
    struct Command: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: String
        /// Whether it writes nothing but its answer, so that a limit on files is met by that alone.
        var isQuery = false

        var testDescription: String { name + " " + arguments }
    }

    private static let pipeline = "$ROOT/pipelines/minimal"
    private static let mart = "--mart mart"
    private static let run = "\(pipeline) \(mart) --input in"

    /// The commands of `triptych`; every one of them, as `thereIsNoOtherCommand` shows.
    static let commands: [Command] = [
        Command(name: "run", arguments: "\(run)"),
        Command(name: "run", arguments: "\(run) --dry-run"),
        Command(name: "run", arguments: "\(run) --full"),
        Command(name: "run", arguments: "\(run) --log-format json"),
        Command(name: "kpi", arguments: mart, isQuery: true),
        Command(name: "kpi", arguments: "\(mart) --by month --format csv", isQuery: true),
        Command(name: "kpi", arguments: "\(mart) --format json", isQuery: true),
        Command(name: "kpi", arguments: "\(mart) --worklist", isQuery: true),
        Command(name: "trips", arguments: "\(mart)", isQuery: true),
        Command(name: "explain", arguments: "\(mart) T-1", isQuery: true),
        Command(name: "check", arguments: "\(pipeline)", isQuery: true),
        Command(name: "check", arguments: "\(pipeline) --sql", isQuery: true),
        Command(name: "plan", arguments: "\(pipeline) \(mart)"),
        Command(name: "reclassify", arguments: "\(pipeline) \(mart) --yes"),
        Command(name: "diff", arguments: "\(mart) 1 2", isQuery: true),
        Command(name: "rejects list", arguments: mart, isQuery: true),
        Command(name: "rejects show", arguments: "\(mart) 1", isQuery: true),
        Command(name: "rollback", arguments: "1 \(mart)"),
        Command(name: "verify", arguments: "\(mart)"),
        Command(name: "emit", arguments: "\(pipeline) --dialect sqlite", isQuery: true),
        Command(name: "runs list", arguments: mart, isQuery: true),
        Command(name: "runs show", arguments: "1 \(mart)", isQuery: true),
        Command(name: "runs work", arguments: "\(pipeline) \(mart)"),
        Command(
            name: "report",
            arguments: "monthly-in-house \(mart) --reports $ROOT/reports --out out"
        ),
        Command(name: "init", arguments: "in/a.csv --out drafted"),
        Command(name: "generate", arguments: "--out generated --trips 10 --months 2"),
    ]

    /// The commands of a divided run, over the results of one.
    static let dividedCommands: [Command] = [
        Command(
            name: "shard plan",
            arguments: "\(pipeline) --mart other --files list --out p.json"
        ),
        Command(name: "map", arguments: "--plan work/plan.json --file 0 --key-file other.key -"),
        Command(
            name: "shard files",
            arguments: "--plan work/plan.json --results work/results --out files.json"
        ),
        Command(
            name: "resolve",
            arguments: "--plan work/plan.json --files work/results/files.json --part 0 --parts 1 -"
        ),
        Command(
            name: "import-cube",
            arguments:
                "--plan work/plan.json --results work/results --trips s3://trips --mart other"
        ),
    ]

    /// What they begin with: results, a list of files, and the frames of a part without a row.
    private static let dividedPreparation = """
        mkdir work
        python3 -B $ROOT/Tests/Shards/divided.py \(pipeline) --input in --mart other --work work \
            --dry-run >divided 2>&1
        echo "{\\"path\\": \\"a.csv\\", \\"size\\": $(wc -c <in/a.csv)}" >list
        echo '{"frame": "end", "rows": 0}' >part
        """

    /// The commands of `triptych-server` that end by themselves.
    static let serverCommands: [Command] = [
        Command(name: "user add", arguments: "mlopez --role viewer"),
        Command(name: "user passwd", arguments: "jsmith"),
        Command(name: "user email", arguments: "jsmith jsmith@agency.test"),
        Command(name: "user passkeys", arguments: "jsmith"),
        Command(name: "user roles", arguments: "jsmith --role viewer"),
        Command(name: "user disable", arguments: "jsmith"),
        Command(name: "user enable", arguments: "jsmith"),
        Command(name: "user sign-out", arguments: "jsmith"),
        Command(name: "user list", arguments: ""),
        Command(name: "key rotate", arguments: ""),
        Command(name: "audit verify", arguments: ""),
        Command(name: "audit report", arguments: ""),
        Command(name: "serve", arguments: "--check \(mart)"),
    ]

    /// It sets a damaged record aside, which none of these has: it fails before it prints.
    private static let silent = ["audit begin"]

    /// A mart of two generations with a reject, and accounts.
    private static let preparation = """
        set -u
        mkdir in
        (echo 'Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner'
        for n in $(seq 1 12); do echo "T-$n,10/1/2026 8:05,08,BLS,10.00,VA"; done
        echo 'T-20,10/1/2026 8:05,08,BLS,x,VA') >in/a.csv
        triptych run \(run) >first 2>&1
        echo 'T-21,10/2/2026 8:05,08,BLS,10.00,VA' >>in/a.csv
        triptych run \(run) >second 2>&1
        password() { printf 'a long way to the river'; }
        export TRIPTYCH_IDENTITY=people
        password | triptych-server user add jsmith --role administrator >account
        """

    /// Runs a command several times, each time where its output goes elsewhere, and gives a line
    /// with the statuses.
    private static func statuses(
        of words: String,
        _ outputs: [String],
        after more: String = ""
    ) throws -> (statuses: [String], errors: String) {
        let runs = outputs.map { output in
            "( \(output.replacingOccurrences(of: "COMMAND", with: words)) ) <<<'a long way home again'"
                + "\necho \"status $?\" >>statuses"
        }
        let ending = try ShellScript(
            preparation + "\n" + more + "\n" + runs.joined(separator: "\n") + "\ncat statuses"
        ).run()
        return (ending.output.split(separator: "\n").map(String.init), ending.errors)
    }

    @Test(arguments: commands)
    func aFullDeviceIsNoSuccess(_ command: Command) throws {
        let words = "triptych \(command.name) \(command.arguments)"
        let found = try Self.statuses(of: words, ["COMMAND >/dev/full"])
        #expect(found.statuses == ["status 74"], "\(found.errors)")
        #expect(found.errors.contains("The output could not be written (No space left on device)"))
    }

    /// The pipe of a task is more than its output: what reads it has ended.
    @Test(arguments: dividedCommands)
    func aFullDeviceIsNoSuccessOfADividedRun(_ command: Command) throws {
        let isTask = ["map", "resolve"].contains(command.name)
        let input = isTask ? command.name == "map" ? "<in/a.csv" : "<part" : ""
        let words = "triptych \(command.name) \(command.arguments) \(input)"
        let found = try Self.statuses(
            of: words,
            ["COMMAND >frames", "COMMAND >/dev/full"],
            after: Self.dividedPreparation
        )
        let status = isTask ? "status 73" : "status 74"
        #expect(found.statuses.last == status, "\(found.errors)")
        guard command.name != "import-cube" else { return }
        #expect(found.statuses == ["status 0", status], "\(found.errors)")
    }

    @Test(arguments: serverCommands)
    func aFullDeviceIsNoSuccessOfTheServer(_ command: Command) throws {
        let words = "triptych-server \(command.name) \(command.arguments)"
        let found = try Self.statuses(of: words, ["COMMAND >/dev/full"])
        #expect(found.statuses == ["status 74"], "\(found.errors)")
        #expect(found.errors.contains("The output could not be written (No space left on device)"))
    }

    @Test(arguments: commands.filter(\.isQuery))
    func aFileThatMayNotGrowIsNoSuccess(_ command: Command) throws {
        let words = "triptych \(command.name) \(command.arguments)"
        // The errors go through a pipe, which the limit does not concern.
        let limited = "set -o pipefail; (ulimit -f 0; COMMAND >limited) 2>&1 | cat >&2"
        let found = try Self.statuses(of: words, [limited, "COMMAND >&-"])
        #expect(found.statuses == ["status 74", "status 74"], "\(found.errors)")
        #expect(found.errors.contains("The output could not be written (File too large)"))
        #expect(found.errors.contains("The output could not be written (Bad file descriptor)"))
    }

    @Test(arguments: commands.filter(\.isQuery))
    func aReaderThatStopsIsNoFailure(_ command: Command) throws {
        let words = "triptych \(command.name) \(command.arguments)"
        // The reader has ended before the command begins to print.
        let found = try Self.statuses(
            of: words,
            [
                "COMMAND >/dev/null",
                "mkfifo gone; set -o pipefail; (read -r <gone; COMMAND) | (exec <&-; echo >gone)",
            ]
        )
        #expect(found.statuses[0] == found.statuses[1])
        #expect(!found.errors.contains("could not be written"), "\(found.errors)")
    }

    @Test(arguments: ["triptych", "triptych-server"])
    func helpAndVersionAreOutputToo(program: String) throws {
        for words in ["--help", "--version", "help"] {
            let found = try Self.statuses(of: "\(program) \(words)", ["COMMAND >/dev/full"])
            #expect(found.statuses == ["status 74"], "\(words): \(found.errors)")
        }
    }

    /// Without stdin, stdout and stderr, files of the mart get other numbers than those.
    @Test func aClosedStreamNeverLeadsIntoAFile() throws {
        let found = try Self.statuses(
            of: "triptych run \(Self.run) --full",
            ["COMMAND <&- >&- 2>&-", "COMMAND >out", "triptych kpi --mart mart >out"]
        )
        #expect(found.statuses == ["status 74", "status 0", "status 0"], "\(found.errors)")
    }

    @Test(arguments: [("triptych", commands), ("triptych-server", serverCommands)])
    func thereIsNoOtherCommand(program: String, commands: [Command]) throws {
        let ending = try ShellScript("\(program) --experimental-dump-help").run()
        let dump = try JSONDecoder().decode(Dump.self, from: Data(ending.output.utf8))
        let known = Set((commands + Self.dividedCommands).map(\.name) + Self.silent)
        #expect(Set(dump.command.leaves).subtracting(known) == [])
    }

    private struct Dump: Decodable {
        let command: Entry

        struct Entry: Decodable {
            let commandName: String
            let subcommands: [Entry]?

            /// The names of the commands below it that have none below them.
            var leaves: [String] {
                (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { entry in
                    entry.subcommands?.isEmpty ?? true
                        ? [entry.commandName]
                        : entry.leaves.map { entry.commandName + " " + $0 }
                }
            }
        }
    }
}
