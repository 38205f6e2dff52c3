internal import TripDomain

/// One node of a parsed expression, before names and types are known.
struct Syntax: Sendable {
    /// The content of the node.
    indirect enum Kind: Sendable {
        case null
        case text([UInt8])
        /// Digits; the sign before them is part of `negated`, because −2⁶³ has no positive twin.
        case integer(UInt64?)
        case real(Double)
        case name(NameSyntax)
        case negated(Syntax)
        case not(Syntax)
        /// Two or more conditions joined by AND.
        case all([Syntax])
        /// Two or more conditions joined by OR.
        case any([Syntax])
        case comparison(Comparison, Syntax, Syntax)
        case arithmetic(Arithmetic, Syntax, Syntax)
        case joined(Syntax, Syntax)
        case between(Syntax, low: Syntax, high: Syntax, isNegated: Bool)
        case inList(Syntax, [Syntax], isNegated: Bool)
        case matches(WildcardKind, Syntax, pattern: Syntax, isNegated: Bool)
        case choice(CaseSyntax)
        case cast(Syntax, to: ValueType)
        case call(name: String, nameRange: Range<Int>, [Syntax])
    }

    let kind: Kind
    /// The bytes of the text the node covers, its parentheses included.
    let range: Range<Int>
    /// 1 for a leaf; one more than the deepest part for others.
    let depth: Int
    /// Whether the node has parentheses of its own.
    var isParenthesized = false
}

/// A name as written: a column, or a lookup and its column.
struct NameSyntax: Sendable, Hashable {
    let lookup: String?
    let column: String
    /// Whether the column's part is in double quotes.
    let isQuoted: Bool

    /// The name as rules write it, without quotes.
    var text: String { lookup.map { "\($0).\(column)" } ?? column }
}

/// CASE with or without a value to compare.
struct CaseSyntax: Sendable {
    let subject: Syntax?
    let branches: [(when: Syntax, then: Syntax)]
    let otherwise: Syntax?
}

/// How two values are compared.
enum Comparison: String, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// Equality in which NULL equals NULL; never NULL itself.
    case same = "IS"
    /// The opposite of `same`.
    case different = "IS NOT"
}

/// The operations on numbers.
enum Arithmetic: String, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
}

/// The two kinds of pattern.
enum WildcardKind: String, Sendable, CaseIterable {
    /// `%` any run, `_` any one character; ASCII letters match in either case.
    case like = "LIKE"
    /// `*` any run, `?` any one character, `[…]` one of a set; case matters.
    case glob = "GLOB"
}

extension Syntax {
    /// The literals that a name is compared with anywhere below the node, in order.
    func constants(comparedWith name: String) -> [ExpressionValue] {
        switch kind {
        case .comparison(_, let left, let right): return Self.pairs([left, right], name)
        case .between(let value, let low, let high, _): return Self.pairs([value, low, high], name)
        case .inList(let value, let items, _): return Self.pairs([value] + items, name)
        case .name(let found) where found.text == name: return [.integer(1), .integer(0)]
        default: return parts.flatMap { $0.constants(comparedWith: name) }
        }
    }

    /// A text for each pattern that a name is matched against anywhere below the node: the pattern
    /// without its `%` and `*`, and with `x` for each `_` and `?`.
    func textsMatched(against name: String) -> [ExpressionValue] {
        guard case .matches(_, let value, let pattern, _) = kind, value.reads(name),
            case .text(let bytes)? = pattern.literal
        else { return parts.flatMap { $0.textsMatched(against: name) } }
        return [.text(bytes.filter { !"%*".contains($0) }.replacing(/[_?]/, with: "x"))]
    }

    private static func pairs(_ parts: [Syntax], _ name: String) -> [ExpressionValue] {
        guard parts.contains(where: { $0.reads(name) }) else { return [] }
        let literals = parts.compactMap(\.literal)
        return literals
            + parts.flatMap { part in
                part.isName ? [] : part.constants(comparedWith: name)
            }
    }

    private var isName: Bool {
        if case .name = kind { true } else { false }
    }

    /// Whether the name occurs anywhere below the node.
    private func reads(_ name: String) -> Bool {
        if case .name(let found) = kind { return found.text == name }
        return parts.contains { $0.reads(name) }
    }

    /// The value of a literal; nil for any other node.
    private var literal: ExpressionValue? {
        switch kind {
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .integer(let value?) where value <= UInt64(Int64.max): .integer(Int64(value))
        case .real(let value): .real(value)
        case .negated(let inner):
            switch inner.literal {
            case .integer(let value): .integer(-value)
            case .real(let value): .real(-value)
            default: nil
            }
        default: nil
        }
    }

