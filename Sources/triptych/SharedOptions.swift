public import ArgumentParser
import Glibc
import TripDomain
import TripMart
public import TripReports
import TripRuns
import TripText

/// The mart and its key: flags of every command.
struct MartOptions: ParsableArguments {
    @Option(help: "The mart's folder. [env: TRIPTYCH_MART] (default: data/mart)")
    var mart: String?

    @Option(help: "The key file. [env: TRIPTYCH_KEY_FILE] (default: the mart's path + .key)")
    var keyFile: String?

    /// Whether a flag or the environment names the mart.
    var isNamed: Bool { mart != nil || Environment.text("MART") != nil }

    var martPath: String { mart ?? Environment.text("MART") ?? MartFolder.usualPath }
    var keyPath: String? { keyFile ?? Environment.text("KEY_FILE") }
    var queries: MartQueries { MartQueries(martPath: martPath, keyPath: keyPath) }
}

/// How many lines an answer may have.
enum LineLimit {
    static func check(_ limit: Int) throws {
        guard (1...100_000).contains(limit) else {
            throw ValidationError("--limit must lie between 1 and 100000.")
        }
    }
}

/// The format of an answer.
struct FormatOptions: ParsableArguments {
    @Option(help: "table, json or csv. [env: TRIPTYCH_FORMAT] (default: table)")
    var format: OutputFormat?

    @OptionGroup var screen: ScreenOptions

    func validate() throws {
        if format == nil, let text = Environment.text("FORMAT"), OutputFormat(rawValue: text) == nil
        {
            throw ValidationError("TRIPTYCH_FORMAT must be table, json or csv; it is '\(text)'.")
        }
    }

    var chosen: OutputFormat {
        format ?? Environment.text("FORMAT").flatMap(OutputFormat.init) ?? .table
    }

    /// Prints an answer: laid out for the screen as a table, and as it is in other formats.
    ///
    /// - Parameters:
    ///   - text: The answer in a format.
    ///   - cut: What a limit left out of it. A table says so itself; programs that read the answer
    ///     must not take it for the whole, so there it stands in the error stream.
    func show(_ text: (OutputFormat, Screen) throws -> String, cut: String? = nil) rethrows {
        guard chosen == .table else {
            Output.line(try text(chosen, .usual), to: .standardOutput)
            if let cut { Output.line(cut, to: .standardError) }
            return
        }
        try screen.show { try text(.table, $0) }
    }
}

/// The names of the author and the approver of edits.
struct ApprovalOptions: ParsableArguments {
    @OptionGroup var author: AuthorOptions

    @Option(help: "The approver of the edits; stored with the generation.")
    var approvedBy: String?

    func validate() throws { try AuthorOptions.check(approvedBy, "--approved-by") }

    func name(in options: inout RunOptions) {
        options.madeBy = author.name
        options.approvedBy = approvedBy
    }
}

/// The name of the author of edits.
struct AuthorOptions: ParsableArguments {
    @Option(help: "The author of the edits. [env: TRIPTYCH_MADE_BY] (default: the account)")
    var madeBy: String?

    var name: String { madeBy ?? Environment.text("MADE_BY") ?? Self.account }

    func validate() throws {
        try Self.check(madeBy, "--made-by")
        try Self.check(Environment.text("MADE_BY"), "TRIPTYCH_MADE_BY")
    }

    /// Checks a name: tables and lists show it on one line.
    static func check(_ name: String?, _ flag: String) throws {
        guard let name else { return }
        let isName = name.unicodeScalars.contains { !$0.properties.isWhitespace }
        // Characters that break the line or that make two names look alike are refused.
        let unseen: Set<Unicode.GeneralCategory> = [
            .control, .format, .lineSeparator, .paragraphSeparator,
        ]
        let isLine = name.unicodeScalars.allSatisfy {
            !unseen.contains($0.properties.generalCategory)
        }
        guard isName, isLine, name.utf8.count <= 200 else {
            throw ValidationError(
                "\(flag) must be a name: one line of at most 200 bytes, without unseen characters."
            )
        }
    }

    /// The name of the account the process runs as.
    static var account: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
            return "account \(geteuid())"
        }
        return String(cString: name)
    }
}

/// How many threads work.
struct ThreadOptions: ParsableArguments {
    @Option(help: "Threads. [env: TRIPTYCH_THREADS] (default: the machine's processors)")
    var threads: Int?

