internal import TripDomain

/// Whole numbers, whose sums leave 64 bits as NULL and a mark.
extension Evaluation {
    /// The whole number of a node per row.
    func integers(_ node: IntegerNode) -> Vector<Int64> {
        if let (values, codes) = distinct(node.source) {
            return values.integers(node).gathered(codes)
        }
        switch node.operation {
        case .constant(let value): return .uniform(value ?? 0, isNull: value == nil)
        case .column(let index):
            let column = numbers(column: index).integers
            return Vector(values: column.values, nulls: column.nulls)
        case .reference(let index):
            let column = reference(column: index).0.integers
            return Vector(values: column.values, nulls: column.nulls)
        case .isMatched: return Vector(values: (0..<rowCount).map { $0 == 0 ? 0 : 1 })
        case .matchCount(let lookup): return matchCounts(lookup)
        case .lookedUp(let lookup, let table): return table.gathered(matchedRows(lookup))
        case .negated(let inner): return arithmetic(.subtract, .uniform(0), integers(inner))
        case .magnitude(let inner):
            let values = integers(inner)
            let isNegative = Loops.each(values.values) { $0 < 0 }
            let zero = Vector<Int64>.uniform(0)
            let opposite = arithmetic(.subtract, zero, values)
            return Self.selected(
                Vector(values: isNegative, isUniform: values.isUniform),
                opposite,
                values
            )
        case .arithmetic(let operation, let left, let right):
            return arithmetic(operation, integers(left), integers(right))
        case .reading(let inner):
            let text = texts(inner)
            let bytes = text.pool.bytes.span
            return Self.numbers(text) { NumberReading.integer(bytes.extracting($0)) }
        case .truncated(let inner):
            let values = reals(inner)
            return values.with(Loops.each(values.values) { Self.truncated($0) })
        case .truth(let inner):
            let truths = truth(inner)
            return Vector(
                values: Loops.each(truths.values) { Int64($0 >> 1) },
                nulls: truths.values.contains(1) ? Loops.each(truths.values) { $0 == 1 } : [],
                overflows: truths.overflows,
                isUniform: truths.isUniform
            )
        case .length(let inner):
            let text = texts(inner)
            let bytes = text.pool.bytes.span
            return Self.numbers(text) { TextFunctions.length(bytes.extracting($0)) }
        case .position(let needle, let text): return position(of: texts(needle), in: texts(text))
        case .firstKnown(let parts): return firstKnown(parts, integers)
        case .nullIfEqual(let left, let right):
            let values = integers(left)
            return nullIfEqual(values, compare(.equal, .integer(values), operand(right)))
        case .choice(let choice): return chosen(choice, integers)
        }
    }

    /// A double without its fraction, clamped to 64 bits.
    static func truncated(_ value: Double) -> Int64 {
        value <= -0x1p63 ? .min : value >= 0x1p63 ? .max : Int64(value)
    }

    /// A number per text.
    @inline(__always)
    static func numbers<Number: Numeric>(
        _ text: TextVector,
        _ read: (Range<Int>) -> Number
    ) -> Vector<Number> {
        let codes = text.codes
        return Vector(
            values: Loops.each(codes.values) { $0 == 0 ? 0 : read(text.pool.range($0)) },
            nulls: codes.values.contains(0) ? Loops.each(codes.values) { $0 == 0 } : [],
            overflows: codes.overflows,
            isUniform: codes.isUniform
        )
    }

    private func position(of needle: TextVector, in text: TextVector) -> Vector<Int64> {
        let needles = needle.pool.bytes.span
        let texts = text.pool.bytes.span
        var result = Loops.pairs(needle.codes, text.codes) { needleCode, textCode -> Int64 in
            if needleCode == 0 || textCode == 0 { return -1 }
            return TextFunctions.position(
                of: needles.extracting(needle.pool.range(needleCode)),
                in: texts.extracting(text.pool.range(textCode))
            )
        }
        result.inherit(needle.codes, text.codes)
        // Positions are never negative, so that -1 can only mean NULL.
        if result.values.contains(-1) { result.nulls = Loops.each(result.values) { $0 == -1 } }
        return result
    }

    /// One operation on whole numbers.
    private func arithmetic(
        _ operation: Arithmetic,
        _ left: Vector<Int64>,
        _ right: Vector<Int64>
    ) -> Vector<Int64> {
        var result: Vector<Int64>
        switch operation {
        case .add: result = Loops.pairs(left, right) { $0 &+ $1 }
        case .subtract: result = Loops.pairs(left, right) { $0 &- $1 }
        case .multiply: result = Loops.pairs(left, right) { $0 &* $1 }
        case .divide: result = Loops.pairs(left, right) { Self.quotient($0, $1) }
        case .remainder: result = Loops.pairs(left, right) { Self.remainder($0, $1) }
        }
        result.inherit(left, right)
        switch operation {
        case .divide, .remainder:
            if right.values.contains(0) {
                let zeros = Vector(
                    values: Loops.each(right.values) { $0 == 0 },
                    isUniform: right.isUniform
                )
                result.markNull(zeros)
            }
            if operation == .remainder { return result }
        default: break
        }
        guard Loops.anyPair(left, right, { Self.leaves64Bits(operation, $0, $1) }) else {
            return result
        }
        return result.markOverflow(
            Loops.pairs(left, right) { Self.leaves64Bits(operation, $0, $1) }
        )
    }

    private static func quotient(_ left: Int64, _ right: Int64) -> Int64 {
        right == 0 || (right == -1 && left == .min) ? 0 : left / right
    }

    private static func remainder(_ left: Int64, _ right: Int64) -> Int64 {
        right == 0 || right == -1 ? 0 : left % right
    }

    @inline(__always)
    private static func leaves64Bits(
        _ operation: Arithmetic,
        _ left: Int64,
        _ right: Int64
    ) -> Bool {
        switch operation {
        case .add: left.addingReportingOverflow(right).overflow
        case .subtract: left.subtractingReportingOverflow(right).overflow
        case .multiply: left.multipliedReportingOverflow(by: right).overflow
        case .divide: right == -1 && left == .min
        case .remainder: false
        }
    }
}