    /// The columns of a sum in which NULL counts as 0; nil where it is another expression.
    fileprivate var knownSummands: [String]? {
        switch kind {
        case .call(let name, _, let values) where name.lowercased() == "coalesce":
            guard values.count == 2, case .name(let name) = values[0].kind, name.lookup == nil,
                values[1].literal == .integer(0)
            else { return nil }
            return [name.column]
        case .arithmetic(.add, let left, let right), .arithmetic(.subtract, let left, let right):
            guard let first = left.knownSummands, let second = right.knownSummands else {
                return nil
            }
            return first + second
        case .negated(let inner): return inner.knownSummands
        default: return nil
        }
    }

    /// The nodes directly below this one.
    var parts: [Syntax] {
        switch kind {
        case .null, .text, .integer, .real, .name: []
        case .negated(let inner), .not(let inner), .cast(let inner, _): [inner]
        case .all(let parts), .any(let parts), .call(_, _, let parts): parts
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right),
            .joined(let left, let right), .matches(_, let left, let right, _):
            [left, right]
        case .between(let value, let low, let high, _): [value, low, high]
        case .inList(let value, let items, _): [value] + items
        case .choice(let choice):
            [choice.subject, choice.otherwise].compactMap { $0 }
                + choice.branches.flatMap { [$0.when, $0.then] }
        }
    }
}

extension ExpressionValue {
    /// Whether a column of a kind can hold the value.
    func fits(_ kind: ColumnKind) -> Bool {
        switch (self, kind) {
        case (.null, _), (.text, .text), (.real, .decimal): true
        case (.integer(let value), .boolean): value == 0 || value == 1
        case (.integer, .integer), (.integer, .money), (.integer, .miles): true
        case (.text, .date), (.text, .timestamp): FlatTrips.stored(self, kind) != nil
        default: false
        }
    }

    /// The values next to this one, for conditions that exclude their bound.
    func neighbors(_ kind: ColumnKind) -> [ExpressionValue] {
        switch self {
        case .null: return []
        case .integer(let value):
            return [.integer(value &+ 1), .integer(value &- 1)]
        case .real(let value): return [.real(value.nextUp), .real(value.nextDown)]
        case .text(let text):
            guard kind == .date || kind == .timestamp, let number = FlatTrips.stored(self, kind)
            else { return [.text(text + "x")] }
            return [number + 1, number - 1].map { number in
                kind == .date
                    ? .text(CivilDate(dayNumber: Int32(clamping: number)).text)
                    : .text(CivilTime.text(ofSeconds: number))
            }
        }
    }
}

/// An expression whose text is well formed; its names and types are not checked yet.
public struct ParsedExpression: Sendable {
    /// Bytes of text that are read: far more than a rule needs, and little enough that a slip of
    /// the hand in a file cannot keep the parser busy.
    public static let sizeLimit = 16 * 1024
    /// How deep parentheses, CASE and operators may nest.
    ///
    /// Conditions joined by AND or OR count as one level however many they are.
    public static let depthLimit = 64

    /// The text that was parsed.
    public let text: String
    let root: Syntax

    /// Parses a text.
    ///
    /// - Parameter text: The expression as written.
    /// - Throws: ``ExpressionFault`` at the first position where the text is not valid.
    public init(parsing text: String) throws(ExpressionFault) {
        let size = text.utf8.count
        guard size <= Self.sizeLimit else {
            throw ExpressionFault(
                .tooLarge,
                at: 0..<0,
                "the expression has \(size) bytes; at most \(Self.sizeLimit) are read",
                suggestion: "a long list of values belongs into a lookup"
            )
        }
        var parser = Parser(tokens: try Tokenizer.tokens(of: text))
        self.text = text
        root = try parser.parse()
    }

    /// The columns that it adds up or subtracts; nil where it does anything else.
    ///
    /// In a sum of several, each must be read as 0 where it is NULL, as `coalesce(paid_cents, 0)`:
    /// then the sum of some rows' values is the value of their summed columns.
    public var summands: [String]? {
        if case .name(let name) = root.kind { return name.lookup == nil ? [name.column] : nil }
        return root.knownSummands
    }

    /// The names it reads, whether or not there are such names: fields, and look-ups without their
    /// columns.
    ///
    /// In the order in which they are written, each once.
    public var sources: [String] {
        var found: [String] = []
        func add(_ node: Syntax) {
            if case .name(let name) = node.kind {
                let source = name.lookup ?? name.column
                if !found.contains(source) { found.append(source) }
            }
            node.parts.forEach(add)
        }
        add(root)
        return found
    }

    /// The parts of the expression that AND joins at its top: the whole, where there is none.
    var conjuncts: [Syntax] {
        if case .all(let parts) = root.kind { parts } else { [root] }
    }

    /// The text of one node.
    func text(of node: Syntax) -> String {
        String(decoding: Array(text.utf8)[node.range], as: UTF8.self)
    }
}