    var count: Int {
        let asked = threads ?? Environment.text("THREADS").flatMap(Int.init)
        return asked ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    func validate() throws {
        guard (1...256).contains(count) else {
            throw ValidationError("--threads must lie between 1 and 256.")
        }
        if threads == nil, let text = Environment.text("THREADS"), Int(text) == nil {
            throw ValidationError("TRIPTYCH_THREADS must be a number; it is '\(text)'.")
        }
    }
}

/// The folder of reference files: a flag of commands that read a pipeline folder.
struct ReferenceOptions: ParsableArguments {
    @Option(help: "Reference files. [env: TRIPTYCH_REFERENCE] (default: data/reference)")
    var reference: String?

    /// Whether a flag or the environment names the folder.
    var isNamed: Bool { reference != nil || Environment.text("REFERENCE") != nil }

    var path: String {
        reference ?? Environment.text("REFERENCE") ?? RunOptions.usualReferencePath
    }
}

/// The folder of exports: a flag of commands that read them.
struct InputOptions: ParsableArguments {
    @Option(help: "The folder of exports. [env: TRIPTYCH_INPUT] (default: data/landing)")
    var input: String?

    var path: String { input ?? Environment.text("INPUT") ?? RunOptions.usualInputPath }
}

/// Threads and time of a run: flags of every command that computes something.
struct WorkOptions: ParsableArguments {
    @OptionGroup var threading: ThreadOptions

    @Option(
        help: ArgumentHelp(
            "The time of the run, for tests: YYYY-MM-DDTHH:MM:SSZ.",
            visibility: .hidden
        )
    )
    var now: String?

    /// The options of a run or query.
    ///
    /// - Parameters:
    ///   - mart: The mart it works on.
    ///   - pipeline: The pipeline folder; empty where it reads none.
    ///   - reference: Where reference files lie.
    ///   - input: Where exports lie.
    /// - Returns: The options.
    func runOptions(
        _ mart: MartOptions,
        pipeline: String = "",
        reference: String = RunOptions.usualReferencePath,
        input: String = ""
    ) -> RunOptions {
        var options = RunOptions(
            pipelinePath: pipeline,
            martPath: mart.martPath,
            inputPath: input,
            referencePath: reference,
            now: nowSeconds
        )
        options.keyPath = mart.keyPath
        options.threadCount = threading.count
        return options
    }

    func validate() throws {
        if let text = now ?? Environment.text("NOW"), RunClock.seconds(text) == nil {
            throw ValidationError("--now must be a time such as 2026-11-01T06:14:00Z.")
        }
    }

    var nowSeconds: Int64 {
        let asked = now ?? Environment.text("NOW")
        return asked.flatMap(RunClock.seconds) ?? RunClock.current()
    }
}

/// The form of what a command prints on stderr.
struct LogOptions: ParsableArguments {
    @Option(help: "text or json: the form of the details on stderr.")
    var logFormat: LogFormat = .text

    /// A progress bar on a terminal; none where a program reads stderr.
    var progress: Progress { Progress(isProgressShown ? Terminal.bar : nil) }

    /// The progress of a query: a bar on a terminal.
    static var terminalProgress: Progress {
        Progress(Output.isTerminal(.standardError) ? Terminal.bar : nil)
    }

    var isProgressShown: Bool { Output.isTerminal(.standardError) && logFormat == .text }

    /// Ends a command.
    func ending(_ ending: RunSession.Ending, _ work: WorkOptions) -> CommandEnding {
        CommandEnding(ending, logFormat: logFormat, now: work.nowSeconds)
    }
}

/// The form of the details on stderr.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

extension OutputFormat: ExpressibleByArgument {}

/// Every flag is also an environment variable: `--key-file` is `TRIPTYCH_KEY_FILE`.
enum Environment {
    static func text(_ name: String) -> String? {
        guard let value = getenv("TRIPTYCH_" + name) else { return nil }
        guard let text = String(validatingCString: value) else {
            Terminal.lines(
                ["Error: " + ArgumentText.refusal(of: "TRIPTYCH_" + name)],
                to: .standardError
            )
            exit(ExitStatus.usage.rawValue)
        }
        return text.isEmpty ? nil : text
    }
}
