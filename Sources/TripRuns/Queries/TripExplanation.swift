public import TripDomain
import TripEngine
public import TripMart
import TripPipeline
public import TripRules

/// Why a trip is in-house, contracted or undetermined: the rules with their values, and everything
/// else that is known of it.
public struct TripExplanation: Sendable {
    /// The generation of the trip.
    public let header: GenerationHeader
    /// All that is known of the trip.
    public let detail: TripDetail
    /// The trip as a plan would classify it; nil where the published result is explained.
    public let planned: PlannedTrip?
    /// The decision made by hand; nil where there is none.
    public let override: ExplainedOverride?
    /// Why the rules give the trip its class, or would give it without the override.
    public let rules: RuleExplanation
    /// What an undetermined trip lacks, and what would give it a class; nil for other trips.
    public let lacking: LackingValues?
    /// The flags that name the mart in a command, after a blank each.
    public let martFlags: String
    private let compiled: CompiledPipeline

    init(
        header: GenerationHeader,
        detail: TripDetail,
        planned: PlannedTrip?,
        override: ExplainedOverride?,
        rules: RuleExplanation,
        compiled: CompiledPipeline,
        martFlags: String
    ) {
        self.header = header
        self.detail = detail
        self.planned = planned
        self.override = override
        self.rules = rules
        self.compiled = compiled
        self.martFlags = martFlags
        let decidesClass =
            rules.decidingRule > 0
            && compiled.classifier.rules[rules.decidingRule - 1].tripClass != .undetermined
        lacking =
            decidesClass || override?.isInForce ?? false
            ? nil : LackingValues(detail, compiled.classifier)
    }

    /// The day of the pick-up.
    public var day: String {
        let pickups = detail.batch.columns[compiled.classifier.shape.pickupIndex].integers
        return pickups.value(0).map { CivilTime.date(ofSeconds: $0).text } ?? ""
    }

    /// The values by which look-ups find their rows, such as station and vehicle, in the order of
    /// the pipeline; nil where one is blank.
    public var keys: [(name: String, value: String?)] {
        var keys: [(name: String, value: String?)] = []
        let shape = compiled.classifier.shape
        for field in compiled.lookups.flatMap(\.definition.keys).map(\.field)
        where field != "trip_id" && !keys.contains(where: { $0.name == field }) {
            guard let index = shape.columns.firstIndex(where: { $0.name == field }) else {
                continue
            }
            let texts = detail.batch.columns[index].texts
            let value = texts.pool.string(texts.codes[0])
            keys.append((field, value.map { VisibleText.of(Array($0.utf8), encoding: .utf8) }))
        }
        return keys
    }

    /// The conditions of the rules.
    public var ruleSet: RuleSet { compiled.classifier.ruleSet }

    /// Whether an override decides instead of the rules.
    public var isOverridden: Bool { override?.isInForce ?? false }

    /// A rule by its number, from 1.
    public func rule(_ number: Int) -> RuleEntry { compiled.classifier.rules[number - 1] }

    /// A value with the label that the pipeline gives it, as `01 VISN 1`.
    ///
    /// - Parameters:
    ///   - value: A region or a trip type.
    ///   - dimension: Which of them.
    /// - Returns: The value alone where it has no label of its own.
    public func labelled(_ value: String, _ dimension: KPIDimension) -> String {
        guard let label = compiled.labels[dimension.rawValue]?[value], label != value else {
            return value
        }
        return value + " " + label
    }

    /// Why a column of the trip is NULL.
    ///
    /// - Parameter column: A column that rules can name.
    /// - Returns: The reason.
    public func blankReason(for column: String) -> BlankReason { blanks.reason(for: column) }

    /// The columns of the trip's export that fill one that rules can name.
    ///
    /// - Parameter column: A column that rules can name.
    /// - Returns: The names in the layout of the trip's file.
    public func exportColumns(of column: String) -> [String] {
        ExportColumns(blanks.layout.map { [$0] } ?? []).names(of: column)
    }

    /// Why the cost of the trip is not known.
    public var costReason: BlankReason { blanks.costReason }

    private var blanks: BlankValues { BlankValues(compiled.pipeline, file: detail.file) }

    /// The first and last day that a matched reference row is valid, as its file writes them.
    ///
    /// - Parameter name: A name that a rule read.
    /// - Returns: The days, each nil where the row has none; nil where the name is not of a dated
    ///   row.
    public func validity(
        of name: RuleExplanation.NameReading
    ) -> (from: String?, through: String?)? {
        guard let lookupName = name.name.split(separator: ".").first, let line = name.lineNumber,
            let lookup = compiled.lookups.first(where: { $0.definition.name == lookupName }),
            lookup.definition.validOn != nil,
            let row = lookup.table.lineNumbers.firstIndex(of: UInt32(line))
        else { return nil }
        func day(_ column: String) -> String? {
            guard let index = lookup.table.columnNames.firstIndex(of: column) else { return nil }
            let texts = lookup.table.columns[index].texts
            return texts.pool.string(texts.codes[row])
        }
        return (day(lookup.definition.fromColumn), day(lookup.definition.toColumn))
    }
}

