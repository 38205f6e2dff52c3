public import TripDomain
public import TripEngine
public import TripRules

/// The contents of a pipeline folder, read and checked for form; expressions are still text.
public struct PipelineDefinition: Sendable {
    /// Whether a run publishes edits of a part, or only `reclassify` does.
    public enum ChangePolicy: String, Sendable, CaseIterable {
        /// A run classifies as the published generation does, and reports the edit.
        case hold
        /// A run publishes the edit.
        case apply
    }

    /// Who must approve edits before they are published.
    public enum ApprovalPolicy: String, Sendable, CaseIterable {
        /// The person who publishes them.
        case publisher
        /// A second person, other than the author of the plan.
        case dualControl = "second_person"
    }

    /// How often a trip id may occur in the exports.
    public enum TripIDs: String, Sendable, CaseIterable {
        /// Any number of times: a trip may be sent again, and the accepted version is found.
        case versioned
        /// Once in all exports; a trip id that occurs again withholds publication.
        case unique
    }

    /// A derived field: a name, an expression, and where it is written.
    public struct DerivedField: Sendable {
        /// Its name in rules and tables.
        public let name: String
        /// Its expression.
        public let expression: LocatedText
    }

    /// Labels for the values of a dimension, from a reference file.
    public struct LabelSource: Sendable {
        /// The reference file.
        public let file: String
        /// The column with the value.
        public let valueColumn: String
        /// The column with the label.
        public let labelColumn: String
    }

    /// The pipeline's name; a mart belongs to one.
    public var name: String
    /// The zone of time stamps whose station has no zone of its own.
    public var timeZone: String
    /// The lookup column that holds a station's own zone, such as `site.time_zone`.
    public var zoneLookup: (lookup: String, column: String)?
    /// Whether edits of rules wait for `reclassify`.
    public var ruleChanges: ChangePolicy
    /// Whether edits of reference files wait for `reclassify`.
    public var referenceChanges: ChangePolicy
    /// Who must approve edits before they are published.
    public var approval: ApprovalPolicy
    /// How often a trip id may occur in the exports.
    public var tripIDs: TripIDs
    /// Where exports come from.
    public var sources: [SourceDefinition]
    /// The reference files joined to trips.
    public var lookups: [LookupDefinition]
    /// The position of each look-up in the files, by name.
    public var lookupPositions: [String: LocatedText]
    /// The look-ups that state themselves that their rows hold for ever.
    public var undatedLookups: Set<String>
    /// Fields computed from others, in order.
    public var derived: [DerivedField]
    /// The rules, in order.
    public var rules: [RuleText]
    /// The decisions made by hand; nil where the pipeline names no list of them.
    public var overrides: OverrideFile?
    /// What is counted, summed and suppressed.
    public var kpis: KPIDefinition
    /// The checks before publication.
    public var checks: [CheckDefinition]
    /// Labels per dimension: `region`, `trip_type`.
    public var labels: [String: LabelSource]
    /// The files of the folder that were read, in order of reading.
    public var files: [PipelineFile]
    /// The stored columns of all declared fields, in order of first declaration.
    public var fieldColumns: [ShapeColumn]
    /// The line of `time_zone`; 0 where the pipeline has none.
    var timeZoneLine = 0
    /// What may be meant and probably is not, with its position; `check` shows it.
    public var warnings: [PipelineFault] = []

    /// The names of all declared fields.
    public var fieldNames: Set<String> {
        Set(sources.flatMap { $0.layouts.flatMap { $0.fields.map(\.name) } })
    }

    /// The fields that are source positions in some layout: they are known only when the rules
    /// have been tried.
    var lateFields: Set<String> {
        Set(
            sources.flatMap(\.layouts).flatMap(\.fields).filter(\.isSourcePosition)
                .map(\.name)
        )
    }

    /// The names of the fields that hold lists of codes.
    var codeFields: Set<String> {
        Set(
            sources.flatMap(\.layouts).flatMap(\.fields).filter { $0.type == .codes }
                .map(\.name)
        )
    }
}

