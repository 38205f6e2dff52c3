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
        /// The column of a declared measure, by its index in the list.
        case measure(Int)
        /// The column of a declared dimension, by its index in the list.
        case dimension(Int)
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
    ///   - costName: The column the KPIs sum, such as `cost_cents`, or a derived field.
    ///   - lateNames: Fields that are known only when the rules have been tried.
    ///   - measures: The declared measures, of the columns they name.
    ///   - dimensions: The declared dimensions.
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
        lateNames: Set<String> = [],
        measures: [DeclaredMeasure] = [],
        dimensions: [DeclaredDimension] = [],
        faults: inout [ClassifierFault]
    ) -> TripClassifier? {
        let stamps = fieldColumns.indices.filter { fieldColumns[$0].isLocalTime }
        var scope = fieldScope(fieldColumns, stamps: stamps, lookups: lookups, late: lateNames)
        var columns = fieldColumns
        var programs: [Derived] = []
        let keyNames = Set(lookups.flatMap { $0.definition.keys.map(\.field) })
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
            let isText = textNames.contains(field.name) || keyNames.contains(field.name)
            if isText, kind != .text {
                let fault = notText(field.name, field.text, program.resultType)
                faults.append(ClassifierFault(part: .derived(index), fault: fault))
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
        let declared = declaredColumns(measures, dimensions, in: columns, &faults)
        if let fault = faultOfCost(costName, fieldColumns, derived, programs) {
            faults.append(fault)
        }
        guard faults.isEmpty, let ruleSet,
            var shape = TripShape(columns: columns, costName: costName)
        else { return nil }
        shape.declared = declared
        return TripClassifier(
            shape: shape,
            rules: entries(rules) + (overrides?.rules(after: rules.count) ?? []),
            ruleSet: ruleSet,
            lookups: lookups,
            scope: scope,
            overrides: overrides,
            derived: programs,
            steps: steps(lookups, fieldColumns, programs),
            countWhen: counting,
            dateSources: stamps,
            fieldCount: fieldColumns.count,
            keyColumns: lookups.map { keyColumns($0, columns) },
            validOnColumns: lookups.map { $0.definition.validOn.flatMap(scope.columnIndex) },
            namedRegionIndex: namedRegionIndex(columns)
        )
    }

    private static func keyColumns(_ lookup: LookupIndex, _ columns: [ShapeColumn]) -> [Int] {
        lookup.definition.keys.compactMap { key in columns.firstIndex { $0.name == key.field } }
    }

    /// The order of evaluation: each look-up as soon as its keys are known, each derived field in
    /// the order of the pipeline.
    private static func steps(
        _ lookups: [LookupIndex],
        _ fields: [ShapeColumn],
        _ derived: [Derived]
    ) -> [Step] {
        var known = Set(fields.map(\.name))
        var waiting = Array(lookups.indices)
        var steps: [Step] = []
        func addLookups() {
            let ready = waiting.filter { lookup in
                lookups[lookup].definition.keys.allSatisfy { known.contains($0.field) }
            }
            steps += ready.map { .lookup($0) }
            waiting.removeAll { ready.contains($0) }
        }
        addLookups()
        for (index, field) in derived.enumerated() {
            steps.append(.derived(index))
            known.insert(field.name)
            addLookups()
        }
        // Where a key could not be read, the pipeline is checked and classifies nothing.
        return steps + waiting.map { .lookup($0) }
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
        lookups: [LookupIndex],
        late: Set<String>
    ) -> ExpressionScope {
        let dates = stamps.map { index in
            ScopeColumn(
                name: ShapeColumn.dateName(ofTimestamp: fieldColumns[index].name),
                kind: .date
            )
        }
        return ExpressionScope(
            columns: fieldColumns.map { field in
                var column = ScopeColumn(name: field.name, kind: field.kind)
                column.isKnownLate = late.contains(field.name)
                return column
            } + dates,
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

extension ShapeColumn {
    /// Whether it is a time stamp on the local clock: its date has a name in rules.
    fileprivate var isLocalTime: Bool { kind == .timestamp && !name.hasSuffix("_utc") }
}
