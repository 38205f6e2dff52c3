import Glibc
import TripEngine

/// Reads a pipeline folder, or a single pipeline file, into its definition.
public struct PipelineReader {
    /// Reads the texts of a folder: the first file, and others by name.
    let open: (String) throws(PipelineFault) -> [UInt8]
    /// Whether the texts are those of a generation, which were accepted when it was published.
    let isStored: Bool
    private(set) var files: [PipelineFile] = []
    /// The `fields` of every layout read so far.
    var fieldMaps: [YAMLValue] = []
    let faults = FaultList()

    /// Reads a pipeline from disk.
    ///
    /// - Parameter path: The folder with `pipeline.yaml`, or the file itself.
    /// - Returns: The definition.
    /// - Throws: ``PipelineFaults`` with every fault of its files. Where a file is not YAML, that
    ///   is its only one.
    public static func read(path: String) throws(PipelineFaults) -> PipelineDefinition {
        try examine(path: path).whole()
    }

    /// Reads a pipeline from disk as far as it can be read.
    ///
    /// - Parameter path: The folder with `pipeline.yaml`, or the file itself.
    /// - Returns: What was read, and every fault of its files.
    public static func examine(path: String) -> PipelineReading {
        let (base, name) = split(path)
        let isFolder = base.utf8.elementsEqual(path.utf8)
        var reader = PipelineReader(isStored: false) { (file: String) throws(PipelineFault) in
            // A file that the user names is read wherever it lies.
            try !isFolder && file == name
                ? FileText.read(base + "/" + file, shown: file) : FileText.read(file, in: base)
        }
        return reader.read(start: name)
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
    /// - Throws: ``PipelineFaults`` with every fault of the files.
    public static func read(files: [PipelineFile]) throws(PipelineFaults) -> PipelineDefinition {
        try examine(files: files).whole()
    }

    /// Reads a pipeline from texts as far as it can be read.
    ///
    /// - Parameter files: The files; `pipeline.yaml`, or the only one, is the first.
    /// - Returns: What was read, and every fault of the files.
    static func examine(files: [PipelineFile]) -> PipelineReading {
        var reader = PipelineReader(isStored: true) { (name: String) throws(PipelineFault) in
            guard let file = files.file(name) else {
                throw PipelineFault(file: name, message: "the file is not among the stored ones")
            }
            return file.content
        }
        let start = files.first { $0.path == "pipeline.yaml" } ?? files.first
        return reader.read(start: start?.path ?? "pipeline.yaml")
    }

    private init(
        isStored: Bool,
        open: @escaping (String) throws(PipelineFault) -> [UInt8]
    ) {
        self.isStored = isStored
        self.open = open
    }

    /// Opens one of the folder's files and keeps its bytes.
    private mutating func bytes(_ path: String) throws(PipelineFault) -> [UInt8] {
        if let objection = FileText.objection(to: path, folder: "pipeline folder") {
            throw PipelineFault(
                file: path,
                message: "the path \(objection)",
                suggestion: FileText.pathAdvice
            )
        }
        let bytes = try open(path)
        if files.file(path) == nil {
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
        return try YAMLValue.read(text, file: path, faults: faults)
    }

    private mutating func read(start: String) -> PipelineReading {
        let definition = faults.noting { () throws(PipelineFault) in try self.definition(start) }
        faults.sort(by: files.map(\.path))
        return PipelineReading(pipeline: definition, faults: faults)
    }

    /// The definition as far as it can be read; the faults of its parts are noted.
    private mutating func definition(_ start: String) throws(PipelineFault) -> PipelineDefinition {
        var map = try YAMLMap(try yaml(start), "the pipeline")
        let name = faults.noting { () throws(PipelineFault) in try Self.name(&map) }
        let zoneLine = map.optional("time_zone")?.line ?? 0
        let zone = faults.noting { () throws(PipelineFault) in try map.text("time_zone") }
        let zoneLookup = faults.noting { () throws(PipelineFault) in
            try map.optional("zone_from").map(Self.zoneLookup)
        }
        let changes = faults.noting { () throws(PipelineFault) in
            try map.optional("changes").map(Self.changes)
        }
        let kpis = faults.noting { () throws(PipelineFault) in
            try KPIReader.read(map.optional("kpis"))
        }
        let topFields = map.optional("fields")
        let sources = faults.noting(naming: nil) { () throws(PipelineFault) in
            let value = try map.required("sources", "sources: {trips: {files: \"*.csv\"}}")
            return try self.sources(value, fields: topFields)
        }
        let tripIDs = faults.noting { () throws(PipelineFault) in
            try map.word("trip_ids", of: PipelineDefinition.TripIDs.allCases)
        }
        let lookups = faults.noting(naming: nil) { () throws(PipelineFault) in
            try LookupReader.read(map.optional("lookups"), isStored: self.isStored)
        }
        let derived = faults.noting(naming: nil) { () throws(PipelineFault) in
            try Self.derived(map.optional("derived"))
        }
        let rules = faults.noting { () throws(PipelineFault) in
            try self.rules(map.optional("rules"))
        }
        let overrides = faults.noting { () throws(PipelineFault) in
            try self.overrides(map.optional("overrides"))
        }
        let checks = faults.noting { () throws(PipelineFault) in
            try CheckReader.read(map.optional("checks"))
        }
        let labels = faults.noting { () throws(PipelineFault) in
            try LookupReader.labels(map.optional("dimensions"), isStored: self.isStored)
        }
        faults.noting(map.finish)
        let noKPIs = try KPIReader.read(nil)
        var definition = PipelineDefinition(
            name: name ?? "",
            timeZone: (zone ?? nil) ?? "UTC",
            zoneLookup: (zoneLookup ?? nil) ?? nil,
            ruleChanges: (changes ?? nil)?.rules ?? .hold,
            referenceChanges: (changes ?? nil)?.reference ?? .hold,
            approval: (changes ?? nil)?.approval ?? .publisher,
            tripIDs: (tripIDs ?? nil) ?? .versioned,
            sources: sources ?? [],
            lookups: lookups?.definitions ?? [],
            lookupPositions: lookups?.positions ?? [:],
            undatedLookups: lookups?.undated ?? [],
            derived: derived ?? [],
            rules: rules ?? [],
            overrides: overrides ?? nil,
            kpis: kpis ?? noKPIs,
            checks: checks ?? [],
            labels: labels ?? [:],
            files: files,
            fieldColumns: []
        )
        definition.timeZoneLine = zoneLine
        check(&definition, map.value)
        return definition
    }

    /// Checks that the parts agree with each other.
    private func check(_ definition: inout PipelineDefinition, _ root: YAMLValue) {
        let fields = definition.sources.flatMap(\.layouts).flatMap(\.fields)
        if !definition.kpis.isCostDeclared,
            !fields.contains(where: { $0.name == definition.kpis.costField })
        {
            definition.kpis.costField = nil
        }
        let positions = PipelinePositions(root: root, fields: fieldMaps)
        definition.fieldColumns = FieldConsistency.columns(
            definition.sources.flatMap(\.layouts),
            positions
        )
        PipelineConsistency.check(definition, positions)
        let layouts = definition.sources.flatMap(\.layouts)
        definition.warnings =
            FieldConsistency.formatConflicts(layouts, positions)
            + FieldConsistency.missingDayFormats(layouts, positions)
    }

    private static func name(_ map: inout YAMLMap) throws(PipelineFault) -> String {
        let name = try map.required("pipeline", "pipeline: ambulance")
        let text = try name.text("`pipeline`")
        try FieldReader.checkName(text, at: name, what: "pipeline")
        return text
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
        guard files.file(path) == nil else {
            throw value.fault("`overrides` names \(path), which is already read as another part")
        }
        let content = try bytes(path)
        do throws(PipelineFaults) {
            return try OverrideFile(path: path, content: content)
        } catch {
            for fault in error.faults { faults.note(fault) }
            return nil
        }
    }

    private mutating func sources(
        _ value: YAMLValue,
        fields: YAMLValue?
    ) throws(PipelineFault) -> [SourceDefinition] {
        var sources: [SourceDefinition] = []
        var usesFields = false
        let entries = try YAMLMap(value, "`sources`").entries
        for (key, entry) in entries {
            faults.noting(naming: nil) { () throws(PipelineFault) in
                var map = try YAMLMap(entry, "the source `\(key.text)`")
                let named = map.optional("layout") ?? map.optional("layouts")
                usesFields = usesFields || named == nil
                var source = SourceReader.read(&map, name: key.text)
                faults.noting(map.finish)
                faults.noting { () throws(PipelineFault) in
                    try FieldReader.checkName(key.text, at: entry, what: "source")
                }
                source.layouts = try self.layouts(named, fields: fields, at: entry)
                sources.append(source)
            }
        }
        guard !entries.isEmpty else { throw value.fault("`sources` names no source") }
        if let fields, !usesFields {
            faults.note(
                fields.fault(
                    "the pipeline's own `fields` are used by no source: every source names layouts",
                    suggestion: "Move them into a layout file, or remove them."
                )
            )
        }
        return sources
    }
}

extension YAMLValue {
    /// The text of this value, with its position.
    func located(_ what: String) throws(PipelineFault) -> LocatedText {
        LocatedText(text: try text(what), file: file, line: line, column: column)
    }
}
