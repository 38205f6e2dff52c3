import Glibc
import TripDomain
import TripEngine

/// Reads a pipeline folder, or a single pipeline file, into its definition.
public struct PipelineReader {
    /// Reads the texts of a folder: the first file, and others by name.
    let open: (String) throws(PipelineFault) -> [UInt8]
    private(set) var files: [PipelineFile] = []
    /// The `fields` of every layout read so far.
    private var fieldMaps: [YAMLValue] = []

    /// Reads a pipeline from disk.
    ///
    /// - Parameter path: The folder with `pipeline.yaml`, or the file itself.
    /// - Returns: The definition.
    /// - Throws: ``PipelineFault`` at the first fault.
    public static func read(path: String) throws(PipelineFault) -> PipelineDefinition {
        let (base, name) = split(path)
        var reader = PipelineReader { (file: String) throws(PipelineFault) in
            try FileText.read(base + "/" + file, shown: file)
        }
        return try reader.read(start: name)
    }

    /// The first file of a pipeline.
    public static func startPath(_ path: String) -> String {
        let (base, name) = split(path)
        return base + "/" + name
    }

    /// The folder of a pipeline.
    public static func folder(of path: String) -> String { split(path).base }

    /// The folder of a pipeline, and the name of its first file.
    private static func split(_ path: String) -> (base: String, name: String) {
        let isFile = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let name = isFile ? String(parts.last ?? "") : "pipeline.yaml"
        let folder =
            isFile ? parts.dropLast().joined(separator: "/") : path
        return (folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, name)
    }

    /// Reads a pipeline from texts that were stored with a generation.
    ///
    /// - Parameter files: The files; `pipeline.yaml`, or the only one, is the first.
    /// - Returns: The definition.
    /// - Throws: ``PipelineFault`` at the first fault.
    public static func read(files: [PipelineFile]) throws(PipelineFault) -> PipelineDefinition {
        var reader = PipelineReader { (name: String) throws(PipelineFault) in
            guard let file = files.first(where: { $0.path == name }) else {
                throw PipelineFault(file: name, message: "the file is not among the stored ones")
            }
            return file.content
        }
        let start = files.first { $0.path == "pipeline.yaml" } ?? files.first
        return try reader.read(start: start?.path ?? "pipeline.yaml")
    }

    private init(open: @escaping (String) throws(PipelineFault) -> [UInt8]) {
        self.open = open
    }

