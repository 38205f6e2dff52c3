import Glibc
import TripCrypto
import TripReports
import TripRuns
import TripText

/// How a command ends: the lines it prints and its status.
struct CommandEnding: Error {
    let summary: String
    let details: [String]
    let status: ExitStatus
    /// Whether people read the details, so that long lines are broken.
    var isForPeople = true

    /// Ends with success or failure of a run.
    init(_ ending: RunSession.Ending, logFormat: LogFormat, now: Int64) {
        summary = ending.text.summary
        details = logFormat == .text ? ending.textDetails : ending.jsonDetails(now: now)
        status = ending.status
        isForPeople = logFormat == .text
    }

    /// Does some work and turns its error into an ending.
    static func catching(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch let ending as CommandEnding {
            throw ending
        } catch {
            throw CommandEnding(failure: error)
        }
    }

    /// Answers queries to a mart; where the served generation is damaged, the answer comes from
    /// the one before, and the command ends with a warning.
    static func answering(
        _ mart: MartOptions,
        _ answer: (MartQueries) throws -> Void
    ) throws {
        try catching {
            let queries = mart.queries
            do {
                try answer(queries)
            } catch {
                throw failure(error, queries)
            }
            guard let note = queries.fallback.note, let ways = try queries.waysOut() else {
                return
            }
            throw CommandEnding(
                status: .publishedWithWarnings,
                details: FallbackScreen(note, ways, queries).lines
            )
        }
    }

    /// The ending of an error; where another generation than the served one gave it, that comes
    /// with it: what is looked for may stand in the damaged one.
    private static func failure(
        _ error: any Error,
        _ queries: MartQueries
    ) -> CommandEnding {
        let ending = error as? CommandEnding ?? CommandEnding(failure: error)
        // Without the ways out the first error is still the one to report.
        guard let note = queries.fallback.note, let ways = try? queries.waysOut() else {
            return ending
        }
        return CommandEnding(
            status: ending.status,
            details: ending.details + FallbackScreen(note, ways, queries).lines
        )
    }

    /// Ends with an error of a query: the first line names the error, the others the remedy.
    init(failure error: any Error) {
        let failure = Failure(error)
        let text = FailureScreen(failure).text
        // A program that reads stdout expects the answer and nothing else.
        summary = ""
        details = [text.summary] + text.details
        status = failure.status
    }

    /// Ends where the system's cryptography library lacks what the program needs.
    static func requireCryptography() throws {
        do throws(CryptoFault) {
            try Libcrypto.check()
        } catch {
            let failure = Failure(
                status: .badPipeline,
                summary: "the system's OpenSSL cannot be used",
                what: ["Nothing was read or written (\(error.code.rawValue))."],
                remedies: [error.remedy]
            )
            throw CommandEnding(failure: failure)
        }
    }

    /// Ends with a status after the answer was printed.
    init(status: ExitStatus, details: [String] = []) {
        summary = ""
        self.details = details
        self.status = status
    }

    /// Prints the lines and exits.
    func leave() -> Never {
        // After a failure the summary comes first; after a success it comes last.
        let isFailure = status.rawValue >= 11 || status.rawValue == 1
        if isFailure { printSummary() }
        if isForPeople {
            Terminal.lines(details, to: .standardError)
        } else {
            for line in details { Output.line(line, to: .standardError) }
        }
        if !isFailure { printSummary() }
        Output.leave(status.rawValue)
    }

    /// Prints the result: one line for a program, broken at words on a terminal.
    private func printSummary() {
        guard !summary.isEmpty else { return }
        guard Output.isTerminal(.standardOutput), isForPeople else {
            return Output.line(summary, to: .standardOutput)
        }
        Terminal.lines([summary], to: .standardOutput)
    }
}

/// The answers of the user at a terminal.
enum Input {
    /// Whether stdin is a terminal.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks a question; every answer but yes is no.
    static func confirms(_ question: String) -> Bool {
        Output.write(question, to: .standardOutput)
        let answer = readLine()?.lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }
}

/// Exits at once when the process is told to stop, with one line on stdout.
///
/// Half-written files are never served, so nothing has to be undone.
enum StopSignals {
    static func install() {
        // The parent process may have blocked these signals, as threads of a pool do.
        var stops = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGINT)
        sigaddset(&stops, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &stops, nil)
        signal(SIGINT) { _ in StopSignals.leave(130) }
        signal(SIGTERM) { _ in StopSignals.leave(143) }
        signal(SIGPIPE, SIG_IGN)
        FaultSignals.install()
    }

    /// Makes only calls that are safe inside a signal handler.
    private static func leave(_ status: Int32) -> Never {
        let text: StaticString = "STOPPED | what is served is whole, old or new | by a signal\n"
        _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
        _exit(status)
    }
}
