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
        if let classifier { ClaimLineConsistency.checkKinds(pipeline, classifier.shape, faults) }
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
