import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The checks before publication, evaluated over what a run would publish.
struct RunChecks {
    let results: [CheckResult]
    /// The damaged history files, which nothing was compared with.
    let damagedHistory: [String]

    init(_ state: RunTotals, _ setting: RunConfiguration, mart: RunMart, options: RunOptions) throws
    {
        let (history, damaged) = try Self.history(mart.folder)
        damagedHistory = damaged
        let isFirst = history.isEmpty || options.isFull
        let all = Set(state.exports.files.indices)
        let new = all.filter { isFirst || state.exports.files[$0].entry.isNew }
        // An edit affects every trip, so a run with an edit alone is measured over all trips, and a
        // run with an edit and new files over both.
        let isEditAlone = new.isEmpty && !all.isEmpty
        func measures(_ files: Set<Int>, areAllFiles: Bool) -> CheckMeasures {
            CheckMeasures(
                state.measured(files: files, areAll: areAllFiles),
                setting,
                history,
                now: options.now
            )
        }
        let ofNewFiles = measures(isEditAlone ? all : new, areAllFiles: isEditAlone)
        let hasEditAndFiles = setting.changesDecisions && !isEditAlone && new != all
        let whole = hasEditAndFiles ? measures(all, areAllFiles: true) : nil
        var results = try setting.pipeline.checks.map { check in
            let result = try Self.result(of: check, measures: ofNewFiles)
            guard let whole else { return result }
            let overAll = try Self.result(of: check, measures: whole)
            return Self.grade(overAll) > Self.grade(result) ? overAll : result
        }
        for check in try BuiltInCheck.missing(in: setting.pipeline) {
            let found = try [ofNewFiles, whole].compactMap(\.self).compactMap {
                try check.result($0)
            }
            if let gravest = found.max(by: { Self.grade($0) < Self.grade($1) }) {
                results.append(gravest)
            }
        }
        if setting.pipeline.tripIDs == .unique, let check = state.tripIDCheck {
            results.append(check)
        }
        self.results = results
    }

    /// The checks over trips that were added up before: those that were classified again, or those
    /// of a run on a cluster.
    ///
    /// - Parameters:
    ///   - trips: All trips.
    ///   - setting: The configuration they were classified with.
    ///   - folder: The mart, for the sums of earlier generations.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - tripIDs: Whether every trip id occurs once, where that was looked at.
    /// - Throws: `MartError` of the history, ``PipelineFault`` of a check that cannot be evaluated.
    init(
        _ trips: MeasuredTrips,
        _ setting: RunConfiguration,
        _ folder: MartFolder,
        now: Int64,
        tripIDs: CheckResult? = nil
    ) throws {
        let (history, damaged) = try Self.history(folder)
        damagedHistory = damaged
        let measures = CheckMeasures(trips, setting, history, now: now)
        var results = try setting.pipeline.checks.map {
            try Self.result(of: $0, measures: measures)
        }
        results += try BuiltInCheck.missing(in: setting.pipeline).compactMap {
            try $0.result(measures)
        }
        if setting.pipeline.tripIDs == .unique, let tripIDs {
            results.append(tripIDs)
        } else if setting.pipeline.tripIDs == .unique, trips.areAll {
            let older = trips.ledger[.duplicate].items + trips.ledger[.superseded].items
            results.append(
                .tripIDs(
                    isRepeated: older > 0,
                    older > 0
                        ? Counted.text(older, "record") + " repeat the trip id of an accepted trip"
                        : CheckResult.eachOnce(trips.ledger[.accepted].items)
                )
            )
        }
        self.results = results
    }

    /// The volumes of earlier generations, and the history files that are damaged.
    private static func history(
        _ folder: MartFolder
    ) throws(MartError) -> ([GenerationVolume], damaged: [String]) {
        var damaged: [String] = []
        let volumes = try History(folder).volumes(last: 400) { damaged.append($0) }
        return (volumes, damaged)
    }

    /// The severity of a result.
    private static func grade(_ result: CheckResult) -> Int {
        let order: [CheckResult.Outcome] = [.skipped, .pass, .warn, .error]
        return order.firstIndex(of: result.outcome) ?? 0
    }

