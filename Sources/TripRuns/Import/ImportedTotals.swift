import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The totals of a run on a cluster: what ``RunTotals`` computes from trips, added up from what the
/// machines found.
struct ImportedTotals {
    /// A file that is taken in.
    struct File {
        let entry: FileRegister.Entry
        let report: FileReport
        /// Whether its records are in force.
        let isCurrent: Bool
        var ledger = Ledger()
    }

    /// The files that are taken in, in order of exports.
    private(set) var files: [File]
    let isSynthetic: Bool
    let cube: Cube
    /// The last day of the data, as ``RunTotals`` defines it.
    let dataThrough: CivilDate?
    /// The accepted trips by month, counted or not.
    let months: [TripLocation.MonthTrips]
    /// The accepted trips by status.
    let statuses: [TripLocation.StatusTrips]
    /// The rejects of files in force, in order of exports, with the raw record of each.
    let rejects: [Reject]
    let rejectTexts: [[UInt8]]
    /// Decisions made by hand that need attention.
    let overrideNotes: [String]
    let results: ImportedResults
    let sources: [SourceDefinition]
    let accounts: [Int: PartitionReport.Account]

    /// Adds up.
    ///
    /// - Parameters:
    ///   - results: What the machines found.
    ///   - setting: The configuration of the plan.
    ///   - keys: The keys that open rejects and trip references.
    /// - Throws: ``RunError`` where the results contradict the plan; `SumOverflow` where amounts
    ///   cannot be added up; `MartError` where a sealed value does not open.
    init(
        _ results: ImportedResults,
        _ setting: RunConfiguration,
        keys: MartKeys
    ) throws {
        self.results = results
        let pipeline = setting.pipeline
        sources = pipeline.sources
        accounts = results.accounts()
        var files = Self.files(results)
        let lastPickup = Self.lastPickup(results)
        let overrides = setting.classifier.overrides
        let overridden = results.parts.flatMap(\.overridden)
        let declared = setting.classifier.shape.declared
        let sums =
            results.plan.comparesVersions
            ? results.parts.map(\.sums)
                + Self.decided(overridden, results.plan, lastPickup, declared.measures)
            : files.filter(\.isCurrent).compactMap(\.report.sums)
        let rules = setting.classifier.rules
        var totals = TripTotals(rules: rules)
        for sums in sums {
            guard let part = TripTotals.of(sums, rules: rules, declared: declared) else {
                throw Self.otherRules
            }
            totals.add(part)
        }
        cube = try Cube(totals, valueMax: try BuiltInCheck.valueMax(in: pipeline))
        for index in files.indices {
            files[index].ledger = Self.ledger(
                files[index],
                results.plan.comparesVersions,
                accounts[files[index].report.file]
            )
        }
        self.files = files
        isSynthetic = results.decision.isSynthetic
        let isBeyond = cube.lastPickup.map { last in
            results.decision.lastDay.map { CivilTime.date(ofSeconds: last) > $0 } ?? false
        }
        dataThrough = (isBeyond ?? false ? lastPickup : cube.lastPickup)
            .map { CivilTime.date(ofSeconds: $0) }
        var counts = TripCounts()
        for sums in sums { counts.add(sums) }
        (months, statuses) = (counts.months, counts.statuses)
        (rejects, rejectTexts) = try Self.rejects(results, files, keys)
        let known = Set(overridden.map(\.override))
        overrideNotes =
            OverrideNotes(
                overrides,
                isHeld: false,
                dataThrough: lastPickup.map { CivilTime.date(ofSeconds: $0) }
            ) { known.contains($0) }.clauses
    }

    /// The accepted trips.
    var acceptedCount: Int64 { files.reduce(0) { $0 + $1.ledger[.accepted].items } }

    /// The month of the last day with its sums.
    var latestMonth: (month: Month, sums: KPISums)? { cube.latestMonth(of: dataThrough) }

    private static let otherRules = RunError(
        .noUsableInput,
        summary: "the results cannot be used",
        what: "A cell of the results has a class, a basis or a declared sum that the rules of the "
            + "plan do not give.",
        remedies: ["Run the job again, with one version of the program."]
    )

    // MARK: Files

    private static func files(_ results: ImportedResults) -> [File] {
        results.files.planned.indices.map { index in
            File(
                entry: results.files.files[index].entry,
                report: results.reports[results.files.planned[index]],
                isCurrent: results.files.isCurrent[index]
            )
        }
    }

