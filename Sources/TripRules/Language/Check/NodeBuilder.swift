internal import TripDomain

/// Builds nodes: constants are computed at once, and a lookup's subtree for all rows of its table.
struct NodeBuilder {
    let scope: ExpressionScope

    /// A text node, or its value where it is constant.
    func text(
        _ operation: TextOperation,
        _ source: NodeSource,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> TextNode {
        let node = TextNode(operation, source)
        guard source == .nothing else { return node }
        let result = Evaluation(.one).texts(node)
        try refuseOverflow(result.codes, range)
        let code = result.codes[0]
        return TextNode(.constant(code == 0 ? nil : Array(result.pool.slice(code))), .nothing)
    }

    /// An integer node, or its value where it is constant.
    func integer(
        _ operation: IntegerOperation,
        _ source: NodeSource,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> IntegerNode {
        let node = IntegerNode(operation, source)
        guard source == .nothing else { return node }
        let result = Evaluation(.one).integers(node)
        try refuseOverflow(result, range)
        return IntegerNode(.constant(result.isNull(0) ? nil : result[0]), .nothing)
    }

    /// A real node, or its value where it is constant.
    func real(
        _ operation: RealOperation,
        _ source: NodeSource,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> RealNode {
        let node = RealNode(operation, source)
        guard source == .nothing else { return node }
        let result = Evaluation(.one).reals(node)
        try refuseOverflow(result, range)
        return RealNode(.constant(result.isNull(0) ? nil : result[0]), .nothing)
    }

    /// A condition, or its truth where it is constant.
    func truth(
        _ operation: TruthOperation,
        _ source: NodeSource,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> TruthNode {
        let node = TruthNode(operation, source)
        guard source == .nothing else { return node }
        let result = Evaluation(.one).truth(node)
        try refuseOverflow(result, range)
        return TruthNode(.constant(Truth(rawValue: result[0]) ?? .unknown), .nothing)
    }

    private func refuseOverflow<Element>(
        _ result: Vector<Element>,
        _ range: Range<Int>
    ) throws(ExpressionFault) {
        guard result.hasOverflow(0) else { return }
        throw ExpressionFault(
            .overflow,
            at: range,
            "this leaves the range of 64-bit whole numbers for every trip",
            suggestion: "compute with REAL: write a number with a point, or CAST(… AS REAL)"
        )
    }

    // MARK: Where a look-up's subtree ends

    /// The node as a part of one that depends on `whole`.
    ///
    /// Where `whole` depends on more than the node's lookup, the node's values are computed now,
    /// for all rows of the reference table.
    func settled(_ node: TextNode, in whole: NodeSource = .rows) -> TextNode {
        guard let (lookup, rows) = ending(node.source, whole) else { return node }
        var texts = rows.texts(node)
        texts.codes = texts.codes.expanded(to: rows.rowCount)
        return TextNode(.lookedUp(lookup, texts), .rows)
    }

    /// The same for a node of whole numbers.
    func settled(_ node: IntegerNode, in whole: NodeSource = .rows) -> IntegerNode {
        guard let (lookup, rows) = ending(node.source, whole) else { return node }
        let values = rows.integers(node).expanded(to: rows.rowCount)
        return IntegerNode(.lookedUp(lookup, values), .rows)
    }

    /// The same for a node of doubles.
    func settled(_ node: RealNode, in whole: NodeSource = .rows) -> RealNode {
        guard let (lookup, rows) = ending(node.source, whole) else { return node }
        let values = rows.reals(node).expanded(to: rows.rowCount)
        return RealNode(.lookedUp(lookup, values), .rows)
    }

    /// The same for a condition.
    func settled(_ node: TruthNode, in whole: NodeSource = .rows) -> TruthNode {
        guard let (lookup, rows) = ending(node.source, whole) else { return node }
        let values = rows.truth(node).expanded(to: rows.rowCount)
        return TruthNode(.lookedUp(lookup, values), .rows)
    }

    /// The same for a node of any type.
    func settled(_ node: ValueNode, in whole: NodeSource = .rows) -> ValueNode {
        switch node {
        case .text(let node): .text(settled(node, in: whole))
        case .integer(let node): .integer(settled(node, in: whole))
        case .real(let node): .real(settled(node, in: whole))
        }
    }

    private func ending(
        _ source: NodeSource,
        _ whole: NodeSource
    ) -> (lookup: Int, rows: Evaluation)? {
        guard case .lookup(let lookup) = source, whole == .rows else { return nil }
        return (lookup, Evaluation(.reference(scope.lookups[lookup].table)))
    }

    // MARK: Values as conditions and back

    /// A condition as the number 0, 1 or NULL.
    func number(_ node: TruthNode) -> IntegerNode {
        if case .constant(let truth) = node.operation {
            let value: Int64? =
                switch truth {
                case .no: 0
                case .unknown: nil
                case .yes: 1
                }
            return IntegerNode(.constant(value), .nothing)
        }
        return IntegerNode(.truth(node), node.source)
    }

    /// A NULL of a type.
    func null(_ type: ValueType) -> ValueNode {
        switch type {
        case .text: .text(TextNode(.constant(nil), .nothing))
        case .integer: .integer(IntegerNode(.constant(nil), .nothing))
        case .real: .real(RealNode(.constant(nil), .nothing))
        }
    }
}
