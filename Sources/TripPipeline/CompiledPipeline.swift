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

extension TripClassifier {
    /// Compiles a pipeline's expressions.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - lookups: Its lookups, loaded.
    ///   - overrides: The decisions made by hand; nil where there is no list of them.
    /// - Returns: The classifier.
    /// - Throws: ``PipelineFaults`` with every expression that cannot be compiled.
    static func of(
        _ pipeline: PipelineDefinition,
        lookups: [LookupIndex],
        overrides: OverrideList?
    ) throws(PipelineFaults) -> TripClassifier {
        var faults: [ClassifierFault] = []
        let classifier = compile(
            fieldColumns: pipeline.fieldColumns,
            lookups: lookups,
            derived: pipeline.derived.map { ($0.name, $0.expression.text) },
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
                    decides: rule.decides,
                    leaves: rule.leaves
                )
            },
            overrides: overrides,
            costName: (pipeline.kpis.costField ?? "") + "_cents",
            faults: &faults
        )
        if let classifier { return classifier }
        let located = faults.map { fault in
            let (text, what) = Self.text(of: fault.part, in: pipeline)
            return text.fault(fault.fault, what: what)
        }
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

/// The time zones of the system.
public enum ZoneFiles {
    /// Where compiled zone files lie.
    static let folder = "/usr/share/zoneinfo"

    /// Loads a zone by its name.
    ///
    /// - Parameters:
    ///   - name: Such as `America/New_York`.
    ///   - file: The file that names it, for the message.
    /// - Returns: Its offsets through time.
    /// - Throws: ``PipelineFault`` where the system has no such zone.
    public static func load(
        _ name: String,
        namedBy file: String
    ) throws(PipelineFault) -> TimeZoneRules {
        if name == "UTC" { return TimeZoneRules(name: name, fixedOffset: 0) }
        let isPlain = name.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || (0x30...0x39).contains(byte) || "/_-+".utf8.contains(byte)
        }
        let isInside = isPlain && !name.hasPrefix("/") && !name.isEmpty
        guard isInside, let bytes = try? FileText.read(folder + "/" + name, shown: name),
            // The remedy is the same for every reason why the file cannot be read.
            let rules = TimeZoneRules(name: name, bytes: bytes)
        else {
            throw PipelineFault(
                file: file,
                message: "the time zone '\(name)' is not known to this system",
                suggestion: "Use a name such as America/New_York; zones come with the package "
                    + "tzdata."
            )
        }
        return rules
    }
}