/// A text with its position in a file, so that a fault inside it can be shown.
public struct LocatedText: Sendable, Hashable {
    /// The text.
    public let text: String
    /// The file it is written in.
    public let file: String
    /// The line it begins on, from 1.
    public let line: Int
    /// The column it begins at, from 1.
    public let column: Int

    /// Places a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - file: The file it is written in.
    ///   - line: The line it begins on, from 1.
    ///   - column: The column it begins at, from 1.
    public init(text: String, file: String, line: Int, column: Int) {
        self.text = text
        self.file = file
        self.line = line
        self.column = column
    }

    /// A fault of the text, with the text and a caret below the message.
    func fault(_ message: String, suggestion: String = "") -> PipelineFault {
        PipelineFault(
            file: file,
            line: line,
            column: column,
            message: message,
            suggestion: suggestion
        )
    }
}

/// One file of a pipeline folder as it was read.
public struct PipelineFile: Sendable, Hashable {
    /// The path below the pipeline folder.
    public let path: String
    /// The bytes.
    public let content: [UInt8]

    /// Pairs a path with its bytes.
    public init(path: String, content: [UInt8]) {
        self.path = path
        self.content = content
    }
}

extension [PipelineFile] {
    /// The file of a path, compared byte by byte: two spellings of an accent are two files.
    ///
    /// - Parameter path: The path.
    /// - Returns: Its index; nil where there is none.
    public func index(of path: String) -> Int? {
        firstIndex { ByteText($0.path) == ByteText(path) }
    }

    /// The file of a path, compared byte by byte.
    ///
    /// - Parameter path: The path.
    /// - Returns: The file; nil where there is none.
    public func file(_ path: String) -> PipelineFile? { index(of: path).map { self[$0] } }
}

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
    public var lines: LineDefinition?
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

/// One rule as written.
public struct RuleText: Sendable {
    /// Its id.
    public let id: String
    /// The class it gives.
    public let tripClass: TripClass
    /// The basis it gives; empty where it names none.
    public let basis: String
    /// Its condition.
    public let when: LocatedText
    /// One sentence that explains it to people.
    public let because: String
    /// The first pick-up date it holds for.
    public let validFrom: CivilDate?
    /// The last pick-up date it holds for.
    public let validTo: CivilDate?
    /// Trips it must decide: values by name; nil is NULL.
    public let decides: [[String: String?]]
    /// Trips it must leave to other rules.
    public let leaves: [[String: String?]]
}

/// What is counted, summed, settled and suppressed.
public struct KPIDefinition: Sendable {
    /// The condition a trip must meet to be counted; nil counts all.
    public var countWhen: LocatedText?
    /// The money field that is summed; nil where the pipeline has none.
    public var costField: String?
    /// Whether the pipeline names the money field itself.
    var isCostDeclared: Bool
    /// Days past its end after which a month is settled.
    public var settlesAfterDays: Int
    /// Counts from 1 up to this one, exclusive, are suppressed in `kpi.sqlite`.
    public var suppressBelow: Int
    /// The in-house % that is aimed at, in order of the months from which it is.
    public var goals: [Goal] = []
    /// Further measures, in the order of the pipeline.
    public var measures: [MeasureDefinition] = []
    /// Further dimensions, in the order of the pipeline.
    public var dimensions: [DimensionDefinition] = []
    /// The month that a fiscal year begins with, from 1; the year is named for the one it ends in.
    public var fiscalYearStart = Month.federalYearStart
}

/// One check before publication.
public struct CheckDefinition: Sendable {
    /// The id of the check that `trip_ids: unique` brings.
    public static let tripIDs = "trip_ids"
    /// What the ids of the checks begin with that every pipeline has.
    public static let builtInPrefix = "built-in-"

    /// Its id.
    public let id: String
    /// Whether it withholds publication or warns.
    public let withholds: Bool
    /// Its condition over the run's measures.
    public let condition: LocatedText
}
