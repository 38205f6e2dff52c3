public import TripDomain

/// Joins, derives and classifies batches of trips: everything between typed fields and totals.
///
/// It is a value made once per run; any number of threads may use it at once. Its result for a trip
/// depends on that trip alone, so neither batches nor threads change a result.
public struct TripClassifier: Sendable {
    /// The match counts of one lookup in a batch.
    public struct LookupTally: Sendable, Hashable {
        /// Trips whose keys for the lookup are all present.
        public var keyed: Int64 = 0
        /// The trips among them for which no row was found.
        public var unmatched: Int64 = 0

        /// No trips.
        public init() {}

        /// Adds the counts of another batch.
        public static func += (left: inout LookupTally, right: LookupTally) {
            left.keyed += right.keyed
            left.unmatched += right.unmatched
        }
    }

    /// A batch with everything known about its trips.
    public struct Outcome: Sendable {
        /// The trips, with derived columns, deciding rules and whether they count.
        public let batch: TripBatch
        /// Trips for which an integer result left 64 bits and became NULL.
        public let overflows: Int
        /// The match counts of each lookup.
        public let tallies: [LookupTally]
        /// The derived regions compared with those the export names; empty where it names none.
        public let regions: RegionComparison
        /// The record of the first trip whose region or trip type would be the reserved word.
        public let reservedRecord: Int?
        /// The record of the first trip whose derived cost is beyond
        /// ``SumLimit/tripAmountMax``.
        public let excessiveRecord: Int?
    }

    /// A derived field, compiled.
    struct Derived: Sendable {
        let name: String
        let program: Program
    }

    /// A part of what is known of a trip between its fields and its rules.
    enum Step: Sendable, Hashable {
        /// A look-up, by its index.
        case lookup(Int)
        /// A derived field, by its index.
        case derived(Int)
    }

    /// The stored columns: fields, then derived ones.
    public let shape: TripShape
    /// The rules as generations keep them: the pipeline's, then those of its overrides.
    public let rules: [RuleEntry]
    /// The rules, compiled.
    public let ruleSet: RuleSet
    /// The lookups, in the pipeline's order.
    public let lookups: [LookupIndex]
    /// All names rules may use.
    public let scope: ExpressionScope
    /// The decisions made by hand; nil where the pipeline names no list of them.
    public let overrides: OverrideList?
    /// Which of them are in force; none before ``overriding(dataThrough:)``.
    var areInForce: [Bool] = []
    let derived: [Derived]
    /// Look-ups and derived fields, each after what it reads.
    let steps: [Step]
    let countWhen: Program?
    /// The columns that dates are taken from: the index of each time stamp among the fields.
    let dateSources: [Int]
    let fieldCount: Int
    /// Per lookup, the columns of a trip its keys are read from: fields, or derived ones.
    let keyColumns: [[Int]]
    /// Per lookup, the scope column with the date its rows are chosen by.
    let validOnColumns: [Int?]

    /// The text field in which the export names the region; nil where there is none.
    let namedRegionIndex: Int?

    /// The region of a trip that has none.
    public static let unknownRegion = "UNKNOWN"
    /// The trip type of a trip that has none.
    public static let otherTripType = "OTHER"

    /// Classifies one batch.
    ///
    /// - Parameter batch: Trips with all time stamps resolved.
    /// - Returns: The classified batch and its counts.
    /// - Complexity: O(*n*) in the trips.
    public func classify(_ batch: TripBatch) -> Outcome { classified(batch).outcome }

