internal import TripDomain

/// CASE, coalesce and nullif: all results are computed for all rows, then picked row by row.
extension Evaluation {
    /// The first value that is not NULL.
    func firstKnown<Part, Element>(
        _ parts: [Part],
        _ values: (Part) -> Vector<Element>
    ) -> Vector<Element> {
        var result = values(parts[0])
        for part in parts.dropFirst() {
            guard result.nulls.contains(true) else { return result }
            let isMissing = Vector(values: result.nulls, isUniform: result.isUniform)
            let overflows = result.overflows
            let wasUniform = result.isUniform
            result = Self.selected(isMissing, values(part), result)
            // A value that is NULL because of an overflow passes its mark on to the value that
            // replaces it.
            result.overflows = Loops.either(
                result.overflows,
                result.isUniform,
                overflows,
                wasUniform,
                result.values.count
            )
        }
        return result
    }

    /// The first text that is not NULL.
    func firstKnown(_ parts: [TextNode]) -> TextVector {
        var pool = TextPool()
        let codes = firstKnown(parts) { part -> Vector<UInt32> in
            var codes = adding(texts(part), to: &pool)
            if codes.values.contains(0) { codes.nulls = Loops.each(codes.values) { $0 == 0 } }
            return codes
        }
        var result = codes
        result.nulls = []
        return TextVector(codes: result, pool: pool)
    }

    /// NULL where a comparison says that two values are equal.
    func nullIfEqual<Element>(
        _ values: Vector<Element>,
        _ equal: Vector<UInt8>
    ) -> Vector<Element> {
        var result = Loops.pairs(values, equal) { value, _ in value }
        result.inherit(values, equal)
        let isEqual = Vector(
            values: Loops.each(equal.values) { $0 == Truth.yes.rawValue },
            isUniform: equal.isUniform
        )
        result.markNull(isEqual)
        return result
    }

    /// The results of a CASE.
    func chosen<Part, Element>(
        _ choice: Choice<Part>,
        _ values: (Part) -> Vector<Element>
    ) -> Vector<Element> {
        let truths = truths(choice.conditions)
        // From the last branch to the first, each takes the rows its condition holds for.
        var result = values(choice.otherwise)
        for (truth, part) in zip(truths, choice.results).reversed() {
            let holds = Vector(
                values: Loops.each(truth.values) { $0 == Truth.yes.rawValue },
                isUniform: truth.isUniform
            )
            result = Self.selected(holds, values(part), result)
            result.overflows = Loops.either(
                result.overflows,
                result.isUniform,
                truth.overflows,
                truth.isUniform,
                result.values.count
            )
        }
        return result
    }

    /// The texts a CASE gives.
    func chosen(_ choice: Choice<TextNode>) -> TextVector {
        var pool = TextPool()
        let codes = chosen(choice) { adding(texts($0), to: &pool) }
        return TextVector(codes: codes, pool: pool)
    }

    private func truths(_ conditions: CaseConditions) -> [Vector<UInt8>] {
        switch conditions {
        case .searched(let nodes): return nodes.map(truth)
        case .matching(let subject, let values):
            let subject = operand(subject)
            return values.map { compare(.equal, subject, operand($0)) }
        }
    }

    /// Appends one pool to another and gives the codes within the whole.
    private func adding(_ texts: TextVector, to pool: inout TextPool) -> Vector<UInt32> {
        guard pool.count > 1 else {
            pool = texts.pool
            return texts.codes
        }
        let shift = UInt32(pool.count - 1)
        for code in 1..<UInt32(max(texts.pool.count, 1)) { pool.append(texts.pool.slice(code)) }
        var codes = texts.codes
        codes.values = Loops.each(codes.values) { $0 == 0 ? 0 : $0 + shift }
        return codes
    }

    /// Per row one of two values, with its marks.
    static func selected<Element>(
        _ takesFirst: Vector<Bool>,
        _ first: Vector<Element>,
        _ second: Vector<Element>
    ) -> Vector<Element> {
        let isUniform = takesFirst.isUniform && first.isUniform && second.isUniform
        let counted = [takesFirst.count, first.count, second.count].compactMap { $0 }
        let count = counted.first ?? 1
        precondition(counted.allSatisfy { $0 == count }, "rows of three operands agree")
        var result = Vector(
            values: (0..<count).map { takesFirst[$0] ? first[$0] : second[$0] },
            isUniform: isUniform
        )
        if !first.nulls.isEmpty || !second.nulls.isEmpty {
            result.nulls = (0..<count).map {
                takesFirst[$0] ? first.isNull($0) : second.isNull($0)
            }
        }
        if !first.overflows.isEmpty || !second.overflows.isEmpty {
            result.overflows = (0..<count).map {
                takesFirst[$0] ? first.hasOverflow($0) : second.hasOverflow($0)
            }
        }
        return result
    }
}

extension Vector {
    /// The number of entries of a vector with one per row; nil for a uniform one.
    var count: Int? { isUniform ? nil : values.count }

    /// Other values with the same marks.
    func with<Other>(_ others: [Other]) -> Vector<Other> {
        Vector<Other>(
            values: others,
            nulls: nulls,
            overflows: overflows,
            isUniform: isUniform
        )
    }

    /// Makes rows NULL, besides those that are.
    mutating func markNull(_ marks: Vector<Bool>) {
        precondition(!isUniform || marks.isUniform, "marks are no finer than what they mark")
        nulls = Loops.either(nulls, isUniform, marks.values, marks.isUniform, values.count)
    }
}

extension Vector<Int64> {
    /// The same numbers, NULL and marked where a sum left 64 bits, unless they were NULL before.
    func markOverflow(_ marks: Vector<Bool>) -> Vector {
        var result = self
        let isNew = marks.values.indices.map { marks.values[$0] && !isNull($0) }
        guard isNew.contains(true) else { return self }
        result.nulls = Loops.either(nulls, isUniform, isNew, isUniform, values.count)
        result.overflows = Loops.either(overflows, isUniform, isNew, isUniform, values.count)
        return result
    }
}
