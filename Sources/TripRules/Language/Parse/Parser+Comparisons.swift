/// Comparisons, tests and lists: everything that makes a condition of values.
extension Parser {
    /// The left side with the comparison or test at the current token.
    mutating func compared(_ left: Syntax) throws(ExpressionFault) -> Syntax {
        if left.isComparison && !left.isParenthesized {
            throw ExpressionFault(
                .syntax,
                at: current.range,
                "comparisons do not chain: this one would compare the result of the one before it",
                suggestion: "write `a < b AND b < c`, or put parentheses around the first"
            )
        }
        let isNegated = accept(.not)
        let token = current
        advance()
        switch token.kind {
        case .keyword(.is): return try identity(left)
        case .keyword(.in): return try list(left, isNegated)
        case .keyword(.between): return try between(left, isNegated)
        case .keyword(.like): return try pattern(.like, left, isNegated)
        case .keyword(.glob): return try pattern(.glob, left, isNegated)
        case .sign(let sign):
            guard let comparison = Comparison(rawValue: sign.rawValue) else {
                preconditionFailure("an operator of this level is a comparison")
            }
            return try finish(comparison, left, try expression(.sum))
        default: preconditionFailure("an operator of this level is a comparison")
        }
    }

    private func finish(
        _ comparison: Comparison,
        _ left: Syntax,
        _ right: Syntax
    ) throws(ExpressionFault) -> Syntax {
        try node(
            .comparison(comparison, left, right),
            left.range.lowerBound..<right.range.upperBound,
            [left, right]
        )
    }

    private mutating func identity(_ left: Syntax) throws(ExpressionFault) -> Syntax {
        let comparison: Comparison = accept(.not) ? .different : .same
        if case .name(let word, false) = current.kind, word.uppercased() == "DISTINCT" {
            throw ExpressionFault(
                .notSupported,
                at: current.range,
                "IS DISTINCT FROM is not supported",
                suggestion: "write IS NOT for it, and IS for its opposite"
            )
        }
        return try finish(comparison, left, try expression(.sum))
    }

    private mutating func list(
        _ left: Syntax,
        _ isNegated: Bool
    ) throws(ExpressionFault) -> Syntax {
        try expect(.open, "before the list of values")
        if isAt(.close) { throw unexpected("a value: an empty list would match nothing") }
        var items = [try expression(.or)]
        while accept(.comma) {
            items.append(try expression(.or))
        }
        let end = current.range.upperBound
        try expect(.close, "after the list of values")
        return try node(
            .inList(left, items, isNegated: isNegated),
            left.range.lowerBound..<end,
            [left] + items
        )
    }

    private mutating func between(
        _ left: Syntax,
        _ isNegated: Bool
    ) throws(ExpressionFault) -> Syntax {
        let low = try expression(.sum)
        try expect(.and, "between the two bounds (a bound with `=`, AND or OR needs parentheses)")
        let high = try expression(.sum)
        return try node(
            .between(left, low: low, high: high, isNegated: isNegated),
            left.range.lowerBound..<high.range.upperBound,
            [left, low, high]
        )
    }

    private mutating func pattern(
        _ kind: WildcardKind,
        _ left: Syntax,
        _ isNegated: Bool
    ) throws(ExpressionFault) -> Syntax {
        let pattern = try expression(.sum)
        if case .name(let word, false) = current.kind, word.uppercased() == "ESCAPE" {
            throw ExpressionFault(
                .notSupported,
                at: current.range,
                "ESCAPE is not supported",
                suggestion: "GLOB takes a sign literally in brackets: GLOB '10[*]'"
            )
        }
        return try node(
            .matches(kind, left, pattern: pattern, isNegated: isNegated),
            left.range.lowerBound..<pattern.range.upperBound,
            [left, pattern]
        )
    }
}

extension Syntax {
    /// Whether the node is a comparison or test, whose result is rarely meant to be compared again.
    var isComparison: Bool {
        switch kind {
        case .comparison, .between, .inList, .matches: true
        default: false
        }
    }
}
