public import TripDomain

/// A cost that is a derived field: what it reads, and what it is of trips that are not classified.
extension TripClassifier {
    /// Whether the cost is derived, and not read from the export.
    public var hasDerivedCost: Bool { shape.costIndex.map { $0 >= fieldCount } ?? false }

    /// The fields that the cost is derived from, directly or through other derived fields and
    /// look-ups, by their index in the shape; empty where it is a field.
    ///
    /// Of a time stamp, the local time stands for both columns.
    public var fieldsOfCost: Set<Int> {
        guard hasDerivedCost, let cost = shape.costIndex else { return [] }
        var found: Set<Int> = []
        var seen: Set<String> = []
        var waiting = [shape.columns[cost].name]
        while let name = waiting.popLast() {
            guard seen.insert(name).inserted else { continue }
            if let field = derived.first(where: { $0.name == name }) {
                waiting += field.program.namesUsed
            } else if let lookup = lookups.firstIndex(where: {
                name.hasPrefix($0.definition.name + ".")
            }) {
                waiting += lookups[lookup].definition.keys.map(\.field)
                if let day = validOnColumns[lookup] { waiting.append(scope.columns[day].name) }
            } else if let column = scope.columnIndex(name) {
                let date = column - fieldCount
                found.insert(dateSources.indices.contains(date) ? dateSources[date] : column)
            }
        }
        return found
    }

    /// The derived costs of trips whose class does not matter: of those that are only accounted
    /// for.
    ///
    /// - Parameter batch: The fields, with all time stamps resolved.
    /// - Returns: The costs in cents, however great.
    /// - Precondition: The cost is derived.
    /// - Complexity: O(*n*) in the trips.
    public func derivedCosts(of batch: TripBatch) -> IntegerColumn {
        guard hasDerivedCost, let cost = shape.costIndex else {
            preconditionFailure("only a derived cost is computed")
        }
        var batch = batch
        var overflows = 0
        _ = prepare(&batch, overflows: &overflows)
        return batch.columns[cost].integers
    }

    /// Makes derived costs of more than nine digits before the point NULL: no sum could hold them.
    ///
    /// - Returns: The record of the first such trip; nil where there is none.
    func removeExcessiveCosts(from batch: inout TripBatch) -> Int? {
        guard hasDerivedCost, let cost = shape.costIndex else { return nil }
        var costs = batch.columns[cost].integers
        let rows = costs.values.indices.filter { row in
            costs.value(row).map { $0.magnitude > SumLimit.tripAmountMax.magnitude } ?? false
        }
        guard let first = rows.first else { return nil }
        if costs.nulls.isEmpty { costs.nulls = costs.values.map { _ in false } }
        for row in rows { (costs.values[row], costs.nulls[row]) = (0, true) }
        batch.columns[cost] = .integer(costs)
        return Int(batch.recordNumbers[first])
    }

    /// The fault of a derived cost that is not of whole numbers; nil where it is.
    static func faultOfCost(
        _ costName: String,
        _ fields: [ShapeColumn],
        _ derived: [(name: String, text: String)],
        _ programs: [Derived]
    ) -> ClassifierFault? {
        guard !fields.contains(where: { $0.name == costName && $0.kind == .money }),
            let index = derived.firstIndex(where: { $0.name == costName }),
            let program = programs.first(where: { $0.name == costName })?.program
        else { return nil }
        let found: String
        switch program.resultType {
        case .integer where !program.isTruth: return nil
        case .integer: found = "a condition"
        case let type: found = type.rawValue
        }
        return ClassifierFault(
            part: .derived(index),
            fault: ExpressionFault(
                .typeMismatch,
                at: 0..<derived[index].text.utf8.count,
                "`\(costName)` is the amount that is summed (`kpis: cost`), so it must give whole "
                    + "cents, INTEGER; this gives \(found)",
                suggestion: program.resultType == .real
                    ? "CAST(round(…) AS INTEGER) makes whole cents of it" : nil
            )
        )
    }
}