    /// Classifies one batch, and returns the values that its rules read.
    func classified(_ batch: TripBatch) -> (outcome: Outcome, frame: Frame) {
        var batch = batch
        let count = batch.count
        var overflows = 0
        let (frame, tallies) = prepare(&batch, overflows: &overflows)
        let excessiveRecord = removeExcessiveCosts(from: &batch)
        let decisions = ruleSet.classify(frame)
        batch.ruleNumbers = decisions.ruleNumbers
        overflows += decisions.overflowCount
        for (row, rule) in overridden(batch) { batch.ruleNumbers[row] = rule }
        if let countWhen {
            let truths = countWhen.truths(frame)
            overflows += truths.overflowCount
            batch.counted = truths.bytes.map { $0 == Truth.yes.rawValue }
        } else {
            batch.counted = [Bool](repeating: true, count: count)
        }
        let outcome = Outcome(
            batch: batch,
            overflows: overflows,
            tallies: tallies,
            regions: compareRegions(of: batch),
            reservedRecord: reservedRecord(in: batch),
            excessiveRecord: excessiveRecord
        )
        return (outcome, frame)
    }

    /// Explains one trip.
    ///
    /// - Parameter batch: A batch of that trip alone, its fields and perhaps its derived columns.
    /// - Returns: Every rule with its conditions and their values, and the changes that would give
    ///   another class.
    /// - Precondition: The batch has one row.
    public func explain(_ batch: TripBatch) -> RuleExplanation {
        precondition(batch.count == 1, "one trip is explained at a time")
        var batch = batch
        batch.columns.removeSubrange(fieldCount...)
        var overflows = 0
        let (frame, _) = prepare(&batch, overflows: &overflows)
        return ruleSet.explain(frame, row: 0)
    }

    /// Joins and derives: appends the derived columns to a batch of fields.
    func prepare(
        _ batch: inout TripBatch,
        overflows: inout Int
    ) -> (Frame, [LookupTally]) {
        fillFields(&batch)
        var frame = self.frame(of: batch)
        let tallies = evaluate(&batch, into: &frame, overflows: &overflows)
        return (frame, tallies)
    }

    /// Runs all look-ups and computes all derived fields of a batch, in the order of the steps.
    ///
    /// - Parameters:
    ///   - batch: The fields; receives the derived columns.
    ///   - frame: The values of the fields and dates; receives what the look-ups found, and the
    ///     derived columns.
    ///   - overflows: Counts integer results that left 64 bits.
    /// - Returns: The counts of each look-up.
    func evaluate(
        _ batch: inout TripBatch,
        into frame: inout Frame,
        overflows: inout Int
    ) -> [LookupTally] {
        var tallies = [LookupTally](repeating: LookupTally(), count: lookups.count)
        frame.matches = lookups.map { _ in MatchedRows(rows: []) }
        for step in steps {
            switch step {
            case .lookup(let index):
                let keys = keyColumns[index].map { batch.columns[$0].texts }
                let days = validOnColumns[index].map { frame.columns[$0].integers }
                let matches = lookups[index].match(keys: keys, days: days)
                frame.matches[index] = matches
                tallies[index].keyed = matches.keyed
                tallies[index].unmatched = matches.unmatched
            case .derived(let index):
                let values = derived[index].program.evaluate(frame)
                overflows += values.overflowCount
                let column = Self.filled(values.column, for: derived[index].name)
                batch.columns.append(column)
                frame.columns.append(column)
            }
        }
        return tallies
    }

    /// The inputs of a batch for programs: its fields and the dates of time stamps, no derived
    /// columns.
    func frame(of batch: TripBatch) -> Frame {
        let fields = Array(batch.columns[..<fieldCount])
        let dates = dateSources.map { index in
            let seconds = fields[index].integers
            let days = seconds.values.map { CivilTime.floorDivide($0, CivilTime.daySeconds) }
            return Column.integer(IntegerColumn(values: days, nulls: seconds.nulls))
        }
        return Frame(rowCount: batch.count, columns: fields + dates)
    }

    /// A dimension's column with a word instead of NULL, so that every trip belongs to some cell.
    static func filled(_ column: Column, for name: String) -> Column {
        let words = ["region": unknownRegion, "trip_type": otherTripType]
        guard let word = words[name], case .text(var texts) = column, texts.codes.contains(0)
        else { return column }
        let code = texts.pool.append(word)
        texts.codes = texts.codes.map { $0 == 0 ? code : $0 }
        texts.fillerCode = code
        return .text(texts)
    }