    private static func ledger(
        _ file: File,
        _ comparesVersions: Bool,
        _ account: PartitionReport.Account?
    ) -> Ledger {
        let report = file.report
        let repeated = LedgerAmount(items: report.repeated)
        var ledger = Ledger()
        ledger.read = report.read
        guard file.isCurrent else {
            ledger[.withdrawn] = report.valid + report.rejected + repeated
            return ledger
        }
        let accepted = comparesVersions ? account?.accepted : report.valid
        let terms: [(LedgerTerm, LedgerAmount)] = [
            (.accepted, accepted ?? LedgerAmount()), (.rejected, report.rejected),
            (.superseded, account?.superseded ?? LedgerAmount()),
            (.duplicate, (account?.duplicate ?? LedgerAmount()) + repeated),
        ]
        for (term, amount) in terms where amount != LedgerAmount() { ledger[term] = amount }
        return ledger
    }

    // MARK: Trips

    /// The last accepted pick-up up to the last day on which a file was taken in.
    private static func lastPickup(_ results: ImportedResults) -> Int64? {
        guard !results.plan.comparesVersions else {
            return results.parts.compactMap(\.lastPickupWithin).max()
        }
        let files = results.reports.indices.filter { results.decision.areInForce[$0] }
        return files.compactMap { file in
            results.reports[file].lastPickups.first { $0.day == results.decision.lastDay }?.seconds
        }.max()
    }

    /// The trips that were decided by hand, each as sums of its own: by its override where that is
    /// in force, else by the rules.
    private static func decided(
        _ trips: [PartitionReport.OverriddenTrip],
        _ plan: ShardPlan,
        _ lastPickup: Int64?,
        _ measures: [DeclaredColumn<DeclaredMeasure>]
    ) -> [FinestSums] {
        let day = lastPickup.map { CivilTime.date(ofSeconds: $0) }
        return trips.compactMap { trip in
            guard let cell = trip.cell, plan.overrides.indices.contains(trip.override) else {
                return nil
            }
            let override = plan.overrides[trip.override]
            var sums = FinestSums()
            // Its amounts are among those of its part, in which it is no cell.
            sums.absoluteMeasures = measures.map { _ in 0 }
            sums.cells = [override.isInForce(day) ? cell.decided(override) : cell]
            return sums
        }
    }

    // MARK: Rejects

    /// The rejects of the files in force, each with its trip id where some valid version has it.
    private static func rejects(
        _ results: ImportedResults,
        _ files: [File],
        _ keys: MartKeys
    ) throws -> ([Reject], [[UInt8]]) {
        struct Place: Hashable {
            let file: Int
            let index: Int
        }
        var known: [Place: Bool] = [:]
        for reject in results.parts.flatMap(\.knownRejects) {
            known[Place(file: reject.file, index: reject.index)] = reject.isCorrection
        }
        var rejects: [Reject] = []
        var texts: [[UInt8]] = []
        for (position, file) in files.enumerated() where file.isCurrent {
            let planned = file.report.file
            for reject in results.rejects[planned] {
                var found = reject.reject
                found.fileIndex = position
                if let isCorrection = known[Place(file: planned, index: reject.index)] {
                    found.tripID = try reject.ref.map { try keys.tripID(of: TripRef(text: $0)) }
                    found.isCorrection = isCorrection
                }
                rejects.append(found)
                texts.append(
                    try keys.openReject(
                        reject.sealed,
                        plan: results.plan.hash,
                        row: ShardReject.row(file: planned, reject.index)
                    )
                )
            }
        }
        return (rejects, texts)
    }
}

extension ShardPlan.Override {
    /// Whether it is in force for data that goes to a day.
    fileprivate func isInForce(_ dataThrough: CivilDate?) -> Bool {
        dataThrough.map { $0 <= expires } ?? false
    }
}

extension FinestCell {
    /// The same trips, decided by hand.
    fileprivate func decided(_ override: ShardPlan.Override) -> FinestCell {
        FinestCell(
            group: DeclaredGroup(
                month: group.month,
                tripType: group.tripType,
                region: group.region,
                tripClass: override.tripClass,
                basis: override.basis
            ),
            sums: sums,
            measures: measures,
            dimensions: dimensions
        )
    }
}
