/// Conditions: the three truth values are the same in every dialect.
extension ExpressionSQL {
    /// A condition; in SQLite a number, elsewhere a BOOLEAN.
    mutating func truth(_ node: TruthNode) throws(SQLRefusal) -> SQLPiece {
        switch node.operation {
        case .constant(let truth): return constant(truth)
        case .all(let parts): return try connected(parts, " AND ", .and)
        case .any(let parts): return try connected(parts, " OR ", .or)
        case .not(let inner): return try inverted(inner)
        case .nonzero(let value): return try nonzero(value)
        case .isNull(let node):
            return SQLPiece("\(try value(node).at(.operation)) IS NULL", .comparison)
        case .comparison(let comparison, let left, let right):
            return try compared(comparison, left, right)
        case .between(let subject, let low, let high):
            return try between(subject, low, high)
        case .isIn(let subject, let items):
            return try listed(subject, items)
        case .matches(let kind, let inner, let pattern):
            return try matched(kind, inner, pattern)
        case .lookedUp: preconditionFailure("a flattened scope has no look-ups")
        }
    }

    private func constant(_ truth: Truth) -> SQLPiece {
        switch truth {
        case .no: SQLPiece(dialect == .sqlite ? "0" : "FALSE")
        case .yes: SQLPiece(dialect == .sqlite ? "1" : "TRUE")
        case .unknown: SQLPiece(dialect == .sqlite ? "NULL" : "CAST(NULL AS BOOLEAN)")
        }
    }

    private mutating func connected(
        _ parts: [TruthNode],
        _ word: String,
        _ level: SQLPiece.Level
    ) throws(SQLRefusal) -> SQLPiece {
        var texts: [String] = []
        // One level higher, so that AND within AND keeps its parentheses, as OR does.
        for part in parts { texts.append(try truth(part).at(.not)) }
        return SQLPiece(texts.joined(separator: word), level)
    }

    private mutating func inverted(_ inner: TruthNode) throws(SQLRefusal) -> SQLPiece {
        switch inner.operation {
        case .isNull(let node):
            return SQLPiece("\(try value(node).at(.operation)) IS NOT NULL", .comparison)
        case .isIn(let subject, let items):
            return try listed(subject, items, isNegated: true)
        default: return SQLPiece("NOT \(try truth(inner).at(.atom))", .not)
        }
    }

    private mutating func nonzero(_ node: ValueNode) throws(SQLRefusal) -> SQLPiece {
        if case .integer(let integer) = node, case .truth(let inner) = integer.operation {
            return try truth(inner)
        }
        return SQLPiece("\(try value(node).at(.operation)) <> 0", .comparison)
    }

    private mutating func listed(
        _ subject: ValueNode,
        _ items: [ValueNode],
        isNegated: Bool = false
    ) throws(SQLRefusal) -> SQLPiece {
        var texts: [String] = []
        for item in items { texts.append(try value(item).text) }
        let word = isNegated ? "NOT IN" : "IN"
        let list = texts.joined(separator: ", ")
        return SQLPiece("\(try value(subject).at(.operation)) \(word) (\(list))", .comparison)
    }

    private mutating func between(
        _ subject: ValueNode,
        _ low: ValueNode,
        _ high: ValueNode
    ) throws(SQLRefusal) -> SQLPiece {
        guard subject.type == low.type, subject.type == high.type else {
            let first = try compared(.greaterOrEqual, subject, low)
            let second = try compared(.lessOrEqual, subject, high)
            return SQLPiece("\(first.at(.not)) AND \(second.at(.not))", .and)
        }
        let texts = (
            try value(subject).at(.operation), try value(low).at(.operation),
            try value(high).at(.operation)
        )
        return SQLPiece("\(texts.0) BETWEEN \(texts.1) AND \(texts.2)", .comparison)
    }

    // MARK: Comparisons

    /// Two values compared.
    mutating func compared(
        _ comparison: Comparison,
        _ left: ValueNode,
        _ right: ValueNode
    ) throws(SQLRefusal) -> SQLPiece {
        switch (left, right) {
        case (.integer(let left), .real(let right)) where dialect != .sqlite:
            return try compared(comparison, left, right)
        case (.real(let left), .integer(let right)) where dialect != .sqlite:
            return try compared(comparison.mirrored, right, left)
        default:
            let (left, right) = (try value(left), try value(right))
            return SQLPiece(
                "\(left.at(.operation)) \(word(comparison)) \(right.at(.operation))",
                .comparison
            )
        }
    }

    private func word(_ comparison: Comparison) -> String {
        switch comparison {
        case .same where dialect != .sqlite: "IS NOT DISTINCT FROM"
        case .different where dialect != .sqlite: "IS DISTINCT FROM"
        default: comparison.rawValue
        }
    }

    /// Compares a whole number with a double, exactly: both engines would round the whole number.
    private mutating func compared(
        _ comparison: Comparison,
        _ left: IntegerNode,
        _ right: RealNode
    ) throws(SQLRefusal) -> SQLPiece {
        let whole = try wide(left)
        let bounds = bounds(left)
        let isExact = bounds.lowerBound >= -(1 << 53) && bounds.upperBound <= 1 << 53
        let number = try real(right)
        if isExact {
            return SQLPiece(
                "CAST(\(whole.text) AS DOUBLE) \(word(comparison)) \(number.at(.operation))",
                .comparison
            )
        }
        let limit = dialect.literal(0x1p63 as Double)
        let (isBeyond, isBelow) = comparison.truthsBeyond64Bits
        return try naming(whole) { (writer, whole) throws(SQLRefusal) in
            try writer.naming(number) { (_, number) throws(SQLRefusal) in
                let inner = comparison.ofWholeNumber(whole, number)
                let nulls =
                    comparison == .same || comparison == .different
                    ? "(\(whole) IS NULL) \(comparison == .same ? "=" : "<>") (\(number) IS NULL)"
                    : "CAST(NULL AS BOOLEAN)"
                return SQLPiece(
                    "CASE WHEN \(whole) IS NULL OR \(number) IS NULL THEN \(nulls) "
                        + "WHEN \(number) >= \(limit) THEN \(isBeyond) "
                        + "WHEN \(number) < -\(limit) THEN \(isBelow) ELSE \(inner) END"
                )
            }
        }
    }
}

extension Comparison {
    /// Whether the comparison of any whole number holds with a double above all of 64 bits, and
    /// with one below.
    fileprivate var truthsBeyond64Bits: (above: String, below: String) {
        switch self {
        case .less, .lessOrEqual: ("TRUE", "FALSE")
        case .greater, .greaterOrEqual: ("FALSE", "TRUE")
        case .equal, .same: ("FALSE", "FALSE")
        case .notEqual, .different: ("TRUE", "TRUE")
        }
    }

    /// The comparison with a double within 64 bits, as one of whole numbers.
    fileprivate func ofWholeNumber(_ whole: String, _ number: String) -> String {
        let below = "CAST(floor(\(number)) AS BIGINT)"
        let above = "CAST(ceil(\(number)) AS BIGINT)"
        return switch self {
        case .less: "\(whole) < \(above)"
        case .lessOrEqual: "\(whole) <= \(below)"
        case .greater: "\(whole) > \(below)"
        case .greaterOrEqual: "\(whole) >= \(above)"
        case .equal, .same: "\(whole) = \(below) AND \(whole) = \(above)"
        case .notEqual, .different: "\(whole) <> \(below) OR \(whole) <> \(above)"
        }
    }
}
