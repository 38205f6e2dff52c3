internal import TripDomain

/// What the value of a subtree depends on: it decides how often the subtree must be computed.
enum NodeSource: Sendable, Hashable {
    /// Nothing: once, when the program is made.
    case nothing
    /// One coded text column: once per distinct value of a batch.
    case column(Int)
    /// One lookup: once per row of its reference table, when the program is made.
    case lookup(Int)
    /// More, or numbers that are not coded: once per trip.
    case rows

    /// What two subtrees together depend on.
    static func + (left: NodeSource, right: NodeSource) -> NodeSource {
        if left == right || right == .nothing { return left }
        return left == .nothing ? right : .rows
    }
}

/// One node of a program: an operation of a known result type over other nodes.
final class Node<Operation: Sendable>: Sendable {
    let operation: Operation
    let source: NodeSource

    init(_ operation: Operation, _ source: NodeSource) {
        self.operation = operation
        self.source = source
    }
}

/// A node that gives texts.
typealias TextNode = Node<TextOperation>
/// A node that gives whole numbers.
typealias IntegerNode = Node<IntegerOperation>
/// A node that gives doubles.
typealias RealNode = Node<RealOperation>
/// A node that gives SQL's three truth values.
typealias TruthNode = Node<TruthOperation>

/// A node of any of the three value types.
enum ValueNode: Sendable {
    case text(TextNode)
    case integer(IntegerNode)
    case real(RealNode)

    var source: NodeSource {
        switch self {
        case .text(let node): node.source
        case .integer(let node): node.source
        case .real(let node): node.source
        }
    }

    var type: ValueType {
        switch self {
        case .text: .text
        case .integer: .integer
        case .real: .real
        }
    }
}

/// The conditions of a CASE: each on its own, or each compared with one value.
enum CaseConditions: Sendable {
    case searched([TruthNode])
    case matching(ValueNode, [ValueNode])
}

/// A CASE whose results are of one type.
struct Choice<Result: Sendable>: Sendable {
    let conditions: CaseConditions
    let results: [Result]
    let otherwise: Result
}

/// The operations that give texts.
enum TextOperation: Sendable {
    case constant([UInt8]?)
    /// A column of the trips.
    case column(Int)
    /// A column of the reference table; occurs only while a lookup's subtree is computed.
    case reference(column: Int)
    /// Values per reference row, computed when the program was made.
    case lookedUp(Int, TextVector)
    case joined([TextNode])
    case upper(TextNode)
    case lower(TextNode)
    case trimmed(TextNode, of: TextNode)
    case substring(TextNode, start: IntegerNode, length: IntegerNode?)
    case digits(of: IntegerNode)
    case date(DateFormat, TextNode, [DateModifier])
    case firstKnown([TextNode])
    case nullIfEqual(TextNode, TextNode)
    case choice(Choice<TextNode>)
}

/// The operations that give whole numbers.
enum IntegerOperation: Sendable {
    case constant(Int64?)
    case column(Int)
    case reference(column: Int)
    /// 1 for a row of the reference table, 0 for none.
    case isMatched
    /// How many rows a lookup of several found, from the frame.
    case matchCount(Int)
    case lookedUp(Int, Vector<Int64>)
    case negated(IntegerNode)
    case magnitude(IntegerNode)
    case arithmetic(Arithmetic, IntegerNode, IntegerNode)
    case reading(TextNode)
    case truncated(RealNode)
    case truth(TruthNode)
    case length(TextNode)
    case position(of: TextNode, in: TextNode)
    case firstKnown([IntegerNode])
    case nullIfEqual(IntegerNode, ValueNode)
    case choice(Choice<IntegerNode>)
}

/// The operations that give doubles.
enum RealOperation: Sendable {
    case constant(Double?)
    case column(Int)
    case reference(column: Int)
    case lookedUp(Int, Vector<Double>)
    case negated(RealNode)
    case magnitude(RealNode)
    case arithmetic(Arithmetic, RealNode, RealNode)
    /// `%` where a side is REAL: SQLite truncates both sides first.
    case remainder(IntegerNode, IntegerNode)
    case widened(IntegerNode)
    case reading(TextNode)
    case rounded(RealNode, digits: Int)
    case firstKnown([RealNode])
    case nullIfEqual(RealNode, ValueNode)
    case choice(Choice<RealNode>)
}

/// The operations that give truth values.
enum TruthOperation: Sendable {
    case constant(Truth)
    case lookedUp(Int, Vector<UInt8>)
    case all([TruthNode])
    case any([TruthNode])
    case not(TruthNode)
    /// Whether a number differs from 0.
    case nonzero(ValueNode)
    case isNull(ValueNode)
    case comparison(Comparison, ValueNode, ValueNode)
    case between(ValueNode, low: ValueNode, high: ValueNode)
    case isIn(ValueNode, [ValueNode])
    case matches(WildcardKind, TextNode, pattern: TextNode)
}

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
