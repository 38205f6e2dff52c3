import TripDomain
import TripEngine
import TripPipeline
import TripRules

/// One check's condition, evaluated over the measures of a run.
struct CheckCondition {
    /// The value of the condition; unknown where a measure it names is not known yet.
    let truth: Truth
    /// The measures it names with their values.
    let detail: String

    init(_ condition: LocatedText, measures: CheckMeasures) throws {
        let program = try Self.compile(condition, names: measures.measures.map(\.name))
        let columns = measures.measures.map { measure in
            Column.real(
                RealColumn(values: [measure.value ?? 0], nulls: [measure.value == nil])
            )
        }
        truth = program.truths(Frame(rowCount: 1, columns: columns))[0]
        let named = Set(program.namesUsed)
        detail = measures.measures.filter { named.contains($0.name) }
            .map { "\($0.name) is \($0.shown)" }.joined(separator: ", ")
    }

    /// Compiles a condition over the names of measures.
    static func compile(
        _ condition: LocatedText,
        names: [String]
    ) throws(PipelineFault) -> Program {
        let scope = ExpressionScope(columns: names.map { ScopeColumn(name: $0, kind: .decimal) })
        return try condition.compiled(in: scope, as: .condition)
    }
}
