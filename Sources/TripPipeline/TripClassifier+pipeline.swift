import TripDomain
import TripEngine
public import TripRules

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