/// What one undetermined trip lacks, as the worklist groups it.
public struct LackingValues: Sendable {
    /// The values it lacks; empty where it lacks none that a rule reads.
    public let gaps: [Worklist.Gap]
    /// What would give it a class: for each field or look-up and each class, the first rule.
    public let settlements: [Worklist.Settlement]

    init(_ detail: TripDetail, _ classifier: TripClassifier) {
        let found = WorklistReader(classifier).read(detail.batch, numbers: [1]).all.first
        gaps = found?.gaps ?? []
        var kinds: Set<String> = []
        settlements = (found.map { Array($0.group.settlements.keys) } ?? [])
            .sorted { ($0.ruleNumber, $0.source) < ($1.ruleNumber, $1.source) }
            .filter { settlement in
                let tripClass = classifier.rules[settlement.ruleNumber - 1].tripClass
                return kinds.insert("\(settlement.source) \(tripClass.word)").inserted
            }
    }
}

/// Why a value of a trip is not known.
public enum BlankReason: Sendable, Hashable {
    /// An expression gave NULL.
    case derived(String)
    /// The layout of the trip's file does not have the value.
    case notInLayout(String)
    /// The export left it blank.
    case blank
}

/// One trip as a plan would classify it.
public struct PlannedTrip: Sendable {
    /// The id of the plan.
    public let plan: String
    /// The trip type as planned.
    public let tripType: String
    /// The region as planned.
    public let region: String
    /// Whether the trip would count.
    public let isCounted: Bool
    /// The rule that would decide; nil where none would.
    public let rule: RuleEntry?

    /// Classifies a stored trip by a plan's rules.
    init(_ plan: PlanBinding, _ detail: TripDetail, _ classifier: TripClassifier) {
        self.plan = plan.id
        let batch = classifier.reclassify(detail.batch).batch
        let shape = classifier.shape
        func text(_ column: Int) -> String {
            let texts = batch.columns[column].texts
            return texts.pool.string(texts.codes[0]) ?? ""
        }
        tripType = text(shape.tripTypeIndex)
        region = text(shape.regionIndex)
        isCounted = batch.counted[0]
        let number = Int(batch.ruleNumbers[0])
        rule = number == 0 ? nil : classifier.rules[number - 1]
    }
}

/// The decision made by hand about the explained trip.
public struct ExplainedOverride: Sendable {
    /// The decision.
    public let override: ManualOverride
    /// The file of the list it is in.
    public let file: String
    /// The last day of the data, which decides whether it has expired.
    public let dataThrough: CivilDate?

    /// Finds the override of a trip, in force or expired; nil where there is none.
    init?(_ tripID: String, _ classifier: TripClassifier, dataThrough: CivilDate?) {
        let list = classifier.overrides
        let index = Array(tripID.utf8).withUnsafeBufferPointer { list?.position(of: $0) }
        guard let list, let index else { return nil }
        override = list.overrides[index]
        file = list.table.file
        self.dataThrough = dataThrough
    }

    /// Whether it decides instead of the rules.
    public var isInForce: Bool { override.isInForce(dataThrough) }

    /// The author, with control characters escaped, so that a terminal does not obey them.
    public var visibleAuthor: String { visible(override.author) }

    /// The reason, with control characters escaped.
    public var visibleReason: String { visible(override.reason) }

    private func visible(_ text: String) -> String {
        UnseenCharacters.namedInCell(text)
    }
}

/// Why a column of a trip is NULL: blank in the export, not in its layout, or derived.
private struct BlankValues {
    private let pipeline: PipelineDefinition
    private let file: SourceFileEntry

    /// Explains the columns of a trip.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline the trip was read by.
    ///   - file: The file it came in.
    init(_ pipeline: PipelineDefinition, file: SourceFileEntry) {
        self.pipeline = pipeline
        self.file = file
    }

    /// Why a column is NULL.
    func reason(for column: String) -> BlankReason {
        if let derived = pipeline.derived.first(where: { $0.name == column }) {
            return .derived(derived.expression.text)
        }
        return isLacking(column) ? .notInLayout(file.layout) : .blank
    }

    /// Why the cost is not known.
    var costReason: BlankReason {
        isLacking((pipeline.kpis.costField ?? "") + "_cents") ? .notInLayout(file.layout) : .blank
    }

    /// Whether no field of the file's layout fills a column.
    private func isLacking(_ column: String) -> Bool {
        guard let layout else { return false }
        return !layout.fields.contains { $0.ruleColumns.contains(column) }
    }

    /// The layout of the trip's file; nil where the pipeline no longer has it.
    var layout: LayoutDefinition? {
        pipeline.sources.first { $0.name == file.source }?
            .layouts.first { $0.name == file.layout }
    }
}
