internal import TripDomain

/// Finds what names mean and whether types fit, and builds the program's nodes on the way.
struct TypeChecker {
    /// What a subtree gives.
    enum Checked {
        /// The literal NULL, which takes the type that its context requires.
        case null
        case value(ValueNode)
        case truth(TruthNode)
    }

    let scope: ExpressionScope
    let build: NodeBuilder
    private(set) var namesUsed: [String] = []

    init(scope: ExpressionScope) {
        self.scope = scope
        build = NodeBuilder(scope: scope)
    }

    /// Checks a subtree.
    mutating func check(_ syntax: Syntax) throws(ExpressionFault) -> Checked {
        switch syntax.kind {
        case .null: return .null
        case .text(let bytes): return .value(.text(TextNode(.constant(bytes), .nothing)))
        case .integer(let value): return try integer(value, isNegative: false, syntax.range)
        case .real(let value): return .value(.real(RealNode(.constant(value), .nothing)))
        case .name(let name): return .value(try resolve(name, syntax.range))
        case .negated(let inner): return try negated(inner, syntax.range)
        case .not(let inner):
            let inner = try condition(inner)
            return .truth(try build.truth(.not(inner), inner.source, syntax.range))
        case .all(let parts): return .truth(try connected(parts, isAll: true, syntax.range))
        case .any(let parts): return .truth(try connected(parts, isAll: false, syntax.range))
        case .comparison(let comparison, let left, let right):
            return .truth(try compared(comparison, left, right, syntax.range))
        case .arithmetic(let operation, let left, let right):
            return .value(try arithmetic(operation, left, right, syntax.range))
        case .joined(let left, let right): return .value(try joined(left, right, syntax.range))
        case .between(let value, let low, let high, let isNegated):
            return try inverted(try between(value, low, high, syntax.range), isNegated, syntax)
        case .inList(let value, let items, let isNegated):
            return try inverted(try listed(value, items, syntax.range), isNegated, syntax)
        case .matches(let kind, let value, let pattern, let isNegated):
            return try inverted(
                try matched(kind, value, pattern, syntax.range),
                isNegated,
                syntax
            )
        case .choice(let choice): return try chosen(choice, syntax.range)
        case .cast(let inner, let type): return .value(try cast(inner, type, syntax.range))
        case .call(let name, let nameRange, let arguments):
            return try call(name, nameRange, arguments, syntax.range)
        }
    }

    /// The node at the top of a program: a lookup's subtree ends here at the latest.
    func settled(_ node: TruthNode) -> TruthNode { build.settled(node) }
    func settled(_ node: ValueNode) -> ValueNode { build.settled(node) }

    /// Notes a name as used.
    mutating func note(_ name: String) {
        if !namesUsed.contains(name) { namesUsed.append(name) }
    }

    // MARK: Subtrees in a role

    /// A subtree as a condition: numbers hold where they differ from 0.
    mutating func condition(_ syntax: Syntax) throws(ExpressionFault) -> TruthNode {
        try condition(try check(syntax), syntax)
    }

    /// A checked subtree as a condition.
    func condition(_ checked: Checked, _ syntax: Syntax) throws(ExpressionFault) -> TruthNode {
        switch checked {
        case .null: return TruthNode(.constant(.unknown), .nothing)
        case .truth(let node): return node
        case .value(.text):
            throw ExpressionFault(
                .typeMismatch,
                at: syntax.range,
                "a TEXT cannot be a condition",
                suggestion: "compare it with something, as in `status = 'completed'`"
            )
        case .value(let value):
            return try build.truth(.nonzero(value), value.source, syntax.range)
        }
    }

    /// A checked subtree as a value; nil for the literal NULL.
    func value(_ checked: Checked) throws(ExpressionFault) -> ValueNode? {
        switch checked {
        case .null: nil
        case .value(let node): node
        case .truth(let node): .integer(build.number(node))
        }
    }

    /// A subtree as a value; nil for the literal NULL.
    mutating func value(_ syntax: Syntax) throws(ExpressionFault) -> ValueNode? {
        try value(try check(syntax))
    }

