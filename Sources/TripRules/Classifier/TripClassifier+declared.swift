import TripDomain

extension TripClassifier {
    /// Finds the columns of declared measures and dimensions.
    ///
    /// A field of money is named without `_cents`, one of miles without `_hundredths`, as in
    /// `cost`; the column's own name does as well.
    ///
    /// - Parameters:
    ///   - measures: The measures, of the columns they name.
    ///   - dimensions: The dimensions.
    ///   - columns: The columns of a trip, the derived ones included.
    ///   - faults: Receives a fault for each that names no column, or one of another kind.
    /// - Returns: The columns that were found.
    static func declaredColumns(
        _ measures: [DeclaredMeasure],
        _ dimensions: [DeclaredDimension],
        in columns: [ShapeColumn],
        _ faults: inout [ClassifierFault]
    ) -> DeclaredColumns {
        var declared = DeclaredColumns()
        for (number, measure) in measures.enumerated() {
            let suffixes = ["", "_cents", "_hundredths"]
            // The column of a count is its own, and no field of the same name.
            let index = suffixes.lazy.compactMap { suffix in
                columns.firstIndex { column in
                    column.name == measure.column + suffix
                        && (measure.kind != .count || column.isDerived)
                }
            }.first
            guard let index, let amount = amount(of: measure, columns[index].kind) else {
                if measure.kind == .count {
                    // Where there is no column, the condition is a fault of its own.
                    if let index { faults.append(noCondition(number, columns[index].kind)) }
                    continue
                }
                faults.append(
                    ClassifierFault(
                        part: .measure(number),
                        fault: fault(
                            measure.column,
                            index.map { columns[$0] },
                            expecting: "a field of whole numbers, money or miles",
                            among: columns.filter { self.amount(of: measure, $0.kind) != nil }
                        )
                    )
                )
                continue
            }
            declared.measures.append(
                DeclaredColumn(measure.of(columns[index].name, amount), index: index)
            )
        }
        for (number, dimension) in dimensions.enumerated() {
            let index = columns.firstIndex { $0.name == dimension.column }
            guard let index, columns[index].kind == .text else {
                faults.append(
                    ClassifierFault(
                        part: .dimension(number),
                        fault: fault(
                            dimension.column,
                            index.map { columns[$0] },
                            expecting: "a field of texts",
                            among: columns.filter { $0.kind == .text }
                        )
                    )
                )
                continue
            }
            declared.dimensions.append(DeclaredColumn(dimension, index: index))
        }
        return declared
    }

    /// What the values of a column count; nil where they cannot be added up.
    private static func amount(
        of measure: DeclaredMeasure,
        _ kind: ColumnKind
    ) -> DeclaredMeasure.Amount? {
        switch kind {
        case .integer, .boolean:
            measure.kind != .count && measure.unit == DeclaredMeasure.centsUnit ? .cents : .whole
        case .money: .cents
        case .miles: .hundredthsOfMile
        case .text, .decimal, .date, .timestamp, .patient: nil
        }
    }

    private static func noCondition(_ number: Int, _ kind: ColumnKind) -> ClassifierFault {
        ClassifierFault(
            part: .measure(number),
            fault: ExpressionFault(
                .typeMismatch,
                at: 0..<1,
                "this gives a value of the type \(kind.rawValue); a count needs a condition"
            )
        )
    }

    private static func fault(
        _ name: String,
        _ column: ShapeColumn?,
        expecting expected: String,
        among columns: [ShapeColumn]
    ) -> ExpressionFault {
        let nearest = NearestName.find(name, among: columns.map(fieldName).sorted())
        return ExpressionFault(
            column == nil ? .unknownName : .typeMismatch,
            at: 0..<name.utf8.count,
            column.map { "`\(name)` has the type \($0.kind.rawValue); expected \(expected)" }
                ?? "no field is called `\(name)`; expected \(expected)",
            suggestion: nearest.map { "did you mean `\($0)`?" }
        )
    }

    /// The name of a column's field: without the unit of money and miles.
    private static func fieldName(_ column: ShapeColumn) -> String {
        let suffix =
            switch column.kind {
            case .money: "_cents"
            case .miles: "_hundredths"
            default: ""
            }
        return column.name.hasSuffix(suffix)
            ? String(column.name.dropLast(suffix.count)) : column.name
    }
}