    private static func result(
        of check: CheckDefinition,
        measures: CheckMeasures
    ) throws -> CheckResult {
        let condition = try CheckCondition(check.condition, measures: measures)
        let outcome: CheckResult.Outcome =
            switch condition.truth {
            case .yes: check.withholds ? .error : .warn
            case .no: .pass
            case .unknown: .skipped
            }
        return CheckResult(
            id: check.id,
            condition: check.condition.text,
            outcome: outcome,
            detail: outcome == .pass || outcome == .skipped
                ? condition.detail + measures.scope : measures.detail(condition)
        )
    }
}

extension CheckDefinition {
    /// The id of the check that `trip_ids: unique` adds.
    static let tripIDs = "trip_ids"
}

extension CheckResult {
    /// Whether every trip id occurs once, as the pipeline declares.
    static func tripIDs(isRepeated: Bool, _ detail: String) -> CheckResult {
        CheckResult(
            id: CheckDefinition.tripIDs,
            condition: "a trip id occurs twice",
            outcome: isRepeated ? .error : .pass,
            detail: detail
        )
    }

    /// Whether every trip id occurs once.
    ///
    /// - Parameters:
    ///   - first: The places of the first record that repeats an id, and of the one that it
    ///     repeats; nil where none does.
    ///   - count: How many records repeat one.
    ///   - accepted: The accepted trips.
    /// - Returns: The result of the check.
    static func tripIDs(
        repeated first: (earlier: String, later: String)?,
        count: Int,
        accepted: Int64
    ) -> CheckResult {
        let detail = first.map { earlier, later in
            "\(Counted.text(count, "record")) \(count == 1 ? "repeats" : "repeat") a trip id, "
                + "and the pipeline says `trip_ids: unique`; first \(later), after \(earlier)"
        }
        return .tripIDs(isRepeated: detail != nil, detail ?? eachOnce(accepted))
    }

    fileprivate static func eachOnce(_ count: Int64) -> String {
        "\(Counted.text(count, "trip id")), each once"
    }
}

extension RunTotals {
    /// Whether every trip id occurs once, as declared; nil where trips were not kept to check it.
    fileprivate var tripIDCheck: CheckResult? {
        guard let trips else { return nil }
        return .tripIDs(
            repeated: trips.resolution.firstRepetition.map { earlier, later in
                (position(earlier, in: trips), position(later, in: trips))
            },
            count: trips.resolution.setAside.count,
            accepted: Int64(acceptedCount)
        )
    }

    private func position(_ position: TripPosition, in trips: ResolvedTrips) -> String {
        let batch = trips.batches[Int(position.batch)]
        let row = Int(position.row)
        return "\(exports.files[batch.fileIndex].entry.path) record \(batch.recordNumbers[row]) "
            + "(line \(batch.lineNumbers[row]))"
    }
}

/// One check's condition, evaluated over the measures of a run.
struct CheckCondition {
    /// The value of the condition; unknown where a measure it names is not known yet.
    let truth: Truth
    /// The measures it names with their values.
    let detail: String
    /// The names of those measures.
    let named: Set<String>

    init(_ condition: LocatedText, measures: CheckMeasures) throws {
        let program = try Self.compile(condition, names: measures.measures.map(\.name))
        let columns = measures.measures.map { measure in
            Column.real(
                RealColumn(values: [measure.value ?? 0], nulls: [measure.value == nil])
            )
        }
        truth = program.truths(Frame(rowCount: 1, columns: columns))[0]
        named = Set(program.namesUsed)
        detail = measures.measures.filter { [named] in named.contains($0.name) }
            .map { "\($0.name) is \($0.shown)" }.joined(separator: ", ")
    }

    /// Compiles a condition over the names of measures.
    static func compile(
        _ condition: LocatedText,
        names: [String]
    ) throws(PipelineFault) -> Program {
        let scope = ExpressionScope(columns: names.map { ScopeColumn(name: $0, kind: .decimal) })
        return try condition.compiled(in: scope, as: .condition)
    }
}
