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
