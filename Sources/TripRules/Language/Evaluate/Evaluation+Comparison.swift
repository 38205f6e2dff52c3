internal import TripDomain

/// The values of one operand, computed once however often they are compared.
enum Operand {
    case text(TextVector)
    case integer(Vector<Int64>)
    case real(Vector<Double>)
}

/// Comparisons of values.
extension Evaluation {
    /// The values of a node of any type.
    func operand(_ node: ValueNode) -> Operand {
        switch node {
        case .text(let node): .text(texts(node))
        case .integer(let node): .integer(integers(node))
        case .real(let node): .real(reals(node))
        }
    }

    /// One comparison of two operands of comparable types.
    func compare(_ comparison: Comparison, _ left: Operand, _ right: Operand) -> Vector<UInt8> {
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            return Self.finish(comparison, left, right, Self.compared(comparison, left, right))
        case (.real(let left), .real(let right)):
            return Self.finish(comparison, left, right, Self.compared(comparison, left, right))
        case (.integer(let left), .real(let right)):
            let result = Loops.pairs(left, right) {
                comparison.holds(Self.order($0, $1)) ? Truth.yes.rawValue : Truth.no.rawValue
            }
            return Self.finish(comparison, left, right, result)
        case (.real, .integer): return compare(comparison.mirrored, right, left)
        case (.text(let left), .text(let right)):
            return Self.compareTexts(comparison, left, right)
        default: preconditionFailure("the type check refuses to compare texts with numbers")
        }
    }

    @inline(__always)
    private static func compared<Element: Comparable>(
        _ comparison: Comparison,
        _ left: Vector<Element>,
        _ right: Vector<Element>
    ) -> Vector<UInt8> {
        switch comparison {
        case .equal, .same: Loops.pairs(left, right) { $0 == $1 ? 2 : 0 }
        case .notEqual, .different: Loops.pairs(left, right) { $0 != $1 ? 2 : 0 }
        case .less: Loops.pairs(left, right) { $0 < $1 ? 2 : 0 }
        case .lessOrEqual: Loops.pairs(left, right) { $0 <= $1 ? 2 : 0 }
        case .greater: Loops.pairs(left, right) { $0 > $1 ? 2 : 0 }
        case .greaterOrEqual: Loops.pairs(left, right) { $0 >= $1 ? 2 : 0 }
        }
    }

    /// Puts the NULLs of two operands into the result of comparing their values.
    private static func finish<A, B>(
        _ comparison: Comparison,
        _ left: Vector<A>,
        _ right: Vector<B>,
        _ values: Vector<UInt8>
    ) -> Vector<UInt8> {
        let count = values.values.count
        let nulls = Loops.either(
            left.nulls,
            left.isUniform,
            right.nulls,
            right.isUniform,
            count
        )
        var result = values
        result.overflows = Loops.either(
            left.overflows,
            left.isUniform,
            right.overflows,
            right.isUniform,
            count
        )
        guard !nulls.isEmpty else { return result }
        guard comparison == .same || comparison == .different else {
            return result.withUnknown(nulls)
        }
        let forSame = comparison == .same ? Truth.yes.rawValue : Truth.no.rawValue
        for row in 0..<count where nulls[row] {
            let isBothNull = left.isNull(row) && right.isNull(row)
            result.values[row] = isBothNull ? forSame : Truth.yes.rawValue - forSame
        }
        return result
    }

    /// The order of a whole number and a double, exactly: neither is rounded to the other's type.
    static func order(_ left: Int64, _ right: Double) -> Int {
        if right < -0x1p63 { return 1 }
        if right >= 0x1p63 { return -1 }
        let whole = Int64(right)
        if left != whole { return left < whole ? -1 : 1 }
        let rest = right - Double(whole)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }

    private static func compareTexts(
        _ comparison: Comparison,
        _ left: TextVector,
        _ right: TextVector
    ) -> Vector<UInt8> {
        let leftBytes = left.pool.bytes.span
        let rightBytes = right.pool.bytes.span
        let isIdentity = comparison == .same || comparison == .different
        let isEquality = isIdentity || comparison == .equal || comparison == .notEqual
        var result = Loops.pairs(left.codes, right.codes) { leftCode, rightCode -> UInt8 in
            if leftCode == 0 || rightCode == 0 {
                guard isIdentity else { return Truth.unknown.rawValue }
                let isSame = leftCode == rightCode
                return isSame == (comparison == .same) ? Truth.yes.rawValue : Truth.no.rawValue
            }
            let leftRange = left.pool.range(leftCode)
            let rightRange = right.pool.range(rightCode)
            let order =
                isEquality && leftRange.count != rightRange.count
                ? 1
                : TextFunctions.order(
                    leftBytes.extracting(leftRange),
                    rightBytes.extracting(rightRange)
                )
            return comparison.holds(order) ? Truth.yes.rawValue : Truth.no.rawValue
        }
        result.inherit(left.codes, right.codes)
        return result
    }

    /// Compares a column of dates with a constant by its numbers, without writing a text per trip.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - left: One side.
    ///   - right: The other side.
    /// - Returns: nil where the sides are not a stored date or time stamp and a constant.
    func dateComparison(
        _ comparison: Comparison,
        _ left: ValueNode,
        _ right: ValueNode
    ) -> Vector<UInt8>? {
        if let column = dateNumbers(left), let text = right.constantText {
            return Self.compareDates(comparison, column, text)
        }
        if let column = dateNumbers(right), let text = left.constantText {
            return Self.compareDates(comparison.mirrored, column, text)
        }
        return nil
    }

    private static func compareDates(
        _ comparison: Comparison,
        _ column: (numbers: IntegerColumn, isTimestamp: Bool),
        _ text: [UInt8]
    ) -> Vector<UInt8> {
        let (number, isEqual) = DateTexts.threshold(text, isTimestamp: column.isTimestamp)
        let numbers = Vector(values: column.numbers.values, nulls: column.numbers.nulls)
        let limit = Vector<Int64>.uniform(number)
        if isEqual {
            return finish(comparison, numbers, limit, compared(comparison, numbers, limit))
        }
        // No date has this text, so that the numbers fall into those before it and those after it.
        let result: Vector<UInt8> =
            switch comparison {
            case .equal, .same: Loops.pairs(numbers, limit) { _, _ in 0 }
            case .notEqual, .different: Loops.pairs(numbers, limit) { _, _ in 2 }
            case .less, .lessOrEqual: Loops.pairs(numbers, limit) { $0 < $1 ? 2 : 0 }
            case .greater, .greaterOrEqual: Loops.pairs(numbers, limit) { $0 >= $1 ? 2 : 0 }
            }
        return finish(comparison, numbers, limit, result)
    }
}

extension Comparison {
    /// The comparison that holds for swapped sides.
    var mirrored: Comparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }

    /// Whether the comparison holds for two sides in the given order: negative, zero or positive.
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal, .same: order == 0
        case .notEqual, .different: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension ValueNode {
    /// The text of a constant that is not NULL.
    var constantText: [UInt8]? {
        guard case .text(let node) = self, case .constant(let text) = node.operation else {
            return nil
        }
        return text
    }
}
