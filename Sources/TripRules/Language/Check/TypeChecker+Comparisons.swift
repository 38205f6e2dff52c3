internal import TripDomain

/// Comparisons, lists, ranges and patterns.
extension TypeChecker {
    /// Two sides of a comparison: both texts, or both numbers; NULL takes the other's type.
    private func comparable(
        _ left: ValueNode?,
        _ right: ValueNode?,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> (ValueNode, ValueNode) {
        let left = left ?? build.null(right?.type ?? .integer)
        let right = right ?? build.null(left.type)
        guard (left.type == .text) == (right.type == .text) else {
            throw ExpressionFault(
                .typeMismatch,
                at: range,
                "\(left.type.rawValue) cannot be compared with \(right.type.rawValue)",
                suggestion: "write the number as a text, as in '42', or CAST one side"
            )
        }
        let source = left.source + right.source
        return (build.settled(left, in: source), build.settled(right, in: source))
    }

    mutating func compared(
        _ comparison: Comparison,
        _ left: Syntax,
        _ right: Syntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> TruthNode {
        let leftValue = try value(left)
        let rightValue = try value(right)
        let isTest = comparison == .same || comparison == .different
        if isTest, let value = leftValue, rightValue == nil {
            let node = try build.truth(.isNull(value), value.source, range)
            return comparison == .same ? node : try build.truth(.not(node), node.source, range)
        }
        let (left, right) = try comparable(leftValue, rightValue, range)
        return try build.truth(
            .comparison(comparison, left, right),
            source(left, right),
            range
        )
    }

    /// What a comparison depends on: one of a date with a constant is computed by numbers per trip,
    /// which costs less than a text per day.
    private func source(_ left: ValueNode, _ right: ValueNode) -> NodeSource {
        let isDate = isDateColumn(left) && right.constantText != nil
        let isMirroredDate = isDateColumn(right) && left.constantText != nil
        return isDate || isMirroredDate ? .rows : left.source + right.source
    }

    private func isDateColumn(_ node: ValueNode) -> Bool {
        guard case .text(let text) = node, case .column(let index) = text.operation else {
            return false
        }
        return scope.columns[index].kind == .date || scope.columns[index].kind == .timestamp
    }

    mutating func between(
        _ value: Syntax,
        _ low: Syntax,
        _ high: Syntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> TruthNode {
        let subject = try self.value(value)
        let lowValue = try self.value(low)
        let highValue = try self.value(high)
        let bound = lowValue ?? highValue
        let (_, first) = try comparable(
            subject ?? bound.map { build.null($0.type) },
            lowValue,
            range
        )
        let (node, second) = try comparable(
            subject ?? build.null(first.type),
            highValue,
            range
        )
        let source = node.source + first.source + second.source
        if node.isColumn {
            // Two comparisons of a stored column cost less than one range: dates need no texts.
            let parts = [
                try build.truth(
                    .comparison(.greaterOrEqual, node, first),
                    self.source(node, first),
                    range
                ),
                try build.truth(
                    .comparison(.lessOrEqual, node, second),
                    self.source(node, second),
                    range
                ),
            ].map { build.settled($0, in: source) }
            return try build.truth(.all(parts), parts[0].source + parts[1].source, range)
        }
        return try build.truth(
            .between(
                build.settled(node, in: source),
                low: build.settled(first, in: source),
                high: build.settled(second, in: source)
            ),
            source,
            range
        )
    }

    mutating func listed(
        _ value: Syntax,
        _ items: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> TruthNode {
        let subject = try self.value(value)
        var nodes: [ValueNode?] = []
        for item in items { nodes.append(try self.value(item)) }
        let type = subject?.type ?? nodes.compactMap { $0?.type }.first ?? .integer
        var settled: [ValueNode] = []
        for (node, item) in zip(nodes, items) {
            let node = node.map { $0.exactly(type) } ?? build.null(type)
            guard node.type == type else {
                throw ExpressionFault(
                    .typeMismatch,
                    at: item.range,
                    "the list after IN holds \(node.type.rawValue) where \(type.rawValue) is "
                        + "looked for; SQLite converts here in ways that surprise",
                    suggestion: "write the values as \(type.rawValue), or CAST one side"
                )
            }
            settled.append(node)
        }
        let node = subject ?? build.null(type)
        let source = settled.map(\.source).reduce(node.source, +)
        return try build.truth(
            .isIn(
                build.settled(node, in: source),
                settled.map { build.settled($0, in: source) }
            ),
            source,
            range
        )
    }

    mutating func matched(
        _ kind: WildcardKind,
        _ value: Syntax,
        _ pattern: Syntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> TruthNode {
        let text = try self.text(value, of: kind.rawValue)
        let pattern = try self.text(pattern, of: kind.rawValue)
        let source = text.source + pattern.source
        return try build.truth(
            .matches(
                kind,
                build.settled(text, in: source),
                pattern: build.settled(pattern, in: source)
            ),
            source,
            range
        )
    }
}

extension ValueNode {
    /// Whether the node reads a column of the trips and nothing else.
    var isColumn: Bool {
        switch self {
        case .text(let node): if case .column = node.operation { true } else { false }
        case .integer(let node): if case .column = node.operation { true } else { false }
        case .real(let node): if case .column = node.operation { true } else { false }
        }
    }

    /// The same value as a constant of another type, where that is exact: `1` in a list of REAL.
    func exactly(_ type: ValueType) -> ValueNode {
        guard type == .real, case .integer(let node) = self,
            case .constant(let value?) = node.operation, abs(Double(value)) <= 0x1p53
        else { return self }
        return .real(RealNode(.constant(Double(value)), .nothing))
    }
}