    /// Opens one of the folder's files and keeps its bytes.
    private mutating func bytes(_ path: String) throws(PipelineFault) -> [UInt8] {
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw PipelineFault(
                file: path,
                message: "the path leads out of the pipeline folder",
                suggestion: "Name files by their path below the folder."
            )
        }
        let bytes = try open(path)
        if !files.contains(where: { $0.path == path }) {
            files.append(PipelineFile(path: path, content: bytes))
        }
        return bytes
    }

    /// Opens one of the folder's YAML files.
    mutating func yaml(_ path: String) throws(PipelineFault) -> YAMLValue {
        let bytes = try bytes(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PipelineFault(file: path, message: "the file is not UTF-8 text")
        }
        return try YAMLValue.read(text, file: path)
    }

    private mutating func read(start: String) throws(PipelineFault) -> PipelineDefinition {
        var map = try YAMLMap(try yaml(start), "the pipeline")
        let name = try map.required("pipeline", "pipeline: ambulance")
        let nameText = try name.text("`pipeline`")
        try FieldReader.checkName(nameText, at: name, what: "pipeline")
        let zone = try map.text("time_zone")
        let zoneLookup = try map.optional("zone_from").map(Self.zoneLookup)
        let changes = try map.optional("changes").map(Self.changes)
        let topFields = map.optional("fields")
        let kpis = try KPIReader.read(map.optional("kpis"))
        let sources = try sources(
            try map.required("sources", "sources: {trips: {files: \"*.csv*\"}}"),
            fields: topFields
        )
        let tripIDs = try map.word("trip_ids", of: PipelineDefinition.TripIDs.allCases)
        let lookups = try LookupReader.read(map.optional("lookups"))
        let derived = try Self.derived(map.optional("derived"))
        let rules = try rules(map.optional("rules"))
        let overrides = try overrides(map.optional("overrides"))
        let checks = try CheckReader.read(map.optional("checks"))
        let labels = try LookupReader.labels(map.optional("dimensions"))
        try map.finish()
        var definition = PipelineDefinition(
            name: nameText,
            timeZone: zone ?? "UTC",
            zoneLookup: zoneLookup ?? nil,
            ruleChanges: changes?.rules ?? .hold,
            referenceChanges: changes?.reference ?? .hold,
            approval: changes?.approval ?? .publisher,
            tripIDs: tripIDs ?? .versioned,
            sources: sources,
            lookups: lookups.definitions,
            lookupPositions: lookups.positions,
            undatedLookups: lookups.undated,
            derived: derived,
            rules: rules,
            overrides: overrides,
            kpis: kpis,
            checks: checks,
            labels: labels,
            files: files,
            fieldColumns: []
        )
        if !kpis.isCostDeclared,
            !sources.flatMap(\.layouts).flatMap(\.fields).contains(where: {
                $0.name == kpis.costField
            })
        {
            definition.kpis.costField = nil
        }
        let positions = PipelinePositions(root: map.value, fields: fieldMaps)
        definition.fieldColumns = try FieldConsistency.columns(
            sources.flatMap(\.layouts),
            positions
        )
        try PipelineConsistency.check(definition, positions)
        return definition
    }

    private static func zoneLookup(
        _ value: YAMLValue
    ) throws(PipelineFault) -> (lookup: String, column: String)? {
        let parts = try value.text("`zone_from`").split(separator: ".").map(String.init)
        guard parts.count == 2 else {
            throw value.fault("`zone_from` must be `lookup.column`, such as `site.time_zone`")
        }
        return (parts[0], parts[1])
    }

    private static func changes(
        _ value: YAMLValue
    ) throws(PipelineFault) -> (
        rules: PipelineDefinition.ChangePolicy?, reference: PipelineDefinition.ChangePolicy?,
        approval: PipelineDefinition.ApprovalPolicy?
    ) {
        var map = try YAMLMap(value, "`changes`")
        let words = PipelineDefinition.ChangePolicy.allCases
        let result = (
            rules: try map.word("rules", of: words),
            reference: try map.word("reference", of: words),
            approval: try map.word("approval", of: PipelineDefinition.ApprovalPolicy.allCases)
        )
        try map.finish()
        let applies = result.rules == .apply || result.reference == .apply
        guard result.approval != .dualControl || !applies else {
            throw value.fault(
                "`approval: second_person` and `apply` contradict each other: a run would publish "
                    + "edits without approval",
                suggestion: "Write hold, or leave `approval` out."
            )
        }
        return result
    }

    private static func derived(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> [PipelineDefinition.DerivedField] {
        guard let value else { return [] }
        var fields: [PipelineDefinition.DerivedField] = []
        for (key, expression) in try YAMLMap(value, "`derived`").entries {
            try FieldReader.checkName(key.text, at: expression, what: "derived field")
            fields.append(
                PipelineDefinition.DerivedField(
                    name: key.text,
                    expression: try expression.located("`\(key.text)`")
                )
            )
        }
        return fields
    }

    private mutating func rules(_ value: YAMLValue?) throws(PipelineFault) -> [RuleText] {
        guard let value else { return [] }
        if case .text(let path, _) = value.content {
            return try RuleReader.read(try yaml(path))
        }
        return try RuleReader.read(value)
    }

    private mutating func overrides(_ value: YAMLValue?) throws(PipelineFault) -> OverrideFile? {
        guard let value, let path = try value.textOrNull("`overrides`") else { return nil }
        guard !path.isEmpty else {
            throw value.fault("`overrides` is blank; expected a path, such as overrides.csv")
        }
        guard !files.contains(where: { $0.path == path }) else {
            throw value.fault("`overrides` names \(path), which is already read as another part")
        }
        return try OverrideFile(path: path, content: bytes(path))
    }

    private mutating func sources(
        _ value: YAMLValue,
        fields: YAMLValue?
    ) throws(PipelineFault) -> [SourceDefinition] {
        var sources: [SourceDefinition] = []
        var usesFields = false
        for (key, entry) in try YAMLMap(value, "`sources`").entries {
            try FieldReader.checkName(key.text, at: entry, what: "source")
            var map = try YAMLMap(entry, "the source `\(key.text)`")
            let named = map.optional("layout") ?? map.optional("layouts")
            usesFields = usesFields || named == nil
            let layouts = try layouts(
                named,
                fields: fields,
                at: entry
            )
            var source = try SourceReader.read(&map, name: key.text)
            source.layouts = layouts
            try map.finish()
            sources.append(source)
        }
        guard !sources.isEmpty else { throw value.fault("`sources` names no source") }
        if let fields, !usesFields {
            throw fields.fault(
                "the pipeline's own `fields` are used by no source: every source names layouts",
                suggestion: "Move them into a layout file, or remove them."
            )
        }
        return sources
    }

    /// The layouts of one source: files it names, or the pipeline's own `fields`.
    private mutating func layouts(
        _ value: YAMLValue?,
        fields: YAMLValue?,
        at source: YAMLValue
    ) throws(PipelineFault) -> [LayoutDefinition] {
        guard let value else {
            guard let fields else {
                throw source.fault(
                    "the source has neither `layout` nor does the pipeline have `fields`",
                    suggestion: "Name a layout file, or write the fields into the pipeline."
                )
            }
            fieldMaps.append(fields)
            return [
                LayoutDefinition(name: "", fields: try FieldReader.read(fields))
            ]
        }
        var layouts: [LayoutDefinition] = []
        for path in try value.texts("`layouts`") {
            var map = try YAMLMap(try yaml(path), "the layout")
            let name = try map.required("layout", "layout: native").text("`layout`")
            let declared = try map.required("fields", "fields: {trip_id: Trip Number}")
            fieldMaps.append(declared)
            let ignored = try map.optional("ignore")?.texts("`ignore`") ?? []
            try map.finish()
            guard !layouts.contains(where: { $0.name == name }) else {
                throw map.value.fault("the layout `\(name)` is defined twice")
            }
            layouts.append(
                LayoutDefinition(
                    name: name,
                    fields: try FieldReader.read(declared),
                    ignoredColumns: ignored
                )
            )
        }
        return layouts
    }
}

extension YAMLValue {
    /// The text of this value, with its position.
    func located(_ what: String) throws(PipelineFault) -> LocatedText {
        LocatedText(text: try text(what), file: file, line: line, column: column)
    }
}
