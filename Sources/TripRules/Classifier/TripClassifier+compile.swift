public import TripDomain

/// A fault in one of a pipeline's expressions: which one, and what is wrong with it.
public struct ClassifierFault: Sendable, Hashable {
    /// Which expression.
    public enum Part: Sendable, Hashable {
        /// A derived field, by its index in the list.
        case derived(Int)
        /// The condition for counting.
        case countWhen
        /// A rule, by its index in the list.
        case rule(Int)
    }

    /// Which expression.
    public let part: Part
    /// What is wrong with it.
    public let fault: ExpressionFault
}

extension TripClassifier {
    /// Compiles everything a pipeline computes.
    ///
    /// - Parameters:
    ///   - fieldColumns: The stored columns of all declared fields.
    ///   - lookups: The lookups, loaded.
    ///   - derived: Derived fields, in order: names and expressions.
    ///   - countWhen: The condition for counting; nil counts all.
    ///   - rules: The rules, in order.
    ///   - overrides: The decisions made by hand; nil where there is no list of them.
    ///   - costName: The column the KPIs sum, such as `cost_cents`.
    ///   - faults: Receives every fault found.
    /// - Returns: nil where there are faults, or where a field that every trip needs is missing or
    ///   of another kind.
    public static func compile(
        fieldColumns: [ShapeColumn],
        lookups: [LookupIndex],
        derived: [(name: String, text: String)],
        countWhen: String?,
        rules: [RuleDefinition],
        overrides: OverrideList? = nil,
        costName: String,
        faults: inout [ClassifierFault]
    ) -> TripClassifier? {
        let stamps = fieldColumns.indices.filter { index in
            fieldColumns[index].kind == .timestamp
                && !fieldColumns[index].name.hasSuffix("_utc")
        }
        var scope = fieldScope(fieldColumns, stamps: stamps, lookups: lookups)
        var columns = fieldColumns
        var programs: [Derived] = []
        for (index, field) in derived.enumerated() {
            guard
                let program = program(
                    field.text,
                    in: scope,
                    expecting: .value,
                    part: .derived(index),
                    &faults
                )
            else { continue }
            let kind = kind(of: program.resultType)
            if textNames.contains(field.name), kind != .text {
                faults.append(
                    ClassifierFault(
                        part: .derived(index),
                        fault: notText(field.name, field.text, program.resultType)
                    )
                )
            }
            programs.append(Derived(name: field.name, program: program))
            columns.append(ShapeColumn(name: field.name, kind: kind, isDerived: true))
            // A condition is stored as the number 0 or 1.
            let column = ScopeColumn(name: field.name, kind: program.isTruth ? .boolean : kind)
            scope = ExpressionScope(columns: scope.columns + [column], lookups: scope.lookups)
        }
        let counting = countWhen.flatMap {
            program($0, in: scope, expecting: .condition, part: .countWhen, &faults)
        }
        let ruleSet = ruleSet(rules, in: scope, derived: derived, &faults)
        guard faults.isEmpty, let ruleSet,
            let shape = TripShape(columns: columns, costName: costName)
        else { return nil }
        return TripClassifier(
            shape: shape,
            rules: entries(rules) + (overrides?.rules(after: rules.count) ?? []),
            ruleSet: ruleSet,
            lookups: lookups,
            scope: scope,
            overrides: overrides,
            derived: programs,
            countWhen: counting,
            dateSources: stamps,
            fieldCount: fieldColumns.count,
            keyColumns: lookups.map { keyColumns($0, fieldColumns) },
            validOnColumns: lookups.map { lookup in
                lookup.definition.validOn.flatMap { scope.columnIndex($0) }
            },
            namedRegionIndex: namedRegionIndex(columns)
        )
    }

    private static func keyColumns(_ lookup: LookupIndex, _ fields: [ShapeColumn]) -> [Int] {
        lookup.definition.keys.compactMap { key in fields.firstIndex { $0.name == key.field } }
    }

    private static func namedRegionIndex(_ columns: [ShapeColumn]) -> Int? {
        columns.firstIndex { $0.name == RegionComparison.fieldName && $0.kind == .text }
    }

    /// Derived fields that must be texts, because they are compared and stored as texts.
    private static let textNames: Set = ["region", "trip_type", RegionComparison.fieldName]

    private static func notText(
        _ name: String,
        _ text: String,
        _ type: ValueType
    ) -> ExpressionFault {
        ExpressionFault(
            .typeMismatch,
            at: 0..<text.utf8.count,
            "`\(name)` must be TEXT; this gives \(type.rawValue)",
            suggestion: "CAST(… AS TEXT) makes a text of a number"
        )
    }

    /// The names of the fields, of the dates of time stamps, and of the lookups.
    private static func fieldScope(
        _ fieldColumns: [ShapeColumn],
        stamps: [Int],
        lookups: [LookupIndex]
    ) -> ExpressionScope {
        let dates = stamps.map { index in
            ScopeColumn(
                name: ShapeColumn.dateName(ofTimestamp: fieldColumns[index].name),
                kind: .date
            )
        }
        return ExpressionScope(
            columns: fieldColumns.map { ScopeColumn(name: $0.name, kind: $0.kind) } + dates,
            lookups: lookups.map {
                ScopeLookup(
                    table: $0.table,
                    mayMatchSeveral: $0.definition.cardinality == .any
                )
            }
        )
    }

    private static func program(
        _ text: String,
        in scope: ExpressionScope,
        expecting: ExpressionScope.Expectation,
        part: ClassifierFault.Part,
        _ faults: inout [ClassifierFault]
    ) -> Program? {
        do throws(ExpressionFault) {
            return try scope.compile(try ParsedExpression(parsing: text), expecting: expecting)
        } catch {
            faults.append(ClassifierFault(part: part, fault: error))
            return nil
        }
    }

    private static func ruleSet(
        _ rules: [RuleDefinition],
        in scope: ExpressionScope,
        derived: [(name: String, text: String)],
        _ faults: inout [ClassifierFault]
    ) -> RuleSet? {
        let pickupDate = ShapeColumn.dateName(ofTimestamp: "pickup_at")
        guard let pickup = scope.columnIndex(pickupDate), scope.columns[pickup].kind == .date else {
            return nil
        }
        do throws(RuleSetFault) {
            return try RuleSet(
                definitions: rules,
                scope: scope,
                pickupDate: pickupDate,
                derived: derived
            )
        } catch {
            faults += error.faults.map {
                ClassifierFault(part: .rule($0.ruleNumber - 1), fault: $0.fault)
            }
            return nil
        }
    }

    private static func kind(of type: ValueType) -> ColumnKind {
        switch type {
        case .text: .text
        case .integer: .integer
        case .real: .decimal
        }
    }

    private static func entries(_ rules: [RuleDefinition]) -> [RuleEntry] {
        rules.enumerated().map { index, rule in
            RuleEntry(
                number: index + 1,
                id: rule.id,
                tripClass: rule.tripClass,
                basis: rule.basis,
                because: rule.because,
                condition: rule.condition,
                validFrom: rule.validFrom,
                validTo: rule.validTo
            )
        }
    }
}
