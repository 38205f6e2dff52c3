import ArgumentParser
import CMalloc
import Glibc
import TripDomain
import TripReports
import TripRuns
import TripText

/// The batch processor: exports in, classified trips and KPIs out.
@main
struct Triptych: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triptych",
        abstract: "Ambulance trip exports in, classified trips and KPIs out.",
        discussion: """
            Your own export:    triptych init export.csv
            Nightly run:        triptych run pipelines/ambulance
            A number:           triptych kpi --by region
            A trip:             triptych explain TRIP
            A rule change:      triptych plan pipelines/ambulance, then triptych reclassify
            A changed number:   triptych diff
            Undo a run:         triptych rollback GENERATION
            Check a generation: triptych verify

            Answers fit the terminal, or 100 columns where there is none (COLUMNS says otherwise); \
            --wide shows all columns. A long answer opens in a pager (TRIPTYCH_PAGER, PAGER; \
            --no-pager). NO_COLOR turns colors off. Completion of words in the shell: triptych \
            --generate-completion-script bash (or zsh, fish).

            Exit codes: 0 published or nothing due, 10 with warnings, 11 withheld by a check, \
            12 ledger imbalance, 13 verify mismatch, 14 plan outdated, 15 faults found, 2 usage, \
            65 no usable input, 66 a file is overdue or missing, 71 out of memory, \
            73/74 cannot write or read, 75 locked, 78 pipeline or key wrong, 130/143 stopped. See docs/OPERATIONS.md.
            """,
        version: ProgramVersion.text,
        subcommands: [
            RunCommand.self, KPICommand.self, TripsCommand.self, ExplainCommand.self,
            CheckCommand.self, PlanCommand.self, ReclassifyCommand.self, DiffCommand.self,
            RejectsCommand.self, RollbackCommand.self, VerifyCommand.self, RunsCommand.self,
            ReportCommand.self, ImportCubeCommand.self, EmitCommand.self,
            InitCommand.self, GenerateCommand.self,
            ShardCommand.self, MapCommand.self, ResolveCommand.self,
        ]
    )

    /// The arguments, with a trip ref that begins with a dash moved behind all flags.
    ///
    /// The argument parser would take such a ref for a flag.
    private static func arguments(_ words: ArraySlice<String>) -> [String] {
        let isOfRefs = words.first == "explain" && !words.contains("--")
        let refs = words.filter { word in
            // The shortest ref is that of a trip id of one letter; no flag is as long.
            isOfRefs && word.hasPrefix("-") && word.utf8.count >= 22
                && word.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
                }
        }
        guard let ref = refs.first, refs.count == 1 else { return Array(words) }
        return words.filter { $0 != ref } + ["--", ref]
    }

    /// Makes the C library give large pieces of memory back to the system when they are freed.
    ///
    /// By default the library keeps a freed piece in the expectation of more such requests: 50 MiB
    /// in a run over 10 million trips, 2026-11. It should keep the columns of a batch, 2 MiB and
    /// less: requested from the system with every batch, they cost a tenth of a run's reading time
    /// in page faults.
    private static func returnFreedMemory() {
        let pieceSize: Int32 = 4 << 20
        mallopt(M_MMAP_THRESHOLD, pieceSize)
        mallopt(M_TRIM_THRESHOLD, pieceSize)
    }

    /// Prints a text of the argument parser: help, which it has broken itself, or an error.
    private static func show(_ text: String, isHelp: Bool) {
        let stream: Output.Stream = isHelp ? .standardOutput : .standardError
        let lines = UsageText.lines(of: text, on: Terminal.screen(stream))
        guard isHelp else { return Terminal.lines(lines, to: stream) }
        Output.line(lines.joined(separator: "\n"), to: stream)
    }

    static func main() {
        Output.prepare()
        StopSignals.install()
        // A run's files are not for all accounts of the machine.
        umask(0o027)
        returnFreedMemory()
        let words = CommandLine.arguments.dropFirst()
        let fault =
            ArgumentText.refusal ?? CommandNames(Self.self).fault(words)
            ?? RepeatedOptions.fault(words)
        if let fault {
            Terminal.lines(["Error: " + fault], to: .standardError)
            Glibc.exit(ExitStatus.usage.rawValue)
        }
        do {
            var command = try parseAsRoot(Self.arguments(words))
            try CommandEnding.requireCryptography()
            try command.run()
            Output.leave(ExitStatus.published.rawValue)
        } catch let ending as CommandEnding {
            ending.leave()
        } catch {
            let text = fullMessage(for: error)
            let isHelp = exitCode(for: error) == .success
            if !text.isEmpty { show(text, isHelp: isHelp) }
            if !isHelp, let hint = KnownWords.hint(to: text) {
                Output.line(hint, to: .standardError)
            }
            Output.leave(isHelp ? 0 : ExitStatus.usage.rawValue)
        }
    }
}

extension CommandNames {
    /// The names of a command and of its own commands.
    fileprivate init(_ command: any ParsableCommand.Type) {
        self.init(
            command.configuration.commandName ?? Self.name(ofType: "\(command)"),
            command.configuration.subcommands.map { CommandNames($0) }
        )
    }
}