    /// Fills the dimensions that come from the export itself.
    private func fillFields(_ batch: inout TripBatch) {
        for index in [shape.regionIndex, shape.tripTypeIndex] where index < fieldCount {
            batch.columns[index] = Self.filled(
                batch.columns[index],
                for: shape.columns[index].name
            )
        }
    }

    private func compareRegions(of batch: TripBatch) -> RegionComparison {
        guard let named = namedRegionIndex else { return RegionComparison() }
        return RegionComparison(
            region: batch.columns[shape.regionIndex].texts,
            named: batch.columns[named].texts
        )
    }

    private func reservedRecord(in batch: TripBatch) -> Int? {
        for index in [shape.regionIndex, shape.tripTypeIndex] {
            let texts = batch.columns[index].texts
            let reserved = (1..<max(1, UInt32(texts.pool.count))).filter {
                texts.pool.slice($0).elementsEqual(KPICell.all.utf8)
            }
            guard !reserved.isEmpty else { continue }
            if let row = texts.codes.firstIndex(where: { reserved.contains($0) }) {
                return Int(batch.recordNumbers[row])
            }
        }
        return nil
    }
}

extension TripClassifier {
    /// The fields that a classification depends on, by their index in the shape.
    ///
    /// These are the fields that look-ups, derived fields, rules, counting and sums read. Where
    /// overrides are in force, the trip id is one of them.
    public var fieldsRead: Set<Int> {
        var names: Set<String> = []
        for program in derived.map(\.program) + ruleSet.rules.map(\.program) + [countWhen] {
            names.formUnion(program?.namesUsed ?? [])
        }
        var columns = names.compactMap { scope.columnIndex($0) }
        columns += validOnColumns.compactMap(\.self)
        // What derived keys are computed from is among the names above.
        columns += keyColumns.flatMap(\.self).filter { $0 < fieldCount }
        columns += [ruleSet.pickupIndex, shape.pickupIndex, shape.regionIndex, shape.tripTypeIndex]
        columns += [shape.costIndex, shape.milesIndex, namedRegionIndex].compactMap(\.self)
        if areInForce.contains(true) { columns.append(shape.tripIDIndex) }
        return Set(
            columns.compactMap { column in
                if column < fieldCount { return column }
                // The fields come first, then the dates of time stamps, then the derived columns.
                let date = column - fieldCount
                return dateSources.indices.contains(date) ? dateSources[date] : nil
            }
        )
    }

    /// The fields and look-ups that derived keys of look-ups read, directly or through others.
    var sourcesOfDerivedKeys: Set<String> {
        var found: Set<String> = []
        var waiting = lookups.flatMap { $0.definition.keys.map(\.field) }.filter { name in
            derived.contains { $0.name == name }
        }
        while let name = waiting.popLast() {
            guard let field = derived.first(where: { $0.name == name }) else { continue }
            for read in field.program.namesUsed {
                let source = read.split(separator: ".").first.map(String.init) ?? read
                guard found.insert(source).inserted else { continue }
                waiting.append(source)
            }
        }
        return found
    }

    /// Whether trips stored with some columns can be classified again: they have exactly these
    /// fields.
    ///
    /// Derived columns may differ, since they are computed again.
    ///
    /// - Parameter stored: The columns of the stored trips.
    /// - Returns: Whether their fields are this pipeline's.
    public func readsFields(of stored: TripShape) -> Bool {
        stored.columns.filter { !$0.isDerived } == Array(shape.columns[..<fieldCount])
    }

    /// Classifies stored trips again.
    ///
    /// - Parameter batch: The trips as stored; of the fields, ``fieldsRead`` have rows.
    /// - Returns: The batch with its derived columns, rules and marks computed again.
    /// - Complexity: O(*n*) in the trips.
    public func reclassify(_ batch: TripBatch) -> Outcome {
        var batch = batch
        batch.columns.removeSubrange(fieldCount...)
        return classify(batch)
    }
}
