import TripEngine
import TripRules

/// What a value is derived from: the derived fields and look-ups that it reads, directly or through
/// others.
///
/// Where the kind of lines of claims is derived, and one of these changes, lines may be joined to
/// other trips, and trips are stored as joined. Where the cost is derived, records that are no
/// trips would have another one, and the mart keeps none of their fields.
public struct DerivedSources: Sendable {
    /// The definition of each derived field and look-up, by name: equal texts give equal values.
    public private(set) var definitions: [String: ByteText] = [:]
    /// The reference files of the look-ups.
    public private(set) var files: Set<String> = []
    /// The other names that are read: stored columns of fields.
    private(set) var columns: Set<String> = []

    /// What tells the kind of the lines of all sources with `lines`.
    ///
    /// - Parameter pipeline: The pipeline.
    /// - Returns: The sources.
    /// - Complexity: O(*n*) in the size of the expressions, times the derived fields.
    public static func ofLineKinds(_ pipeline: PipelineDefinition) -> DerivedSources {
        DerivedSources(pipeline, of: pipeline.sources.compactMap(\.lines?.kind))
    }

    /// What the cost is derived from; nothing where it is a field.
    ///
    /// - Parameter pipeline: The pipeline.
    /// - Returns: The sources.
    /// - Complexity: O(*n*) in the size of the expressions, times the derived fields.
    public static func ofCost(_ pipeline: PipelineDefinition) -> DerivedSources {
        DerivedSources(pipeline, of: pipeline.derivedCost.map { [$0] } ?? [])
    }

    /// Follows what some fields are read from.
    init(_ pipeline: PipelineDefinition, of names: [String]) {
        var waiting = names
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
