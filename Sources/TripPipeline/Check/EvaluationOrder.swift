import TripDomain
import TripRules

/// Checks that look-ups and derived fields can be evaluated one after the other.
///
/// A look-up needs the derived fields that it matches, a derived field the look-ups and derived
/// fields that it reads. Derived fields are evaluated in the order in which they are written, each
/// look-up as soon as its keys are known.
struct EvaluationOrder {
    private let lookups: [LookupDefinition]
    private let derived: [String]
    /// What each look-up and each derived field needs of the others, in the order written.
    private let needs: [String: [String]]

    private init(_ pipeline: PipelineDefinition) {
        lookups = pipeline.lookups
        let derived = pipeline.derived.map(\.name)
        let names = Set(derived + lookups.map(\.name))
        var needs: [String: [String]] = [:]
        for lookup in lookups {
            needs[lookup.name] = lookup.keys.map(\.field).filter { derived.contains($0) }
        }
        for field in pipeline.derived {
            // An expression that cannot be parsed has a fault of its own.
            let parsed = try? ParsedExpression(parsing: field.expression.text)
            needs[field.name] = (parsed?.sources ?? []).filter { names.contains($0) }
        }
        (self.derived, self.needs) = (derived, needs)
    }

    /// Notes a circle, or else the derived fields that stand above what they need.
    static func check(_ pipeline: PipelineDefinition, _ positions: PipelinePositions) {
        let order = EvaluationOrder(pipeline)
        if let circle = order.circle {
            positions.note(
                ["lookups", circle[0], "match", circle[1]],
                "look-ups and derived fields need each other in a circle: "
                    + circle.map { "`\($0)`" }.joined(separator: " needs "),
                // A look-up that matches a derived field of its own name needs itself.
                suggestion: circle.count > 2
                    ? "Match a field of the export, or derive `\(circle[1])` without "
                        + "`\(circle[2])`."
                    : "Give the look-up or the derived field another name."
            )
            return
        }
        for (index, name) in order.derived.enumerated() {
            for lookup in order.lookups where order.needs[name]?.contains(lookup.name) == true {
                let later = lookup.keys.map(\.field).first { key in
                    order.derived.firstIndex(of: key).map { $0 >= index } ?? false
                }
                guard let later else { continue }
                positions.note(
                    ["derived", name],
                    "the derived field `\(name)` reads the lookup `\(lookup.name)`, which matches "
                        + "`\(later)`, derived below it",
                    suggestion: "Move `\(later)` above `\(name)`."
                )
            }
        }
    }

    /// A look-up, what it needs, and so on back to it; nil where there is no circle.
    ///
    /// Every circle has a look-up: a derived field reads only those above it.
    private var circle: [String]? {
        for lookup in lookups {
            var seen: Set<String> = []
            if let path = path(from: lookup.name, to: lookup.name, &seen) { return path }
        }
        return nil
    }

    /// The first path found.
    ///
    /// - Complexity: O(*n*) in what is needed: nothing is looked at twice.
    private func path(
        from name: String,
        to goal: String,
        _ seen: inout Set<String>
    ) -> [String]? {
        for next in needs[name] ?? [] {
            if next == goal { return [name, next] }
            guard seen.insert(next).inserted else { continue }
            if let rest = path(from: next, to: goal, &seen) { return [name] + rest }
        }
        return nil
    }
}
