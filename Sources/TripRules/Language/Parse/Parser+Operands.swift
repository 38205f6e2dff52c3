/// Literals, names, calls, CASE, CAST and parentheses.
extension Parser {
    /// One operand without any operator around it.
    mutating func operand() throws(ExpressionFault) -> Syntax {
        let token = current
        switch token.kind {
        case .text(let bytes):
            advance()
            return try node(.text(bytes), token.range, [])
        case .integer(let value):
            advance()
            return try node(.integer(value), token.range, [])
        case .real(let value):
            advance()
            return try node(.real(value), token.range, [])
        case .keyword(.null):
            advance()
            return try node(.null, token.range, [])
        case .keyword(.case): return try choice()
        case .keyword(.cast): return try cast()
        case .sign(.open): return try parenthesized()
        case .name(let word, let isQuoted): return try named(word, isQuoted)
        default: throw unexpected("a value")
        }
    }

    private mutating func parenthesized() throws(ExpressionFault) -> Syntax {
        let start = current.range.lowerBound
        advance()
        let inner = try expression(.or)
        if isAt(.comma) {
            throw ExpressionFault(
                .notSupported,
                at: current.range,
                "a list of values is allowed only after IN"
            )
        }
        let end = current.range.upperBound
        try expect(.close, "to close the parenthesis")
        return Syntax(
            kind: inner.kind,
            range: start..<end,
            depth: inner.depth,
            isParenthesized: true
        )
    }

    private mutating func named(_ word: String, _ isQuoted: Bool) throws(ExpressionFault) -> Syntax
    {
        let first = current
        advance()
        if !isQuoted && isAt(.open) { return try call(word, first.range) }
        if !isQuoted && Keyword.reservedElsewhere.contains(word.uppercased()) {
            throw ExpressionFault(
                .unexpectedText,
                at: first.range,
                "`\(word)` is a word of SQL",
                suggestion: "if a column is meant, write \"\(word)\" in double quotes"
            )
        }
        guard accept(.dot) else {
            let name = NameSyntax(lookup: nil, column: word, isQuoted: isQuoted)
            return try node(.name(name), first.range, [])
        }
        let second = current
        let column: String
        let isColumnQuoted: Bool
        switch second.kind {
        case .name(let word, let isQuoted): (column, isColumnQuoted) = (word, isQuoted)
        // A lookup's column may be called `end` or `is`; after the dot nothing else is possible.
        case .keyword(let keyword):
            throw ExpressionFault(
                .syntax,
                at: second.range,
                "`\(keyword.rawValue)` is a word of SQL",
                suggestion: "if a column is meant, write it in double quotes"
            )
        default: throw unexpected("the lookup's column after the dot")
        }
        advance()
        let name = NameSyntax(lookup: word, column: column, isQuoted: isColumnQuoted)
        return try node(.name(name), first.range.lowerBound..<second.range.upperBound, [])
    }

    private mutating func call(
        _ name: String,
        _ nameRange: Range<Int>
    ) throws(ExpressionFault) -> Syntax {
        advance()
        var arguments: [Syntax] = []
        if !isAt(.close) {
            arguments.append(try expression(.or))
            while accept(.comma) {
                arguments.append(try expression(.or))
            }
        }
        let end = current.range.upperBound
        try expect(.close, "after the values of `\(name)`")
        return try node(
            .call(name: name, nameRange: nameRange, arguments),
            nameRange.lowerBound..<end,
            arguments
        )
    }

    private mutating func choice() throws(ExpressionFault) -> Syntax {
        let start = current.range.lowerBound
        advance()
        let subject = isAt(.when) ? nil : try expression(.or)
        var branches: [(when: Syntax, then: Syntax)] = []
        repeat {
            try expect(.when, "in CASE")
            let when = try expression(.or)
            try expect(.then, "after WHEN")
            branches.append((when, try expression(.or)))
        } while isAt(.when)
        let otherwise = accept(.else) ? try expression(.or) : nil
        let end = current.range.upperBound
        try expect(.end, "to close CASE")
        let parts = branches.flatMap { [$0.when, $0.then] }
        return try node(
            .choice(CaseSyntax(subject: subject, branches: branches, otherwise: otherwise)),
            start..<end,
            [subject, otherwise].compactMap { $0 } + parts
        )
    }

    private mutating func cast() throws(ExpressionFault) -> Syntax {
        let start = current.range.lowerBound
        advance()
        try expect(.open, "after CAST")
        let inner = try expression(.or)
        try expect(.as, "and a type in CAST")
        guard case .name(let word, false) = current.kind,
            let type = ValueType(rawValue: word.uppercased())
        else { throw unexpected("one of the types TEXT, INTEGER and REAL") }
        advance()
        let end = current.range.upperBound
        try expect(.close, "to close CAST")
        return try node(.cast(inner, to: type), start..<end, [inner])
    }
}
