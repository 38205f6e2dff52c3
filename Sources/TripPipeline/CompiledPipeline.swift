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
    /// - Throws: ``PipelineFaults`` with every expression that cannot be compiled;
    ///   `ReferenceFault` where a reference file cannot be used.
    public init(
        _ pipeline: PipelineDefinition,
        references: [PipelineFile],
        dataThrough: CivilDate?,
        rulesBeside: [RuleText] = []
    ) throws {
        self.pipeline = pipeline
        lookups = try Self.lookups(pipeline.lookups, references)
        classifier = try TripClassifier.of(
            pipeline,
            lookups: lookups,
            overrides: try pipeline.overrides?.list(pipeline.rules + rulesBeside)
        ).overriding(dataThrough: dataThrough)
        localZone = try ZoneFiles.load(pipeline.timeZone, namedBy: "pipeline.yaml")
        zones = try Self.zones(pipeline, lookups: lookups, fallback: localZone)
        var labels: [String: [String: String]] = [:]
        for (dimension, source) in pipeline.labels {
            labels[dimension] = try ReferenceLoader.pairs(
                file: source.file,
                bytes: try Self.content(source.file, references),
                key: source.valueColumn,
                value: source.labelColumn
            )
        }
        self.labels = labels
    }

    /// The lookups with their rows; a file that several lookups read with the same types is loaded
    /// once.
    private static func lookups(
        _ definitions: [LookupDefinition],
        _ references: [PipelineFile]
    ) throws -> [LookupIndex] {
        var loaded: [(lookup: LookupDefinition, table: ReferenceTable)] = []
        return try definitions.map { lookup in
            let known = loaded.first { one in
                one.lookup.file == lookup.file && one.lookup.types == lookup.types
            }?.table.named(lookup.name)
            let table =
                try known
                ?? ReferenceLoader.load(lookup, bytes: Self.content(lookup.file, references))
            if known == nil { loaded.append((lookup, table)) }
            return try LookupIndex(definition: lookup, table: table)
        }
    }

    private static func content(
        _ file: String,
        _ references: [PipelineFile]
    ) throws(PipelineFault) -> [UInt8] {
        guard let found = references.first(where: { $0.path == file }) else {
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
        fallback: TimeZoneRules
    ) throws -> ZoneResolver {
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
            zones[name] = try ZoneFiles.load(name, namedBy: table.file)
        }
        return ZoneResolver(
            fallback: fallback,
            zones: zones,
            lookup: (index, zoneColumn.column),
            shapeColumns: pipeline.fieldColumns
        )
    }
}