    /// A subtree that must be TEXT or NULL.
    mutating func text(_ syntax: Syntax, of what: String) throws(ExpressionFault) -> TextNode {
        switch try value(syntax) {
        case nil: return TextNode(.constant(nil), .nothing)
        case .text(let node): return node
        case .some(let other):
            let remedy =
                other.type == .integer
                ? "CAST(… AS TEXT) makes a text of a whole number"
                : "a REAL has no single text; CAST it to INTEGER first"
            throw ExpressionFault(
                .typeMismatch,
                at: syntax.range,
                "\(what) takes TEXT, and this is \(other.type.rawValue)",
                suggestion: remedy
            )
        }
    }

    /// A subtree that must be INTEGER or NULL.
    mutating func integer(
        _ syntax: Syntax,
        of what: String
    ) throws(ExpressionFault) -> IntegerNode {
        switch try value(syntax) {
        case nil: return IntegerNode(.constant(nil), .nothing)
        case .integer(let node): return node
        case .some(let other):
            throw ExpressionFault(
                .typeMismatch,
                at: syntax.range,
                "\(what) takes INTEGER, and this is \(other.type.rawValue)",
                suggestion: "CAST(… AS INTEGER) makes a whole number of it"
            )
        }
    }

    /// A subtree that must be a number or NULL; NULL counts as INTEGER.
    mutating func number(_ syntax: Syntax, of what: String) throws(ExpressionFault) -> ValueNode {
        switch try value(syntax) {
        case nil: return build.null(.integer)
        case .text:
            throw ExpressionFault(
                .typeMismatch,
                at: syntax.range,
                "\(what) takes numbers, and this is TEXT",
                suggestion: "CAST(… AS INTEGER) reads a number from a text; `||` joins texts"
            )
        case .some(let number): return number
        }
    }

    // MARK: Literals, signs and connectives

    private func integer(
        _ magnitude: UInt64?,
        isNegative: Bool,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> Checked {
        let limit = UInt64(Int64.max) + (isNegative ? 1 : 0)
        guard let magnitude, magnitude <= limit else {
            throw ExpressionFault(
                .overflow,
                at: range,
                "the number exceeds 64 bits",
                suggestion: "with a point, as in 1e19 or 10000000000000000000.0, it is a REAL"
            )
        }
        let value = isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
        return .value(.integer(IntegerNode(.constant(value), .nothing)))
    }

    private mutating func negated(
        _ inner: Syntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> Checked {
        if case .integer(let magnitude) = inner.kind {
            return try integer(magnitude, isNegative: true, range)
        }
        switch try number(inner, of: "the minus sign") {
        case .integer(let node):
            return .value(.integer(try build.integer(.negated(node), node.source, range)))
        case .real(let node):
            return .value(.real(try build.real(.negated(node), node.source, range)))
        case .text: preconditionFailure("a number was asked for")
        }
    }

    private mutating func connected(
        _ parts: [Syntax],
        isAll: Bool,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> TruthNode {
        var nodes: [TruthNode] = []
        for part in parts { nodes.append(try condition(part)) }
        let source = nodes.map(\.source).reduce(.nothing, +)
        nodes = try grouped(nodes, isAll: isAll, range).map { build.settled($0, in: source) }
        return try build.truth(isAll ? .all(nodes) : .any(nodes), source, range)
    }

    /// The same conditions, those of one lookup or one coded column together.
    ///
    /// Together they are computed once per reference row or distinct value, and spread over the
    /// trips once. The order of conditions does not matter: none has an effect but its truth.
    private func grouped(
        _ nodes: [TruthNode],
        isAll: Bool,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> [TruthNode] {
        var groups: [(source: NodeSource, nodes: [TruthNode])] = []
        for node in nodes {
            let index = groups.firstIndex { $0.source == node.source && node.source != .rows }
            if let index {
                groups[index].nodes.append(node)
            } else {
                groups.append((node.source, [node]))
            }
        }
        guard groups.count > 1 else { return nodes }
        var result: [TruthNode] = []
        for (source, nodes) in groups {
            if nodes.count == 1 {
                result.append(nodes[0])
            } else {
                result.append(try build.truth(isAll ? .all(nodes) : .any(nodes), source, range))
            }
        }
        return result
    }

    private func inverted(
        _ node: TruthNode,
        _ isNegated: Bool,
        _ syntax: Syntax
    ) throws(ExpressionFault) -> Checked {
        .truth(isNegated ? try build.truth(.not(node), node.source, syntax.range) : node)
    }
}
