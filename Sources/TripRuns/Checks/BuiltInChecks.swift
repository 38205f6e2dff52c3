import TripDomain
public import TripPipeline
import TripRules

/// A check that every pipeline has without saying so, from the first night on.
///
/// It is for what no pipeline can mean: most records rejected, nothing counted, records of one file
/// that replace each other. A check of the pipeline that names one of its measures takes its place,
/// whatever its limit. `docs/PIPELINE.md` lists them with their limits.
public struct BuiltInCheck: Sendable {
    /// Its id in tables and messages.
    public let id: String
    /// The measures it names; a check of the pipeline that names one of them takes its place.
    public let measures: [String]
    /// The condition that withholds publication; nil where none does.
    public let errorIf: String?
    /// The condition that warns; nil where none does.
    public let warnIf: String?
    /// What each condition means, in plain words; nil where the files it finds say so.
    private let errorWords: String?
    private let warnWords: String?
    /// Whether a pipeline should have a check of its own for these measures.
    public let isNoted: Bool

    private init(
        _ name: String,
        _ measures: [String],
        errorIf: String? = nil,
        meaning errorWords: String? = nil,
        warnIf: String? = nil,
        means warnWords: String? = nil,
        isNoted: Bool = false
    ) {
        id = Self.prefix + name
        self.measures = measures
        self.errorIf = errorIf
        self.warnIf = warnIf
        self.errorWords = errorWords
        self.warnWords = warnWords
        self.isNoted = isNoted
    }

    /// What their ids begin with; a pipeline's own ids may not.
    public static let prefix = CheckDefinition.builtInPrefix

    /// How many regions, and how many trip types, are published.
    private static let valueMax = 2_000
    private static let dimensions = "dimensions"

    /// How many regions, and how many trip types, a run of a pipeline can publish; nil is any
    /// number: a check of its own replaces this one.
    ///
    /// - Parameter pipeline: The pipeline.
    /// - Returns: The number.
    /// - Throws: ``PipelineFault`` as ``missing(in:)``.
    static func valueMax(in pipeline: PipelineDefinition) throws -> Int? {
        try missing(in: pipeline).contains { $0.id == prefix + dimensions } ? valueMax : nil
    }

    /// All of them.
    ///
    /// A share of a few records shows nothing, except on a first night, where it shows a layout
    /// that does not fit.
    public static let all = [
        BuiltInCheck(
            "rejects",
            ["reject_pct", "rejects"],
            errorIf: "reject_pct > 50 AND (items >= 20 OR earlier_generations = 0)",
            meaning: "most records rejected",
            warnIf: "reject_pct > 10",
            means: "many records rejected",
            isNoted: true
        ),
        BuiltInCheck(
            "undetermined",
            ["undetermined_pct"],
            errorIf: "undetermined_pct > 50 AND (trips >= 20 OR earlier_generations = 0)",
            meaning: "most trips have no class",
            warnIf: "undetermined_pct > 25",
            means: "many trips have no class",
            isNoted: true
        ),
        BuiltInCheck(
            "counted",
            ["total_trips"],
            errorIf: "total_trips = 0",
            meaning: "no trip counts"
        ),
        BuiltInCheck(
            dimensions,
            ["regions", "trip_types"],
            errorIf: "regions > \(valueMax) OR trip_types > \(valueMax)",
            meaning: "a column of ids or of free text was taken for a region or trip type"
        ),
        // Fewer trips are a trial: nothing follows from their months.
        BuiltInCheck(
            "months",
            ["months"],
            warnIf: "months = 1 AND total_trips >= 100 AND earlier_generations = 0",
            means: "all trips fall in one month"
        ),
        BuiltInCheck(
            "same-file",
            ["superseded_same_file", "superseded_same_file_pct"],
            warnIf: "superseded_same_file > 0"
        ),
        BuiltInCheck("snapshots", ["repeated_ids_pct"], warnIf: "repeated_ids_pct > 50"),
        BuiltInCheck("contents", ["repeated_contents"], warnIf: "repeated_contents > 0"),
        BuiltInCheck("order", ["misordered_files"], warnIf: "misordered_files > 0"),
        BuiltInCheck("cut", ["cut_files"], warnIf: "cut_files > 0"),
        BuiltInCheck("claims", ["cut_claims"], warnIf: "cut_claims > 0"),
        BuiltInCheck(
            "replacements",
            ["unmatched_replacements"],
            warnIf: "unmatched_replacements > 0"
        ),
    ]

    /// Those that no check of a pipeline replaces.
    ///
    /// - Parameter pipeline: The pipeline.
    /// - Returns: The checks, in order.
    /// - Throws: ``PipelineFault`` where a condition of the pipeline cannot be read.
    public static func missing(in pipeline: PipelineDefinition) throws -> [BuiltInCheck] {
        let names = CheckMeasures.names(lookups: pipeline.lookups.map(\.name))
        var named: Set<String> = []
        for check in pipeline.checks {
            // A check of a look-up that is held names a measure that is not known yet.
            let known = try? CheckCondition.compile(check.condition, names: names)
            named.formUnion(known?.namesUsed ?? [])
        }
        return all.filter { named.isDisjoint(with: $0.measures) }
    }
}

extension BuiltInCheck {
    /// What the check finds; nil where it finds nothing, or where a measure is not known.
    ///
    /// - Parameter measures: The measures of the run.
    /// - Returns: The graver of its conditions that holds.
    /// - Throws: ``PipelineFault`` never: its conditions are tested.
    func result(_ measures: CheckMeasures) throws -> CheckResult? {
        let conditions = [
            (errorIf, CheckResult.Outcome.error, errorWords), (warnIf, .warn, warnWords),
        ]
        for (text, outcome, words) in conditions {
            guard let text else { continue }
            let condition = try CheckCondition(
                LocatedText(text: text, file: "built in", line: 1, column: 1),
                measures: measures
            )
            guard condition.truth == .yes else { continue }
            return CheckResult(
                id: id,
                condition: text,
                outcome: outcome,
                detail: [measures.detail(condition), words].compactMap(\.self)
                    .joined(separator: "; ")
            )
        }
        return nil
    }
}
