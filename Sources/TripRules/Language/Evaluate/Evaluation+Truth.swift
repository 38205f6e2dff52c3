internal import TripDomain

/// Conditions: bytes 0, 1 and 2 for false, NULL and true, so that AND is the smaller of two and
/// OR the greater.
extension Evaluation {
    private static let no = Truth.no.rawValue
    private static let unknown = Truth.unknown.rawValue
    private static let yes = Truth.yes.rawValue

    /// The truth of a condition per row.
    func truth(_ node: TruthNode) -> Vector<UInt8> {
        if case .comparison(let comparison, let left, let right) = node.operation,
            let result = dateComparison(comparison, left, right)
        {
            return result
        }
        if let (values, codes) = distinct(node.source) {
            return values.truth(node).gathered(codes)
        }
        switch node.operation {
        case .constant(let truth): return .uniform(truth.rawValue)
        case .lookedUp(let lookup, let table): return table.gathered(matchedRows(lookup))
        case .all(let parts): return connected(parts, Self.no)
        case .any(let parts): return connected(parts, Self.yes)
        case .not(let inner):
            var result = truth(inner)
            result.values = Loops.each(result.values) { 2 - $0 }
            return result
        case .nonzero(let value): return nonzero(value)
        case .isNull(let value): return isNull(value)
        case .comparison(let comparison, let left, let right):
            return compare(comparison, operand(left), operand(right))
        case .between(let value, let low, let high):
            let value = operand(value)
            return Self.both(
                compare(.greaterOrEqual, value, operand(low)),
                compare(.lessOrEqual, value, operand(high)),
                Self.no
            )
        case .isIn(let value, let items):
            let value = operand(value)
            return either(items.map { compare(.equal, value, operand($0)) })
        case .matches(let kind, let text, let pattern):
            return matches(kind, texts(text), texts(pattern))
        }
    }

    /// AND or OR over several conditions; stops when every row is decided.
    private func connected(_ parts: [TruthNode], _ deciding: UInt8) -> Vector<UInt8> {
        var result = truth(parts[0])
        for part in parts.dropFirst() {
            // A row that rests on an overflow may still be cleared by a later part.
            let isDecided =
                result.overflows.isEmpty && Loops.isAll(deciding, result.values)
            if isDecided { return result }
            result = Self.both(result, truth(part), deciding)
        }
        return result
    }

    /// One value equal to any of several.
    private func either(_ parts: [Vector<UInt8>]) -> Vector<UInt8> {
        var result = parts[0]
        for part in parts.dropFirst() {
            result = Self.both(result, part, Self.yes)
        }
        return result
    }

    /// Two conditions joined by AND or OR.
    ///
    /// A side that decides alone, and rests on no overflow itself, clears the other's overflow: in
    /// `n < 1000 AND n * n > 5` the guard makes the product harmless.
    private static func both(
        _ left: Vector<UInt8>,
        _ right: Vector<UInt8>,
        _ deciding: UInt8
    ) -> Vector<UInt8> {
        var result =
            deciding == no
            ? Loops.pairs(left, right) { $0 < $1 ? $0 : $1 }
            : Loops.pairs(left, right) { $0 > $1 ? $0 : $1 }
        guard !left.overflows.isEmpty || !right.overflows.isEmpty else { return result }
        result.overflows = (0..<result.values.count).map { row in
            let isLeftOver = left.hasOverflow(row)
            let isRightOver = right.hasOverflow(row)
            let isClearedByLeft = !isLeftOver && left[row] == deciding
            let isClearedByRight = !isRightOver && right[row] == deciding
            return isLeftOver && !isClearedByRight || isRightOver && !isClearedByLeft
        }
        return result
    }

    private func nonzero(_ value: ValueNode) -> Vector<UInt8> {
        switch value {
        case .integer(let node):
            let numbers = integers(node)
            return Self.truths(numbers, Loops.each(numbers.values) { $0 != 0 ? 2 : 0 })
        case .real(let node):
            let numbers = reals(node)
            return Self.truths(numbers, Loops.each(numbers.values) { $0 != 0 ? 2 : 0 })
        case .text: preconditionFailure("the type check refuses texts as conditions")
        }
    }

    private static func truths<Element>(
        _ operand: Vector<Element>,
        _ values: [UInt8]
    ) -> Vector<UInt8> {
        var result = Vector(values: values, overflows: operand.overflows)
        result.isUniform = operand.isUniform
        return result.withUnknown(operand.nulls)
    }

    private func isNull(_ value: ValueNode) -> Vector<UInt8> {
        func result<Element>(_ vector: Vector<Element>) -> Vector<UInt8> {
            let values =
                vector.nulls.isEmpty
                ? [UInt8](repeating: Self.no, count: vector.values.count)
                : Loops.each(vector.nulls) { $0 ? Self.yes : Self.no }
            return Vector(
                values: values,
                overflows: vector.overflows,
                isUniform: vector.isUniform
            )
        }
        switch value {
        case .integer(let node): return result(integers(node))
        case .real(let node): return result(reals(node))
        case .text(let node):
            let codes = texts(node).codes
            return Vector(
                values: Loops.each(codes.values) { $0 == 0 ? Self.yes : Self.no },
                overflows: codes.overflows,
                isUniform: codes.isUniform
            )
        }
    }

    private func matches(
        _ kind: WildcardKind,
        _ text: TextVector,
        _ pattern: TextVector
    ) -> Vector<UInt8> {
        let texts = text.pool.bytes.span
        let patterns = pattern.pool.bytes.span
        var result = Loops.pairs(text.codes, pattern.codes) { textCode, patternCode -> UInt8 in
            if textCode == 0 || patternCode == 0 { return Self.unknown }
            let isMatch = WildcardMatch.matches(
                kind,
                pattern: patterns.extracting(pattern.pool.range(patternCode)),
                text: texts.extracting(text.pool.range(textCode))
            )
            return isMatch ? Self.yes : Self.no
        }
        result.inherit(text.codes, pattern.codes)
        return result
    }
}

extension Vector<UInt8> {
    /// The same truths, NULL where a mark is set.
    func withUnknown(_ nulls: [Bool]) -> Vector<UInt8> {
        guard !nulls.isEmpty else { return self }
        var result = Loops.pairs(self, Vector<Bool>(values: nulls, isUniform: isUniform)) {
            $1 ? Truth.unknown.rawValue : $0
        }
        result.overflows = overflows
        return result
    }
}
