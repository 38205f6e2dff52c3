public import TripDomain
public import TripEngine
public import TripRules

/// A pipeline with its reference files loaded and its expressions compiled: ready to classify.
public struct CompiledPipeline: Sendable {
    /// The pipeline as it is written.
    public let pipeline: PipelineDefinition
    /// The look-ups, loaded, in the order of the pipeline.
    public let lookups: [LookupIndex]
    /// The classifier of its rules.
    public let classifier: TripClassifier
    /// The time zones of its time stamps.
    public let zones: ZoneResolver
    /// Labels per dimension, by value.
    public let labels: [String: [String: String]]
    /// The pipeline's own zone.
    public let localZone: TimeZoneRules

    /// Compiles a pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - references: The reference files it names.
    ///   - dataThrough: The last day of the trips to classify, which decides whether an override
    ///     has expired; nil where it is not known yet, so that no override is in force.
    ///   - rulesBeside: Further rules whose classes and bases overrides may use. Between one folder
    ///     and the next, a rule may be removed before the override that needs it, or added after
    ///     it.
    /// - Throws: ``PipelineFaults`` with every expression, reference file and override that cannot
    ///   be used; `ReferenceFaults` where that is a single reference file.
    public init(
        _ pipeline: PipelineDefinition,
        references: [PipelineFile],
        dataThrough: CivilDate?,
        rulesBeside: [RuleText] = []
    ) throws {
        let faults = FaultList()
        let compiled = try Self.compile(
            pipeline,
            references: references,
            dataThrough: dataThrough,
            rulesBeside: rulesBeside,
            faults
        )
        guard let compiled else { throw faults.error }
        self = compiled
    }

    /// Compiles a pipeline as far as it can be compiled.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline, perhaps without the parts that could not be read.
    ///   - references: The reference files it names; none of a file whose fault is noted.
    ///   - dataThrough: The last day of the trips to classify.
    ///   - rulesBeside: Further rules whose classes and bases overrides may use.
    ///   - faults: The faults of what could not be read; further ones are added.
    /// - Returns: The pipeline; nil where any fault is noted.
    /// - Throws: Any error that is no fault of the pipeline.
    public static func compile(
        _ pipeline: PipelineDefinition,
        references: [PipelineFile],
        dataThrough: CivilDate?,
        rulesBeside: [RuleText] = [],
        _ faults: FaultList
    ) throws -> CompiledPipeline? {
        let lookups = try Self.lookups(pipeline.lookups, references, faults)
        var overrides: OverrideList?
        do {
            overrides = try pipeline.overrides?.list(pipeline.rules + rulesBeside)
        } catch {
            // An override may have the class and basis of a rule that could not be read.
            if faults.isEmpty { try faults.note(error: error) }
        }
        var classifier: TripClassifier?
        do {
            classifier = try TripClassifier.of(
                pipeline,
                lookups: lookups,
                overrides: overrides,
                faults
            )
        } catch {
            try faults.note(error: error)
        }
        if let classifier { LineConsistency.checkKinds(pipeline, classifier.shape, faults) }
        let localZone = faults.noting { () throws(PipelineFault) in
            try ZoneFiles.load(
                pipeline.timeZone,
                namedBy: pipeline.files.first?.path ?? "pipeline.yaml",
                line: pipeline.timeZoneLine
            )
        }
        let zones = faults.noting { () throws(PipelineFault) in
            // Zones of a reference file are looked for even where the pipeline's own is not known.
            try Self.zones(
                pipeline,
                lookups: lookups,
                fallback: localZone ?? TimeZoneRules(name: "UTC", fixedOffset: 0),
                faults
            )
        }
        let labels = try Self.labels(pipeline.labels, references, faults)
        if !faults.isEmpty { TripClassifier.noteExamples(of: pipeline, lookups: lookups, faults) }
        guard faults.isEmpty, let classifier, let localZone, let zones else {
            return nil
        }
        return CompiledPipeline(
            pipeline: pipeline,
            lookups: lookups,
            classifier: classifier.overriding(dataThrough: dataThrough),
            zones: zones,
            labels: labels,
            localZone: localZone
        )
    }

    private init(
        pipeline: PipelineDefinition,
        lookups: [LookupIndex],
        classifier: TripClassifier,
        zones: ZoneResolver,
        labels: [String: [String: String]],
        localZone: TimeZoneRules
    ) {
        self.pipeline = pipeline
        self.lookups = lookups
        self.classifier = classifier
        self.zones = zones
        self.labels = labels
        self.localZone = localZone
    }

