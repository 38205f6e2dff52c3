import TripDomain
import TripRules

extension PipelineDefinition {
    /// The measures that count trips of which a condition holds, in order.
    var countedConditions: [MeasureDefinition] {
        kpis.measures.filter { $0.measure.kind == .count }
    }

    /// The derived field that is summed; nil where the summed amount is a field, or there is none.
    public var derivedCost: String? {
        kpis.costField.flatMap { name in
            let isField = fieldColumns.contains {
                $0.name == ShapeColumn.name(ofField: name, .money) && $0.kind == .money
            }
            return !isField && derived.contains { $0.name == name } ? name : nil
        }
    }

    /// The name of the column that is summed; empty where there is none.
    var costColumn: String {
        derivedCost ?? kpis.costField.map { ShapeColumn.name(ofField: $0, .money) } ?? ""
    }
}

extension TripClassifier {
    /// Compiles a pipeline's expressions.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - lookups: Its lookups, loaded.
    ///   - overrides: The decisions made by hand; nil where there is no list of them.
    ///   - read: The faults of what could not be read.
    /// - Returns: The classifier; nil where only what could not be read is missing.
    /// - Throws: ``PipelineFaults`` with every expression that cannot be compiled, except for those
    ///   that name what could not be read.
    static func of(
        _ pipeline: PipelineDefinition,
        lookups: [LookupIndex],
        overrides: OverrideList?,
        _ read: FaultList
    ) throws(PipelineFaults) -> TripClassifier? {
        var faults: [ClassifierFault] = []
        let codes = pipeline.codeFields
        let classifier = compile(
            fieldColumns: pipeline.fieldColumns,
            lookups: lookups,
            // The condition of a count is stored with every trip, under the measure's name.
            derived: pipeline.derived.map { ($0.name, $0.expression.text) }
                + pipeline.countedConditions.map { ($0.measure.name, $0.text.text) },
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
                    decides: rule.decides.map { Self.stored($0, codes: codes) },
                    leaves: rule.leaves.map { Self.stored($0, codes: codes) }
                )
            },
            overrides: overrides,
            costName: pipeline.costColumn,
            lateNames: pipeline.lateFields,
            measures: pipeline.kpis.measures.map(\.measure),
            dimensions: pipeline.kpis.dimensions.map(\.dimension),
            faults: &faults
        )
        if let classifier { return classifier }
        for fault in faults {
            if case .derived(let index) = fault.part, index < pipeline.derived.count {
                read.leaveOut(pipeline.derived[index].name)
            }
        }
        let located = faults.filter { fault in
            guard fault.fault.code == .unknownName else { return true }
            let text = Self.text(of: fault.part, in: pipeline).0.text
            let name = text.utf8.dropFirst(fault.fault.offset).prefix(fault.fault.length)
            return !read.mayBeUnread(String(decoding: name, as: UTF8.self))
        }.map { fault in
            let (text, what) = Self.text(of: fault.part, in: pipeline)
            return text.fault(fault.fault, what: what)
        }
        guard !located.isEmpty || read.isEmpty else { return nil }
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

    static func text(
        of part: ClassifierFault.Part,
        in pipeline: PipelineDefinition
    ) -> (LocatedText, String) {
        switch part {
        case .derived(let index) where index >= pipeline.derived.count:
            let count = pipeline.countedConditions[index - pipeline.derived.count]
            return (count.text, "the measure `\(count.measure.name)`")
        case .measure(let index):
            let measure = pipeline.kpis.measures[index]
            return (measure.text, "the measure `\(measure.measure.name)`")
        case .dimension(let index):
            let dimension = pipeline.kpis.dimensions[index]
            return (dimension.text, "the dimension `\(dimension.dimension.name)`")
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
