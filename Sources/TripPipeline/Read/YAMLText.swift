import TripRules
internal import Yams

/// A value of a YAML file with its position; every scalar is the text as written.
///
/// `NO`, `007` and `528E5` stay text: nothing is guessed. Anchors and aliases are refused, because
/// a few hundred bytes of them can stand for gigabytes.
public struct YAMLValue {
    /// The value itself.
    enum Content {
        case text(String, isNull: Bool)
        case list([YAMLValue])
        case map([(key: YAMLKey, value: YAMLValue)])
    }

    /// A key of a map with its position.
    struct YAMLKey {
        let text: String
        let line: Int
        let column: Int
    }

    /// Bytes of one file.
    static let sizeLimit = 64 * 1024
    static let depthLimit = 20

    let file: String
    let line: Int
    let column: Int
    let content: Content
    /// Where the faults of its parts are gathered.
    let faults: FaultList

    /// Reads one file.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - file: The file's path, as messages show it.
    ///   - faults: Where the faults of its parts are gathered by those who read them.
    /// - Returns: The value.
    /// - Throws: ``PipelineFault`` where the text is too large, not YAML, or uses what is refused.
    public static func read(
        _ text: String,
        file: String,
        faults: FaultList = FaultList()
    ) throws(PipelineFault) -> YAMLValue {
        guard text.utf8.count <= sizeLimit else {
            throw PipelineFault(
                file: file,
                message: "the file has \(text.utf8.count) bytes; at most \(sizeLimit) are read"
            )
        }
        let parser: Parser
        let node: Node?
        do {
            parser = try Parser(yaml: text)
            node = try parser.singleRoot()
        } catch let error as YamlError {
            throw fault(error, file: file)
        } catch {
            throw PipelineFault(file: file, message: "the file is not YAML")
        }
        // Nodes hold their anchors weakly; the parser keeps them until all nodes were read.
        defer { withExtendedLifetime(parser) {} }
        guard let node else {
            throw PipelineFault(file: file, message: "the file is empty; a map was expected")
        }
        return try YAMLValue(node, file: file, depth: 0, faults)
    }

    private init(
        _ node: Node,
        file: String,
        depth: Int,
        _ faults: FaultList
    ) throws(PipelineFault) {
        self.file = file
        self.faults = faults
        line = node.mark?.line ?? 0
        column = node.mark?.column ?? 0
        guard depth < Self.depthLimit else {
            throw PipelineFault(
                file: file,
                line: node.mark?.line ?? 0,
                column: node.mark?.column ?? 0,
                message: "nested more than \(Self.depthLimit) deep"
            )
        }
        // This comes before anything below is read: an alias may expand to gigabytes.
        guard node.anchor == nil else {
            throw PipelineFault(
                file: file,
                line: node.mark?.line ?? 0,
                column: node.mark?.column ?? 0,
                message: "anchors (&) and aliases (*) are not supported",
                suggestion: "Write the value in full where it is used."
            )
        }
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain || scalar.style == .any
            let isNull = isPlain && ["", "~", "null"].contains(scalar.string)
            content = .text(scalar.string, isNull: isNull)
        case .sequence(let sequence):
            var list: [YAMLValue] = []
            for element in sequence {
                list.append(try YAMLValue(element, file: file, depth: depth + 1, faults))
            }
            content = .list(list)
        case .mapping(let mapping):
            var pairs: [(key: YAMLKey, value: YAMLValue)] = []
            for (key, value) in mapping {
                pairs.append(
                    (
                        try Self.key(key, file: file),
                        try YAMLValue(value, file: file, depth: depth + 1, faults)
                    )
                )
            }
            content = .map(pairs)
        case .alias:
            // The parser replaces an alias by the value of its anchor.
            preconditionFailure("a composed document holds no alias")
        }
    }

    private static func key(_ node: Node, file: String) throws(PipelineFault) -> YAMLKey {
        let (line, column) = (node.mark?.line ?? 0, node.mark?.column ?? 0)
        guard case .scalar(let scalar) = node, scalar.anchor == nil else {
            throw PipelineFault(
                file: file,
                line: line,
                column: column,
                message: "a key that is not a plain word"
            )
        }
        return YAMLKey(text: scalar.string, line: line, column: column)
    }

    private static func fault(_ error: YamlError, file: String) -> PipelineFault {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return PipelineFault(
                file: file,
                line: mark.line,
                column: mark.column,
                message: "not YAML: \(problem)",
                suggestion: problem.contains("unknown escape")
                    ? "Inside double quotes write a backslash twice (\"\\\\d+\"), or use single "
                        + "quotes: '\\d+'."
                    : "Texts with `: `, `#` or a leading quote, `*`, `&`, `[`, `{` need "
                        + "quotes around them."
            )
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.sorted().map { "`\($0)`" }.joined(separator: ", ")
            return PipelineFault(
                file: file,
                line: context.mark.line,
                column: context.mark.column,
                message: "the key \(names) occurs twice in one map",
                suggestion: "Keep one of them."
            )
        default:
            return PipelineFault(file: file, message: "the file is not UTF-8 text")
        }
    }

    /// A fault at this position.
    func fault(_ message: String, suggestion: String = "") -> PipelineFault {
        PipelineFault(
            file: file,
            line: line,
            column: column,
            message: message,
            suggestion: suggestion
        )
    }

    /// The kind of this value, for messages.
    var kindName: String {
        switch content {
        case .text: "text"
        case .list: "a list"
        case .map: "a map"
        }
    }
}
