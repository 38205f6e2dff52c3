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
