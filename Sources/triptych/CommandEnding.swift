import Glibc
import TripCrypto
import TripRuns

/// How a command ends: what it says and its status.
struct CommandEnding: Error {
    let summary: String
    let details: [String]
    let status: ExitStatus

    /// Ends with success or failure of a run.
    init(_ ending: NightSession.Ending, logFormat: LogFormat, now: Int64) {
        summary = ending.summary
        details =
            logFormat == .text
            ? (ending.isPlanShown || ending.plan.isEmpty ? [] : ending.plan + [""])
                + ending.details
            : ending.jsonDetails(now: now)
        status = ending.status
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

    /// Ends with an error of a query: the first line says what, the rest what to do.
    init(failure error: any Error) {
        let failure = Failure(error)
        let screen = FailureScreen(failure)
        // Whoever reads stdout expects an answer there and nothing else.
        summary = ""
        details = [screen.summary] + screen.details
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

    /// Ends with a status after everything was said.
    init(status: ExitStatus) {
        summary = ""
        details = []
        self.status = status
    }

    /// Says it and leaves.
    func leave() -> Never {
        // The line that says what failed comes first, the line that says what was done comes last.
        let isFailure = status.rawValue >= 11 || status.rawValue == 1
        if isFailure, !summary.isEmpty { Output.line(summary, to: .standardOutput) }
        for line in details { Output.line(line, to: .standardError) }
        if !isFailure, !summary.isEmpty { Output.line(summary, to: .standardOutput) }
        exit(status.rawValue)
    }
}

/// The two streams, written whole lines at a time.
enum Output {
    /// One of the streams.
    enum Stream: Int32 {
        case standardOutput = 1
        case standardError = 2
    }

    /// Writes a text and a line end.
    ///
    /// Control characters that came in with names or ids are shown, not obeyed: a file name must not
    /// be able to forge a line or to drive a terminal.
    static func line(_ text: String, to stream: Stream) {
        let isHarmless = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || !scalar.properties.generalCategory.isControl
        }
        let shown =
            isHarmless
            ? text
            : text.unicodeScalars.map { scalar in
                scalar != "\n" && scalar != "\t" && scalar.properties.generalCategory.isControl
                    ? scalar.escaped(asASCII: true) : String(scalar)
            }.joined()
        let bytes = Array((shown + "\n").utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                write(stream.rawValue, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            // A reader that has gone away, such as `head`, is no error.
            guard count > 0 else { return }
            start += count
        }
    }

    /// Whether somebody watches a stream.
    static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }
}

/// What somebody at a terminal says.
enum Input {
    /// Whether somebody is there.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks a question; anything but yes is no.
    static func confirms(_ question: String) -> Bool {
        let bytes = Array(question.utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        let answer = readLine()?.lowercased() ?? ""
        return ["y", "yes"].contains(answer)
    }
}

/// Stops at once and says so: nothing half-done is ever served, so there is nothing to undo.
enum StopSignals {
    static func install() {
        // Whoever started us may have blocked them, as threads of a pool do.
        var stops = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGINT)
        sigaddset(&stops, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &stops, nil)
        signal(SIGINT) { _ in StopSignals.leave(130) }
        signal(SIGTERM) { _ in StopSignals.leave(143) }
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow further is an error of the write, like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // After a fault of the program itself, Swift's own report would show registers and memory,
        // and so parts of records. The system's report says which fault it was, and no more.
        for fault in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] { signal(fault, SIG_DFL) }
    }

    /// Only calls that are safe inside a signal handler.
    private static func leave(_ status: Int32) -> Never {
        let text: StaticString = "STOPPED | what is served is whole, old or new | by a signal\n"
        _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
        _exit(status)
    }
}

extension Unicode.GeneralCategory {
    /// Whether a scalar does something rather than show something.
    fileprivate var isControl: Bool { self == .control }
}
