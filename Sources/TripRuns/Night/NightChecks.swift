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
            NightMeasures(state, setting, history, options, files: files, areAllFiles: areAllFiles)
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
        return CheckResult(
            id: CheckDefinition.tripIDs,
            condition: "a trip id occurs twice",
            outcome: detail == nil ? .pass : .error,
            detail: detail ?? "\(Counted.text(acceptedCount, "trip id")), each once"
        )
    }

    private func place(_ place: TripPlace, in trips: ResolvedTrips) -> String {
        let batch = trips.batches[Int(place.batch)]
        let row = Int(place.row)
        return "\(exports.files[batch.fileIndex].entry.path) record \(batch.recordNumbers[row]) "
            + "(line \(batch.lineNumbers[row]))"
    }
}

/// The numbers a check can name.
struct NightMeasures {
    /// A measure: a whole number, hundredths of a percent, or NULL where it is not known yet.
    struct Measure {
        let name: String
        let value: Double?
        /// What people read.
        let shown: String

        /// A whole number.
        init(_ name: String, count: Int64?) {
            self.name = name
            value = count.map(Double.init)
            shown = count.map(Shown.count) ?? "not known yet"
        }

        /// A share in percent.
        init(_ name: String, percentHundredths: Int64?) {
            self.name = name
            value = percentHundredths.map { Double($0) / 100 }
            shown = percentHundredths.map { Shown.percent($0) + " %" } ?? "not known yet"
        }
    }

    let measures: [Measure]

    /// The names of all measures of a pipeline.
    static func names(lookups: [String]) -> [String] {
        [
            "records", "items", "rejects", "reject_pct", "duplicates_pct", "trips",
            "undetermined_pct", "in_house_pct", "cost_per_trip_cents", "region_disagree_pct",
            "median_records_28d", "median_cost_per_trip_cents", "data_age_days", "month_trips",
            "month_in_house_pct", "median_month_trips", "median_month_in_house_pct",
        ] + lookups.map { "orphan_pct_\($0)" }
    }

    /// Whether the files are all there are, in a night that brought some of them or none.
    let areAllFiles: Bool

    /// Measures some of the files.
    ///
    /// - Parameters:
    ///   - state: What would be published.
    ///   - setting: What it was made with.
    ///   - history: What earlier generations brought.
    ///   - options: The options of the run.
    ///   - files: The files, by their place in order of exports.
    ///   - areAllFiles: Whether they were known before, so that they are no volume of tonight's.
    init(
        _ state: NightState,
        _ setting: NightSetting,
        _ history: [GenerationVolume],
        _ options: RunOptions,
        files: Set<Int>,
        areAllFiles: Bool
    ) {
        self.areAllFiles = areAllFiles
        let exports = state.exports
        var ledger = Ledger()
        var records: Int64 = 0
        for (index, file) in exports.files.enumerated() where files.contains(index) {
            ledger += state.accounting.ledgers[index]
            records += Int64(file.summary.counts.records + file.summary.counts.rejects)
        }
        let sums = state.tonightSums(files: files)
        var measures: [Measure] = []
        func count(_ name: String, _ value: Int64?) {
            measures.append(Measure(name, count: value))
        }
        func share(_ name: String, _ part: Int64, _ whole: Int64) {
            let percent = whole == 0 ? nil : (20_000 * part + whole) / (2 * whole)
            measures.append(Measure(name, percentHundredths: percent))
        }
        // A run that publishes an edit has no records to be few.
        count("records", areAllFiles ? nil : records)
        count("items", ledger.read.items)
        count("rejects", ledger[.rejected].items)
        share("reject_pct", ledger[.rejected].items, ledger.read.items)
        share("duplicates_pct", ledger[.duplicate].items, ledger.read.items)
        count("trips", sums.trips)
        share("undetermined_pct", sums.undeterminedTrips, sums.trips)
        share("in_house_pct", sums.inHouseTrips, sums.inHouseTrips + sums.contractedTrips)
        count("cost_per_trip_cents", sums.costPerTripCents)
        let disagreement = exports.standing(among: files).reduce(into: RegionComparison()) {
            $0 += $1.content.regions
        }
        share("region_disagree_pct", disagreement.different, disagreement.known)
        count(
            "median_records_28d",
            Self.median(Self.recent(history).map(\.newRecords).filter { $0 > 0 })
        )
        count(
            "median_cost_per_trip_cents",
            Self.median(history.compactMap(\.sums.costPerTripCents))
        )
        measures += MonthMeasures(state, setting, history: history, now: options.now).measures
        for (index, lookup) in setting.lookups.enumerated() {
            let orphans = exports.orphans(lookup: index, files: files)
            share("orphan_pct_\(lookup.definition.name)", orphans.unmatched, orphans.keyed)
        }
        let held = setting.lookupNames.filter { name in
            !setting.lookups.contains { $0.definition.name == name }
        }
        // A check takes effect at once, the lookup it names only when its edit is published.
        for name in held { count("orphan_pct_\(name)", nil) }
        self.measures = measures
    }

    /// The generations of the last 28 days before the newest one.
    private static func recent(_ history: [GenerationVolume]) -> [GenerationVolume] {
        let dates = history.compactMap { CivilDate(text: String($0.publishedAt.prefix(10))) }
        guard let newest = dates.max() else { return [] }
        return history.filter { volume in
            CivilDate(text: String(volume.publishedAt.prefix(10))).map {
                newest.dayNumber - $0.dayNumber <= 28
            } ?? false
        }
    }

    /// The middle value; nil until there are five values to compare with.
    static func median(_ values: [Int64]) -> Int64? {
        guard values.count >= 5 else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1
            ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
