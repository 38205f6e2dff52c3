import ArgumentParser
import Glibc
import TripRuns

/// The batch processor: exports in, classified trips and KPIs out.
@main
struct Triptych: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triptych",
        abstract: "Ambulance trip exports in, classified trips and KPIs out.",
        discussion: """
            A night:        triptych run pipelines/ambulance
            A number:       triptych kpi --by region
            A trip:         triptych explain TRIP
            A rule change:  triptych plan pipelines/ambulance, then triptych reclassify
            A moved number: triptych diff
            A bad night:    triptych rollback GENERATION
            A doubt:        triptych verify

            Exit codes: 0 published or nothing due, 10 with warnings, 11 withheld by a check, \
            12 ledger imbalance, 13 verify mismatch, 14 plan outdated, 15 faults found, 2 usage, 65 no usable input, 66 a file is \
            overdue or missing, 73/74 cannot write or read, 75 locked, 78 pipeline or key wrong, \
            130/143 stopped. See docs/OPERATIONS.md.
            """,
        version: ProgramVersion.text,
        subcommands: [
            RunCommand.self, KPICommand.self, TripsCommand.self, ExplainCommand.self,
            CheckCommand.self, PlanCommand.self, ReclassifyCommand.self, DiffCommand.self,
            RejectsCommand.self, RollbackCommand.self, VerifyCommand.self, RunsCommand.self,
            ReportCommand.self,
            GenerateCommand.self,
        ]
    )

    static func main() {
        StopSignals.install()
        // Nothing a run writes is for everybody on the machine.
        umask(0o027)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let ending as CommandEnding {
            ending.leave()
        } catch {
            let text = fullMessage(for: error)
            let isHelp = exitCode(for: error) == .success
            if !text.isEmpty { Output.line(text, to: isHelp ? .standardOutput : .standardError) }
            Glibc.exit(isHelp ? 0 : ExitStatus.usage.rawValue)
        }
    }
}
