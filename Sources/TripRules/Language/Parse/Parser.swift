/// Builds the syntax of an expression from its tokens, by precedence climbing.
///
/// Precedence, loosest first, is SQLite's:
///
///     OR · AND · NOT · = <> IS IN BETWEEN LIKE GLOB · < <= > >= · + - · * / % · || · sign
struct Parser {
    /// How tightly operators bind.
    enum Level: Int, Comparable {
        case or, and, not, equality, order, sum, product, join, sign

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
        /// The next tighter level: what the right side of a left-associative operator is.
        var tighter: Level { Level(rawValue: rawValue + 1) ?? .sign }
    }

    private let tokens: [Token]
    private var index = 0
    private var nesting = 0

    init(tokens: [Token]) {
        self.tokens = tokens
    }

    /// Parses the whole text.
    mutating func parse() throws(ExpressionFault) -> Syntax {
        guard current.kind != .end else {
            throw ExpressionFault(.syntax, at: current.range, "the expression is empty")
        }
        let root = try expression(.or)
        guard current.kind == .end else { throw unexpected("the end, or an operator") }
        return root
    }

    var current: Token { tokens[index] }

    /// The token after the current one; the end repeats.
    var following: Token { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
    }

    func isAt(_ keyword: Keyword) -> Bool { current.kind == .keyword(keyword) }
    func isAt(_ sign: Sign) -> Bool { current.kind == .sign(sign) }

    mutating func accept(_ keyword: Keyword) -> Bool {
        guard isAt(keyword) else { return false }
        advance()
        return true
    }

    mutating func accept(_ sign: Sign) -> Bool {
        guard isAt(sign) else { return false }
        advance()
        return true
    }

    mutating func expect(_ keyword: Keyword, _ purpose: String) throws(ExpressionFault) {
        guard accept(keyword) else { throw unexpected("\(keyword.rawValue) \(purpose)") }
    }

    mutating func expect(_ sign: Sign, _ purpose: String) throws(ExpressionFault) {
        guard accept(sign) else { throw unexpected("`\(sign.rawValue)` \(purpose)") }
    }

    /// A node made of others; refuses one that nests too deep.
    func node(
        _ kind: Syntax.Kind,
        _ range: Range<Int>,
        _ parts: [Syntax]
    ) throws(ExpressionFault) -> Syntax {
        let depth = (parts.map(\.depth).max() ?? 0) + 1
        guard depth <= ParsedExpression.depthLimit else { throw tooDeep(range) }
        return Syntax(kind: kind, range: range, depth: depth)
    }

    /// An expression whose operators all bind at least as tightly as a level.
    mutating func expression(_ level: Level) throws(ExpressionFault) -> Syntax {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= ParsedExpression.depthLimit else { throw tooDeep(current.range) }
        var left = try prefixed()
        while let found = operatorLevel(), found >= level {
            left = try extended(left, found)
        }
        return left
    }

    /// A sign or NOT with what it applies to, or an operand.
    private mutating func prefixed() throws(ExpressionFault) -> Syntax {
        let start = current.range.lowerBound
        if accept(.not) {
            let inner = try expression(.not)
            return try node(.not(inner), start..<inner.range.upperBound, [inner])
        }
        if accept(.minus) {
            let inner = try expression(.sign)
            return try node(.negated(inner), start..<inner.range.upperBound, [inner])
        }
        if accept(.plus) {
            let inner = try expression(.sign)
            return Syntax(
                kind: inner.kind,
                range: start..<inner.range.upperBound,
                depth: inner.depth
            )
        }
        return try operand()
    }

    /// The level of the operator at the current token; nil where there is none.
    private func operatorLevel() -> Level? {
        switch current.kind {
        case .keyword(.or): .or
        case .keyword(.and): .and
        case .keyword(.is), .keyword(.in), .keyword(.between), .keyword(.like), .keyword(.glob):
            .equality
        case .keyword(.not):
            switch following.kind {
            case .keyword(.in), .keyword(.between), .keyword(.like), .keyword(.glob): .equality
            default: nil
            }
        case .sign(.equal), .sign(.notEqual): .equality
        case .sign(.less), .sign(.lessOrEqual), .sign(.greater), .sign(.greaterOrEqual): .order
        case .sign(.plus), .sign(.minus): .sum
        case .sign(.star), .sign(.slash), .sign(.percent): .product
        case .sign(.bars): .join
        default: nil
        }
    }

    /// The left side together with the operator at the current token and its right side.
    private mutating func extended(
        _ left: Syntax,
        _ level: Level
    ) throws(ExpressionFault) -> Syntax {
        switch level {
        case .or, .and: return try connected(left, level)
        case .equality, .order: return try compared(left)
        case .sum, .product, .join:
            let token = current
            advance()
            let right = try expression(level.tighter)
            let range = left.range.lowerBound..<right.range.upperBound
            if case .sign(let sign) = token.kind,
                let arithmetic = Arithmetic(rawValue: sign.rawValue)
            {
                return try node(.arithmetic(arithmetic, left, right), range, [left, right])
            }
            return try node(.joined(left, right), range, [left, right])
        case .not, .sign: preconditionFailure("these levels hold prefixes alone")
        }
    }

    /// AND and OR take as many conditions as follow, so that long lists do not nest.
    private mutating func connected(
        _ left: Syntax,
        _ level: Level
    ) throws(ExpressionFault) -> Syntax {
        let keyword: Keyword = level == .and ? .and : .or
        var parts = flattened(left, keyword)
        var end = left.range.upperBound
        while accept(keyword) {
            let right = try expression(level.tighter)
            parts += flattened(right, keyword)
            end = right.range.upperBound
        }
        let kind: Syntax.Kind = keyword == .and ? .all(parts) : .any(parts)
        return try node(kind, left.range.lowerBound..<end, parts)
    }

    private func flattened(_ part: Syntax, _ keyword: Keyword) -> [Syntax] {
        switch (part.kind, keyword) {
        case (.all(let parts), .and), (.any(let parts), .or): parts
        default: [part]
        }
    }

    func tooDeep(_ range: Range<Int>) -> ExpressionFault {
        ExpressionFault(
            .tooLarge,
            at: range,
            "the expression nests deeper than \(ParsedExpression.depthLimit) levels"
        )
    }

    /// A fault that says what was expected at the current token.
    func unexpected(_ expected: String) -> ExpressionFault {
        let found: String
        switch current.kind {
        case .end: found = "the text ends"
        case .keyword(let keyword): found = "found \(keyword.rawValue)"
        case .name(let name, _): found = "found `\(name)`"
        case .text: found = "found a text"
        case .integer, .real: found = "found a number"
        case .sign(let sign): found = "found `\(sign.rawValue)`"
        }
        return ExpressionFault(
            .syntax,
            at: current.range,
            "\(found) where \(expected) was expected"
        )
    }
}

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
