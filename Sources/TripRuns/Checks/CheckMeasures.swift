import TripDomain
import TripEngine
import TripMart
import TripRules

/// The measures that a check can name.
struct CheckMeasures {
    /// A measure: a whole number, hundredths of a percent, or NULL where it is not known yet.
    struct Measure {
        let name: String
        let value: Double?
        /// The value as messages show it.
        let shown: String

        /// A whole number.
        init(_ name: String, count: Int64?) {
            self.name = name
            value = count.map(Double.init)
            shown = count.map(Counted.number) ?? "not known yet"
        }

        /// A share in percent.
        init(_ name: String, percentHundredths: Int64?) {
            self.name = name
            value = percentHundredths.map { Double($0) / 100 }
            shown = percentHundredths.map { Counted.hundredths($0) + " %" } ?? "not known yet"
        }
    }

    let measures: [Measure]

    /// The names of all measures of a pipeline.
    static func names(lookups: [String]) -> [String] {
        [
            "records", "items", "rejects", "reject_pct", "duplicates_pct", "superseded_pct",
            "superseded_same_file", "superseded_same_file_pct", "repeated_ids_pct",
            "repeated_contents", "misordered_files", "cut_files", "cut_claims",
            "unmatched_replacements", "rejected_files", "trips",
            "total_trips", "months", "regions", "trip_types", "earlier_generations",
            "undetermined_pct", "in_house_pct", "cost_per_trip_cents", "region_disagree_pct",
            "median_records_28d", "median_cost_per_trip_cents", "data_age_days", "month_trips",
            "month_in_house_pct", "median_month_trips", "median_month_in_house_pct",
        ] + lookups.map { "orphan_pct_\($0)" }
    }

    /// Whether these are all trips, in a run that brought only some of them or none.
    let areAllFiles: Bool
    /// What the trip ids of the files show.
    private let repeats: RepeatedIDs?
    /// Files that end within a line.
    private let cutFiles: CutFiles?
    /// Claims that came again without a trip that they had.
    private let cutClaims: CutClaims?
    /// Replacements and voids that found no claim.
    private let replacements: UnmatchedReplacements?
    /// Files with one content whose trips all count.
    private let contents: RepeatedContents?
    private let rejectedFiles: [String]

    /// Measures trips.
    ///
    /// - Parameters:
    ///   - trips: The trips.
    ///   - setting: The configuration they were classified with.
    ///   - history: The sums of earlier generations.
    ///   - now: The time of the run, in seconds of UTC.
    init(
        _ trips: MeasuredTrips,
        _ setting: RunConfiguration,
        _ history: [GenerationVolume],
        now: Int64
    ) {
        (areAllFiles, cutFiles, contents) = (trips.areAll, trips.cutFiles, trips.contents)
        (repeats, cutClaims, replacements) = (trips.repeats, trips.cutClaims, trips.replacements)
        rejectedFiles = trips.rejectedFiles ?? []
        let (ledger, sums) = (trips.ledger, trips.sums)
        let items = ledger.read.items
        var measures: [Measure] = []
        func count(_ name: String, _ value: Int64?) {
            measures.append(Measure(name, count: value))
        }
        func share(_ name: String, _ part: Int64, _ whole: Int64) {
            let percent = whole == 0 ? nil : (20_000 * part + whole) / (2 * whole)
            measures.append(Measure(name, percentHundredths: percent))
        }
        // A run that publishes an edit alone has no volume of records to check.
        count("records", areAllFiles ? nil : trips.records)
        count("items", items)
        // What a pipeline skips is no sign of a bad export.
        let rejects = ledger[.rejected].items - trips.unitless
        count("rejects", rejects)
        share("reject_pct", rejects, items)
        share("duplicates_pct", ledger[.duplicate].items, items)
        share("superseded_pct", ledger[.superseded].items, items)
        let (withinFile, snapshot) = (repeats?.withinFile.count, repeats?.snapshot)
        count("superseded_same_file", withinFile)
        share("superseded_same_file_pct", withinFile ?? 0, withinFile.map { _ in items } ?? 0)
        share("repeated_ids_pct", snapshot?.common ?? 0, snapshot?.ids ?? 0)
        count("repeated_contents", contents?.count)
        count("misordered_files", (repeats?.misordered.count).map(Int64.init))
        count("cut_files", (cutFiles?.paths.count).map(Int64.init))
        count("cut_claims", cutClaims?.count)
        count("unmatched_replacements", replacements?.count)
        count("rejected_files", (trips.rejectedFiles?.count).map(Int64.init))
        count("trips", sums.trips)
        count("total_trips", trips.total?.trips)
        count("months", trips.total?.months)
        count("regions", trips.total?.regions)
        count("trip_types", trips.total?.tripTypes)
        count("earlier_generations", Int64(history.count))
        share("undetermined_pct", sums.undeterminedTrips, sums.trips)
        share("in_house_pct", sums.inHouseTrips, sums.inHouseTrips + sums.contractedTrips)
        count("cost_per_trip_cents", sums.costPerTripCents)
        share("region_disagree_pct", trips.regions.different, trips.regions.known)
        count(
            "median_records_28d",
            Self.median(Self.recent(history).map(\.newRecords).filter { $0 > 0 })
        )
        count(
            "median_cost_per_trip_cents",
            Self.median(history.compactMap(\.sums.costPerTripCents))
        )
        measures += MonthMeasures(trips, setting, history: history, now: now).measures
        for (index, lookup) in setting.lookups.enumerated() {
            let orphans =
                trips.tallies.isEmpty ? TripClassifier.LookupTally() : trips.tallies[index]
            share("orphan_pct_\(lookup.definition.name)", orphans.unmatched, orphans.keyed)
        }
        let held = setting.lookupNames.filter { name in
            !setting.lookups.contains { $0.definition.name == name }
        }
        // A check takes effect at once; the lookup it names only when its edit is published.
        for name in held { count("orphan_pct_\(name)", nil) }
        self.measures = measures
    }

    /// What the values are of.
    var scope: String { areAllFiles ? ", over all trips" : "" }

    /// The measures of a condition that holds, and what was found about them.
    func detail(_ condition: CheckCondition) -> String {
        var texts = [condition.detail + scope]
        texts += repeats?.findings(naming: condition.named) ?? []
        if condition.named.contains("cut_files"), let finding = cutFiles?.finding {
            texts.append(finding)
        }
        if condition.named.contains("repeated_contents"), let finding = contents?.finding {
            texts.append(finding)
        }
        if condition.named.contains("cut_claims"), let finding = cutClaims?.finding {
            texts.append(finding)
        }
        if condition.named.contains("unmatched_replacements"), let finding = replacements?.finding {
            texts.append(finding)
        }
        if condition.named.contains("rejected_files"), let first = rejectedFiles.first {
            let more = rejectedFiles.count - 1
            texts.append(
                "rejected for the greater part: \(first)"
                    + (more == 0 ? "" : " and \(Counted.text(more, "more file"))")
            )
        }
        return texts.joined(separator: "; ")
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
