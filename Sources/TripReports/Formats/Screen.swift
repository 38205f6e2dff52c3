import TripDomain

/// What an answer is shown on, and how wide its lines may be.
public struct Screen: Sendable {
    /// The width where no terminal says another: a file, a pipe, the mail of a nightly run.
    public static let usualWidth = 100
    /// The width of tables that the list of runs keeps, so that they fit any screen later.
    static let keptWidth = 80
    /// Below this width nothing can be laid out; the terminal then breaks the lines itself.
    private static let leastWidth = 40

    /// The greatest width of a line, in columns.
    let width: Int
    /// Whether the command that shows it knows `--wide`.
    let hasWideFlag: Bool

    /// Describes a screen.
    ///
    /// - Parameters:
    ///   - width: Its columns; nil where lines may be as long as they like.
    ///   - hasWideFlag: Whether the command that shows it knows `--wide`.
    public init(width: Int?, hasWideFlag: Bool = true) {
        self.width = width.map { max($0, Self.leastWidth) } ?? Int.max
        self.hasWideFlag = hasWideFlag
    }

    /// A screen of the width where no terminal says another.
    public static let usual = Screen(width: usualWidth)

    /// The same screen for lines that are moved to the right.
    func indented(by columns: Int) -> Screen {
        Screen(width: width == Int.max ? nil : width - columns, hasWideFlag: hasWideFlag)
    }

    /// The same screen of a command that does not know `--wide`.
    public var withoutWideFlag: Screen {
        Screen(width: width == Int.max ? nil : width, hasWideFlag: false)
    }

    /// Lines as one text, each broken at words where it is too long.
    ///
    /// - Parameter lines: The lines; commands in them stay whole.
    /// - Returns: The text, without a line end.
    public func text(_ lines: [String]) -> String {
        lines.flatMap(fitted).joined(separator: "\n")
    }

    /// One line, in as many as it needs.
    func fitted(_ line: String) -> [String] {
        // A stored text may have several lines in one.
        let lines = line.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.flatMap { line in
            let line = UnseenCharacters.named(in: String(line))
            return TextFlow.lines(line, in: width)
        }
    }
}
