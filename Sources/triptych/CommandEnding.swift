import Glibc
import TripCrypto
import TripReports
import TripRuns

/// How a command ends: the lines it prints and its status.
struct CommandEnding: Error {
    let summary: String
    let details: [String]
    let status: ExitStatus

    /// Ends with success or failure of a run.
    init(_ ending: RunSession.Ending, logFormat: LogFormat, now: Int64) {
        summary = ending.text.summary
        details = logFormat == .text ? ending.textDetails : ending.jsonDetails(now: now)
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

    /// Ends with a status after all lines were printed.
    init(status: ExitStatus) {
        summary = ""
        details = []
        self.status = status
    }

    /// Prints the lines and exits.
    func leave() -> Never {
        // After a failure the summary comes first; after a success it comes last.
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
    /// Control characters in names and ids are shown as escapes, not written as they are: a file
    /// name must not be able to forge a line or to control a terminal.
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
            // A reader that has closed the pipe, such as `head`, is no error.
            guard count > 0 else { return }
            start += count
        }
    }

    /// Whether a stream is a terminal.
    static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }
}

/// The answers of the user at a terminal.
enum Input {
    /// Whether stdin is a terminal.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks a question; every answer but yes is no.
    static func confirms(_ question: String) -> Bool {
        let bytes = Array(question.utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
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
        // A file that may not grow further is a write error, like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // After a fault of the program itself, Swift's own report would show registers and memory,
        // and so parts of records. The system's report names the fault and nothing else.
        for fault in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] { signal(fault, SIG_DFL) }
    }

    /// Makes only calls that are safe inside a signal handler.
    private static func leave(_ status: Int32) -> Never {
        let text: StaticString = "STOPPED | what is served is whole, old or new | by a signal\n"
        _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
        _exit(status)
    }
}

extension Unicode.GeneralCategory {
    /// Whether a scalar is a control character and shows nothing itself.
    fileprivate var isControl: Bool { self == .control }
}
