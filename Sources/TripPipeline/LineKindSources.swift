import TripEngine
import TripRules

/// What tells the kind of lines of claims, where that is a derived field: the derived fields and
/// look-ups that it reads, directly or through others.
///
/// Trips are stored as joined. Where one of these changes, lines may be joined to other trips.
public struct LineKindSources: Sendable {
    /// The definition of each derived field and look-up, by name: equal texts give equal kinds.
    public private(set) var definitions: [String: ByteText] = [:]
    /// The reference files of the look-ups.
    public private(set) var files: Set<String> = []
    /// The other names that are read: stored columns of fields.
    private(set) var columns: Set<String> = []

    /// Follows what is read from the kinds of all sources with `lines`.
    ///
    /// - Parameter pipeline: The pipeline.
    /// - Complexity: O(*n*) in the size of the expressions, times the derived fields.
    public init(_ pipeline: PipelineDefinition) {
        self.init(pipeline, kinds: pipeline.sources.compactMap(\.lines?.kind))
    }

    /// Follows what is read from some fields.
    init(_ pipeline: PipelineDefinition, kinds: [String]) {
        var waiting = kinds
        while let name = waiting.popLast() {
            guard definitions[name] == nil else { continue }
            if let field = pipeline.derived.first(where: { $0.name == name }) {
                definitions[name] = ByteText(field.expression.text)
                // An expression that cannot be parsed has a fault of its own.
                let parsed = try? ParsedExpression(parsing: field.expression.text)
                waiting += parsed?.sources ?? []
            } else if let lookup = pipeline.lookups.first(where: { $0.name == name }) {
                definitions[name] = ByteText(DecisionText.lookup(lookup))
                files.insert(lookup.file)
                waiting += lookup.keys.map(\.field)
            } else {
                columns.insert(name)
            }
        }
    }
}
