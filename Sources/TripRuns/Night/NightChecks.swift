import TripDomain
import TripEngine
import TripMart

/// The gates on publication, evaluated over what a run would publish.
struct NightChecks {
    let results: [CheckResult]

    init(_ state: NightState, _ setting: NightSetting, mart: NightMart, options: RunOptions) throws
    {
        let history = try History(mart.folder).volumes(last: 400)
        let isFirst = history.isEmpty || options.isFull
        let all = Set(state.exports.files.indices)
        let new = all.filter { isFirst || state.exports.files[$0].entry.isNew }
        // An edit touches every trip there is; one alone is measured over these, one that comes with
        // new files over these as well.
        let isEditAlone = new.isEmpty && !all.isEmpty
        func measures(_ files: Set<Int>, areAllFiles: Bool) -> NightMeasures {
            NightMeasures(
                state.measured(files: files, areAll: areAllFiles),
                setting,
                history,
                now: options.now
            )
        }
        let tonight = measures(isEditAlone ? all : new, areAllFiles: isEditAlone)
        let hasEditBeside = setting.changesDecisions && !isEditAlone && new != all
        let whole = hasEditBeside ? measures(all, areAllFiles: true) : nil
        var results = try setting.pipeline.checks.map { check in
            let result = try Self.result(of: check, measures: tonight)
            guard let whole else { return result }
            let overAll = try Self.result(of: check, measures: whole)
            return Self.grade(overAll) > Self.grade(result) ? overAll : result
        }
        if setting.pipeline.tripIDs == .unique, let check = state.tripIDCheck {
            results.append(check)
        }
        self.results = results
    }

    /// The checks over trips that were decided anew; nothing else of them is new.
    ///
    /// - Parameters:
    ///   - trips: All trips.
    ///   - setting: What they were decided with.
    ///   - folder: The mart, for what earlier generations brought.
    ///   - now: The time of the run, in seconds of UTC.
    /// - Throws: `MartError` of the history, ``PipelineFault`` of a check that cannot be evaluated.
    init(
        _ trips: MeasuredTrips,
        _ setting: NightSetting,
        _ folder: MartFolder,
        now: Int64
    ) throws {
        let history = try History(folder).volumes(last: 400)
        let measures = NightMeasures(trips, setting, history, now: now)
        var results = try setting.pipeline.checks.map {
            try Self.result(of: $0, measures: measures)
        }
        if setting.pipeline.tripIDs == .unique {
            let older = trips.ledger[.duplicate].items + trips.ledger[.superseded].items
            results.append(
                .tripIDs(
                    isRepeated: older > 0,
                    older > 0
                        ? Counted.text(older, "record") + " repeat a trip id that stands"
                        : CheckResult.eachOnce(trips.ledger[.accepted].items)
                )
            )
        }
        self.results = results
    }

    /// How much a result keeps from being published.
    private static func grade(_ result: CheckResult) -> Int {
        let order: [CheckResult.Outcome] = [.skipped, .pass, .warn, .error]
        return order.firstIndex(of: result.outcome) ?? 0
    }

    private static func result(
        of check: CheckDefinition,
        measures: NightMeasures
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
            detail: condition.detail + (measures.areAllFiles ? ", over all trips" : "")
        )
    }
}

extension CheckDefinition {
    /// The id of the check that `trip_ids: unique` brings.
    static let tripIDs = "trip_ids"
}

extension CheckResult {
    /// Whether every trip id occurs once, as the pipeline declares.
    fileprivate static func tripIDs(isRepeated: Bool, _ detail: String) -> CheckResult {
        CheckResult(
            id: CheckDefinition.tripIDs,
            condition: "a trip id occurs twice",
            outcome: isRepeated ? .error : .pass,
            detail: detail
        )
    }

    fileprivate static func eachOnce(_ count: Int64) -> String {
        "\(Counted.text(count, "trip id")), each once"
    }
}

extension NightState {
    /// Whether every trip id occurs once, as declared; nil where trips were not kept to find out.
    fileprivate var tripIDCheck: CheckResult? {
        guard let trips else { return nil }
        let detail = trips.resolution.firstRepetition.map { earlier, later in
            let count = trips.resolution.setAside.count
            return
                "\(Counted.text(count, "record")) \(count == 1 ? "repeats" : "repeat") a trip id, "
                + "and the pipeline says `trip_ids: unique`; first \(place(later, in: trips)), after "
                + place(earlier, in: trips)
        }
        return .tripIDs(
            isRepeated: detail != nil,
            detail ?? CheckResult.eachOnce(Int64(acceptedCount))
        )
    }

    private func place(_ place: TripPlace, in trips: ResolvedTrips) -> String {
        let batch = trips.batches[Int(place.batch)]
        let row = Int(place.row)
        return "\(exports.files[batch.fileIndex].entry.path) record \(batch.recordNumbers[row]) "
            + "(line \(batch.lineNumbers[row]))"
    }
}