    /// The lookups with their rows; a file that several lookups read with the same types is loaded
    /// once.
    private static func lookups(
        _ definitions: [LookupDefinition],
        _ references: [PipelineFile],
        _ faults: FaultList
    ) throws -> [LookupIndex] {
        var loaded: [(lookup: LookupDefinition, table: ReferenceTable)] = []
        var indexes: [LookupIndex] = []
        for lookup in definitions where !faults.unreadNames.contains(lookup.name) {
            do {
                let known = loaded.first { one in
                    ByteText(one.lookup.file) == ByteText(lookup.file)
                        && one.lookup.types == lookup.types
                }?.table.named(lookup.name)
                let table =
                    try known
                    ?? ReferenceLoader.load(lookup, bytes: Self.content(lookup.file, references))
                if known == nil { loaded.append((lookup, table)) }
                indexes.append(try LookupIndex(definition: lookup, table: table))
            } catch {
                try faults.note(error: error)
                faults.leaveOut(lookup.name)
            }
        }
        return indexes
    }

    private static func labels(
        _ sources: [String: PipelineDefinition.LabelSource],
        _ references: [PipelineFile],
        _ faults: FaultList
    ) throws -> [String: [String: String]] {
        var labels: [String: [String: String]] = [:]
        for (dimension, source) in sources.sorted(by: { $0.key < $1.key }) {
            // A file that could not be read is noted already.
            guard faults.isEmpty || references.file(source.file) != nil else { continue }
            do {
                labels[dimension] = try ReferenceLoader.pairs(
                    file: source.file,
                    bytes: try Self.content(source.file, references),
                    key: source.valueColumn,
                    value: source.labelColumn
                )
            } catch {
                try faults.note(error: error)
            }
        }
        return labels
    }

    private static func content(
        _ file: String,
        _ references: [PipelineFile]
    ) throws(PipelineFault) -> [UInt8] {
        guard let found = references.file(file) else {
            throw PipelineFault(
                file: file,
                message: "the reference file is missing",
                suggestion: "Put it into the reference folder, or name another with --reference."
            )
        }
        return found.content
    }

    private static func zones(
        _ pipeline: PipelineDefinition,
        lookups: [LookupIndex],
        fallback: TimeZoneRules,
        _ faults: FaultList
    ) throws(PipelineFault) -> ZoneResolver {
        guard let zoneColumn = pipeline.zoneLookup,
            let index = lookups.first(where: { $0.definition.name == zoneColumn.lookup })
        else {
            return ZoneResolver(
                fallback: fallback,
                zones: [:],
                lookup: nil,
                shapeColumns: pipeline.fieldColumns
            )
        }
        let table = index.table
        guard let column = table.columnNames.firstIndex(of: zoneColumn.column),
            case .text(let names) = table.columns[column]
        else {
            throw PipelineFault(
                file: table.file,
                line: 1,
                message: "`zone_from` needs the text column '\(zoneColumn.column)'",
                suggestion: Suggestion.text(for: zoneColumn.column, among: table.columnNames)
            )
        }
        var zones: [String: TimeZoneRules] = [:]
        for code in 1..<max(1, UInt32(names.pool.count)) {
            guard let name = names.pool.string(code) else { continue }
            let row = names.codes.firstIndex(of: code) ?? 0
            zones[name] = faults.noting { () throws(PipelineFault) in
                try ZoneFiles.load(
                    name,
                    namedBy: table.file,
                    line: Int(table.lineNumbers[row])
                )
            }
        }
        return ZoneResolver(
            fallback: fallback,
            zones: zones,
            lookup: (index, zoneColumn.column),
            shapeColumns: pipeline.fieldColumns
        )
    }
}

extension PipelineDefinition {
    /// The measures that count trips of which a condition holds, in order.
    var countedConditions: [MeasureDefinition] {
        kpis.measures.filter { $0.measure.kind == .count }
    }
}

