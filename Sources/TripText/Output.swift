import Glibc
import Synchronization
import TripDomain

/// The two streams of a command, written whole lines at a time, by both programs.
///
/// A line that could not be written is never passed over: the command then ends with 74 instead of
/// with success. A reader that has closed the pipe, such as `head`, is no error.
public enum Output {
    /// One of the streams.
    public enum Stream: Int32, Sendable {
        /// Answers and results.
        case standardOutput = 1
        /// Details, warnings and errors.
        case standardError = 2
    }

    /// The status of a command whose output could not be written: that of a failing system.
    private static let failureStatus: Int32 = 74
    /// Statuses of a command that did all it was asked to: 0, and 10 with warnings.
    private static let successes: Set<Int32> = [0, 10]

    /// The system's number of the first error in writing the answer; 0 where there was none.
    private static let fault = Atomic<Int32>(0)

    /// Prepares the streams; called first of all.
    ///
    /// A stream that the caller closed is opened the wrong way round, so that writing into it
    /// fails. Otherwise the next file to be opened would get its number, and a line meant for the
    /// terminal would be written into a file of the mart.
    public static func prepare() {
        for (descriptor, flags) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(Int32(descriptor), F_GETFD) < 0 {
            // The lowest free number is given, which is this one.
            _ = open("/dev/null", flags)
        }
        // A file that may not grow further is a write error, like a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Writes a text and a line end.
    ///
    /// Unseen characters in names and ids are shown as code points, not written as they are: a file
    /// name must not be able to forge a line or to control a terminal.
    ///
    /// - Parameters:
    ///   - text: One line or several; line ends and tabs stay.
    ///   - stream: Where it goes.
    public static func line(_ text: String, to stream: Stream = .standardOutput) {
        write(UnseenCharacters.named(in: text, keeping: "\n\t") + "\n", to: stream)
    }

    /// Writes a text as it is.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - stream: Where it goes.
    public static func write(_ text: String, to stream: Stream) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.write(stream.rawValue, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                awaitRoom(in: stream)
                continue
            }
            guard count > 0 else { return note(count < 0 ? errno : EIO, of: stream) }
            start += count
        }
    }

    /// Whether a stream is a terminal.
    ///
    /// - Parameter stream: The stream.
    /// - Returns: False for files and pipes.
    public static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    /// Closes the streams and ends the program.
    ///
    /// - Parameter status: How the command ended. Where it succeeded and its output could not be
    ///   written, the program ends with 74 and a sentence instead.
    public static func leave(_ status: Int32) -> Never {
        // Some file systems tell only now that a block could not be written.
        if close(Stream.standardOutput.rawValue) != 0, errno != EBADF {
            note(errno, of: .standardOutput)
        }
        let number = fault.load(ordering: .relaxed)
        guard number != 0, successes.contains(status) else { exit(status) }
        line(
            "The output could not be written (\(String(cString: strerror(number)))): what was "
                + "printed is not all there is. What the command did otherwise stands. Make room "
                + "for the output, or write it elsewhere, and run the command again.",
            to: .standardError
        )
        exit(failureStatus)
    }

    private static func note(_ number: Int32, of stream: Stream) {
        // A reader that closed the pipe wants no more.
        guard number != EPIPE else { return }
        // Without stderr there is nowhere to tell; a caller that closed it does not want to know.
        guard stream == .standardOutput || number != EBADF else { return }
        // The first error is the one to tell.
        _ = fault.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }

    /// Waits until a stream that does not block, as some terminals, takes more.
    private static func awaitRoom(in stream: Stream) {
        var wanted = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&wanted, 1, -1)
    }
}
