import ArgumentParser
import Glibc
import TripDomain
import TripReports
import TripRuns
import TripText

/// How answers are shown: flags of every command that prints one.
struct ScreenOptions: ParsableArguments {
    @Flag(help: "Tables with all columns, however wide, and no line broken.")
    var wide = false

    @Flag(help: "Print at once, also where the answer is longer than the terminal.")
    var noPager = false

    /// Prints an answer for people.
    ///
    /// - Parameter text: Lays the answer out for a screen.
    func show(_ text: (Screen) throws -> String) rethrows {
        let text = try text(wide ? Screen(width: nil) : Terminal.screen(.standardOutput))
        let painted = Terminal.painted(text, for: .standardOutput)
        if !noPager, !wide, Terminal.page(painted, lineCount: text.utf8.count { $0 == 0x0A } + 1) {
            return
        }
        Output.write(painted + "\n", to: .standardOutput)
    }
}

/// What the two streams end at: a terminal of some width, or a file or pipe.
enum Terminal {
    /// The screen of a stream: as wide as `COLUMNS` says, or the terminal, or else 100 columns.
    static func screen(_ stream: Output.Stream) -> Screen {
        if let asked = environment("COLUMNS").flatMap(Int.init), asked > 0 {
            return Screen(width: asked)
        }
        let columns = size(of: stream).map { Int($0.ws_col) } ?? 0
        return columns > 0 ? Screen(width: columns) : .usual
    }

    /// A text with colors where the stream is a terminal that has them and the user wants them.
    static func painted(_ text: String, for stream: Output.Stream) -> String {
        let text = UnseenCharacters.named(in: text, keeping: "\n\t")
        return isColored(stream) ? StateColors.colored(text) : text
    }

    /// Prints lines for people, broken at words.
    static func lines(_ lines: [String], to stream: Output.Stream) {
        guard !lines.isEmpty else { return }
        Output.write(painted(screen(stream).text(lines), for: stream) + "\n", to: stream)
    }

    /// Draws progress on stderr.
    static var bar: @Sendable (WorkProgress) -> Void {
        ProgressBar.drawing(on: screen(.standardError))
    }

    /// `NO_COLOR` is what other programs read, too: <https://no-color.org>.
    private static func isColored(_ stream: Output.Stream) -> Bool {
        Output.isTerminal(stream) && environment("NO_COLOR") == nil
            && (environment("TERM") ?? "dumb") != "dumb"
    }

    private static func size(of stream: Output.Stream) -> winsize? {
        var size = winsize()
        guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return size
    }

    /// The value of a variable that is set to something.
    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: - The pager

    /// Shows a text in a pager where it is longer than the terminal.
    ///
    /// - Returns: Whether it was shown.
    static func page(_ text: String, lineCount: Int) -> Bool {
        guard Output.isTerminal(.standardOutput), Input.isTerminal,
            let rows = size(of: .standardOutput)?.ws_row, rows > 0, lineCount >= Int(rows),
            environment("TERM") != "dumb", let pager
        else { return false }
        // As git does: keep colors, leave the text on the screen.
        setenv("LESS", "FRX", 0)
        setenv("LESSCHARSET", "utf-8", 0)
        guard let pipe = popen(pager, "w") else { return false }
        // An interrupt is for the pager; the command ends with it.
        signal(SIGINT, SIG_IGN)
        fputs(text + "\n", pipe)
        let status = pclose(pipe)
        // The shell's statuses for a program that is not there, or cannot be run.
        return ![127, 126].contains(status >> 8)
    }

    /// The pager: `TRIPTYCH_PAGER`, else `PAGER`, else `less`; nil where one is set to nothing.
    private static var pager: String? {
        let asked = getenv("TRIPTYCH_PAGER") ?? getenv("PAGER")
        let command = asked.map { String(cString: $0) } ?? "less"
        return ["", "cat"].contains(command) ? nil : command
    }
}