extension TripClassifier {
    /// Compiles a pipeline's expressions.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - lookups: Its lookups, loaded.
    ///   - overrides: The decisions made by hand; nil where there is no list of them.
    ///   - read: The faults of what could not be read.
    /// - Returns: The classifier; nil where only what could not be read is missing.
    /// - Throws: ``PipelineFaults`` with every expression that cannot be compiled, except for those
    ///   that name what could not be read.
    static func of(
        _ pipeline: PipelineDefinition,
        lookups: [LookupIndex],
        overrides: OverrideList?,
        _ read: FaultList
    ) throws(PipelineFaults) -> TripClassifier? {
        var faults: [ClassifierFault] = []
        let codes = pipeline.codeFields
        let classifier = compile(
            fieldColumns: pipeline.fieldColumns,
            lookups: lookups,
            // The condition of a count is stored with every trip, under the measure's name.
            derived: pipeline.derived.map { ($0.name, $0.expression.text) }
                + pipeline.countedConditions.map { ($0.measure.name, $0.text.text) },
            countWhen: pipeline.kpis.countWhen?.text,
            rules: pipeline.rules.map { rule in
                RuleDefinition(
                    id: rule.id,
                    tripClass: rule.tripClass,
                    basis: rule.basis,
                    because: rule.because,
                    condition: rule.when.text,
                    validFrom: rule.validFrom,
                    validTo: rule.validTo,
                    decides: rule.decides.map { Self.stored($0, codes: codes) },
                    leaves: rule.leaves.map { Self.stored($0, codes: codes) }
                )
            },
            overrides: overrides,
            costName: (pipeline.kpis.costField ?? "") + "_cents",
            lateNames: pipeline.lateFields,
            measures: pipeline.kpis.measures.map(\.measure),
            dimensions: pipeline.kpis.dimensions.map(\.dimension),
            faults: &faults
        )
        if let classifier { return classifier }
        for fault in faults {
            if case .derived(let index) = fault.part, index < pipeline.derived.count {
                read.leaveOut(pipeline.derived[index].name)
            }
        }
        let located = faults.filter { fault in
            guard fault.fault.code == .unknownName else { return true }
            let text = Self.text(of: fault.part, in: pipeline).0.text
            let name = text.utf8.dropFirst(fault.fault.offset).prefix(fault.fault.length)
            return !read.mayBeUnread(String(decoding: name, as: UTF8.self))
        }.map { fault in
            let (text, what) = Self.text(of: fault.part, in: pipeline)
            return text.fault(fault.fault, what: what)
        }
        guard !located.isEmpty || read.isEmpty else { return nil }
        throw PipelineFaults(
            faults: located.isEmpty
                ? [
                    PipelineFault(
                        file: pipeline.files.first?.path ?? "pipeline.yaml",
                        message: "the trips lack the text `trip_id`, `region` or `trip_type`, or "
                            + "the time stamp `pickup_at`",
                        suggestion: "Add the field with that type."
                    )
                ] : located
        )
    }

    private static func text(
        of part: ClassifierFault.Part,
        in pipeline: PipelineDefinition
    ) -> (LocatedText, String) {
        switch part {
        case .derived(let index) where index >= pipeline.derived.count:
            let count = pipeline.countedConditions[index - pipeline.derived.count]
            return (count.text, "the measure `\(count.measure.name)`")
        case .measure(let index):
            let measure = pipeline.kpis.measures[index]
            return (measure.text, "the measure `\(measure.measure.name)`")
        case .dimension(let index):
            let dimension = pipeline.kpis.dimensions[index]
            return (dimension.text, "the dimension `\(dimension.dimension.name)`")
        case .derived(let index):
            let field = pipeline.derived[index]
            return (field.expression, "the derived field `\(field.name)`")
        case .countWhen:
            guard let text = pipeline.kpis.countWhen else {
                preconditionFailure("only an existing condition can have a fault")
            }
            return (text, "`count_when`")
        case .rule(let index):
            return (pipeline.rules[index].when, "the rule `\(pipeline.rules[index].id)`")
        }
    }
}

extension LocatedText {
    /// Compiles the text as the condition of a check, whose names are measures.
    ///
    /// - Throws: ``PipelineFault`` at the text's position, with the text and a caret.
    public func compiled(
        in scope: ExpressionScope,
        as expectation: ExpressionScope.Expectation
    ) throws(PipelineFault) -> Program {
        var scope = scope
        scope.noun = "measure"
        do throws(ExpressionFault) {
            return try scope.compile(try ParsedExpression(parsing: text), expecting: expectation)
        } catch {
            throw fault(error, what: "the condition")
        }
    }

    /// An expression's fault as a fault of the pipeline file.
    func fault(_ fault: ExpressionFault, what: String) -> PipelineFault {
        PipelineFault(
            file: file,
            line: line,
            column: column,
            message: "\(what): " + fault.rendered(in: text)
        )
    }
}
