internal import TripDomain

/// Doubles, whose sums that are no number are NULL, as in SQLite.
extension Evaluation {
    /// The double of a node per row.
    func reals(_ node: RealNode) -> Vector<Double> {
        if let (values, codes) = distinct(node.source) {
            return values.reals(node).gathered(codes)
        }
        switch node.operation {
        case .constant(let value): return .uniform(value ?? 0, isNull: value == nil)
        case .column(let index): return Self.reals(numbers(column: index))
        case .reference(let index): return Self.reals(reference(column: index).0)
        case .lookedUp(let lookup, let table): return table.gathered(matchedRows(lookup))
        case .negated(let inner):
            let values = reals(inner)
            return values.with(Loops.each(values.values) { -$0 })
        case .magnitude(let inner):
            let values = reals(inner)
            return values.with(Loops.each(values.values) { $0 < 0 ? -$0 : $0 })
        case .arithmetic(let operation, let left, let right):
            return arithmetic(operation, reals(left), reals(right))
        case .remainder(let left, let right): return remainder(integers(left), integers(right))
        case .widened(let inner):
            let values = integers(inner)
            return values.with(Loops.each(values.values) { Double($0) })
        case .reading(let inner):
            let text = texts(inner)
            let bytes = text.pool.bytes.span
            return Self.numbers(text) { NumberReading.real(bytes.extracting($0)).value }
        case .rounded(let inner, let digits):
            let values = reals(inner)
            var scratch: [UInt8] = []
            return values.with(
                Loops.each(values.values) {
                    Rounding.round($0, digits: digits, scratch: &scratch)
                }
            )
        case .firstKnown(let parts): return firstKnown(parts, reals)
        case .nullIfEqual(let left, let right):
            let values = reals(left)
            return nullIfEqual(values, compare(.equal, .real(values), operand(right)))
        case .choice(let choice): return chosen(choice, reals)
        }
    }

    private static func reals(_ column: Column) -> Vector<Double> {
        guard case .real(let column) = column else {
            preconditionFailure("the scope says that this column holds decimals")
        }
        return Vector(values: column.values, nulls: column.nulls)
    }

    private func arithmetic(
        _ operation: Arithmetic,
        _ left: Vector<Double>,
        _ right: Vector<Double>
    ) -> Vector<Double> {
        var result: Vector<Double>
        switch operation {
        case .add: result = Loops.pairs(left, right) { $0 + $1 }
        case .subtract: result = Loops.pairs(left, right) { $0 - $1 }
        case .multiply: result = Loops.pairs(left, right) { $0 * $1 }
        // A quotient by zero becomes NaN here, and NULL below.
        case .divide: result = Loops.pairs(left, right) { $1 == 0 ? .nan : $0 / $1 }
        case .remainder: preconditionFailure("`%` on doubles has a node of its own")
        }
        result.inherit(left, right)
        guard result.values.contains(where: \.isNaN) else { return result }
        let noNumbers = Vector(
            values: Loops.each(result.values) { $0.isNaN },
            isUniform: result.isUniform
        )
        result.values = Loops.each(result.values) { $0.isNaN ? 0 : $0 }
        result.markNull(noNumbers)
        return result
    }

    private func remainder(_ left: Vector<Int64>, _ right: Vector<Int64>) -> Vector<Double> {
        var result = Loops.pairs(left, right) { left, right -> Double in
            right == 0 || right == -1 ? 0 : Double(left % right)
        }
        result.inherit(left, right)
        if right.values.contains(0) {
            let zeros = Vector(
                values: Loops.each(right.values) { $0 == 0 },
                isUniform: right.isUniform
            )
            result.markNull(zeros)
        }
        return result
    }
}
