public import TripDomain
internal import TripEngine
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
    /// The money field, or the derived field of whole cents, that is summed; nil where the pipeline
    /// has none.
    public var costField: String?
    /// Whether the pipeline names it itself.
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
