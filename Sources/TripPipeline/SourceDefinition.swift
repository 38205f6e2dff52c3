public import TripEngine

/// Where exports of one kind come from and how they are read.
public struct SourceDefinition: Sendable {
    /// What a later file withdraws.
    public enum Replacement: String, Sendable, CaseIterable {
        /// The earlier content of the same path.
        case samePath = "same_path"
        /// Every earlier file of the same period.
        case period
        /// Nothing.
        case nothing
    }

    /// What decides which of two records is later.
    public enum Order: Sendable {
        /// The path without `.csv` and `.gz`.
        case path
        /// What a pattern captures from the file's name.
        case name(Pattern)
        /// A text field of the record.
        case field(String)
    }

    /// How often a file is expected.
    public enum Rhythm: String, Sendable, CaseIterable {
        /// Every day.
        case daily
        /// Every week.
        case weekly
        /// Every month.
        case monthly

        /// The days after which the next file is overdue.
        public var days: Int {
            switch self {
            case .daily: 1
            case .weekly: 7
            case .monthly: 31
            }
        }
    }

    /// What a file that cannot be read means for the run.
    public enum RefusalPolicy: String, Sendable, CaseIterable {
        /// Publish without it, with a warning.
        case skip
        /// Publish nothing.
        case withhold
    }

    /// What a column no field uses means for the file.
    public enum UnknownColumnPolicy: String, Sendable, CaseIterable {
        /// The file is refused.
        case refuse
        /// The column is not read.
        case ignore
    }

    /// How the header's names are compared with the declared ones.
    public enum HeaderCase: String, Sendable, CaseIterable {
        /// Letters of another case are other letters.
        case mind
        /// The case of a to z does not matter.
        case ignore
    }

    /// Its name.
    public var name: String
    /// Which files below the input folder belong to it; a pattern claims gzip files as well.
    public var globs: [String]
    /// Where these patterns stand in the pipeline.
    public var globsPosition: LocatedText
    /// How its text is divided into records and cells.
    public var dialect: CSVDialect
    /// The number of physical lines before the header.
    public var preambleLines = 0
    /// Whether the header's names may differ from the declared ones in the case of letters.
    public var ignoresHeaderCase = false
    /// The layouts its files may have.
    public var layouts: [LayoutDefinition]
    /// How its records, lines of claims, are joined into trips; nil where each record is one.
    public var lines: ClaimLineDefinition?
    /// Where the kind of its lines is named.
    var lineKindPosition: LocatedText?
    /// Where lines are declared that do not say which claims are voids.
    public var silentLinesPosition: LocatedText?
    /// What decides which of two records is later.
    public var order: Order
    /// What a later file withdraws.
    public var replaces: Replacement
    /// Captures a file's period from its name, for `replaces: period`.
    public var period: Pattern?
    /// How often a file is expected; nil where none is.
    public var expects: Rhythm?
    /// What a file that cannot be read means for the run.
    public var onRefusedFile: RefusalPolicy
    /// What a column no field uses means for the file.
    public var unknownColumns: UnknownColumnPolicy
    /// Seconds that must have passed since a file was last written to before it is read.
    public var settleSeconds: Int64
    /// How far a compressed file may expand.
    public var expansion: ExpansionLimits
    /// How many records of a file may be set aside.
    public var rejects: RejectLimits

    /// A pattern without the `*` it ends in; nil where it does not end so, or where that `*` does
    /// not follow an ending such as `.csv`.
    ///
    /// `*.csv*` was once advised for plain and gzip files. `*.csv` claims the same exports.
    ///
    /// - Parameter pattern: A pattern of `files`.
    /// - Returns: The narrower pattern.
    public static func withoutLastStar(_ pattern: String) -> String? {
        guard pattern.utf8.last == UInt8(ascii: "*") else { return nil }
        var plain = Substring(pattern)
        while plain.utf8.last == UInt8(ascii: "*") { plain.removeLast() }
        let name = plain.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
        return name.contains(UInt8(ascii: ".")) ? String(plain) : nil
    }
}
