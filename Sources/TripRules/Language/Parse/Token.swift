/// One word, number, text or sign of an expression.
struct Token {
    /// What a token is.
    enum Kind: Equatable {
        /// A word of the language, in upper case.
        case keyword(Keyword)
        /// A name, without its quotes.
        case name(String, isQuoted: Bool)
        /// A text literal, its doubled quotes undone.
        case text([UInt8])
        /// Decimal digits without point or exponent; nil where they exceed 64 bits unsigned.
        case integer(UInt64?)
        /// A number with point or exponent.
        case real(Double)
        /// An operator or other sign.
        case sign(Sign)
        /// The end of the text.
        case end
    }

    let kind: Kind
    /// The bytes of the text the token covers.
    let range: Range<Int>
}

/// The words that have a meaning of their own; case does not matter in them.
enum Keyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case `is` = "IS"
    case null = "NULL"
    case `in` = "IN"
    case between = "BETWEEN"
    case like = "LIKE"
    case glob = "GLOB"
    case `case` = "CASE"
    case when = "WHEN"
    case then = "THEN"
    case `else` = "ELSE"
    case end = "END"
    case cast = "CAST"
    case `as` = "AS"

    /// Words that SQL keeps for itself and this language has no use for: a name spelled so must be
    /// quoted, or the text could not be pasted into the sqlite3 shell.
    static let reservedElsewhere: Set<String> = [
        "ADD", "ALL", "ALTER", "CHECK", "COLLATE", "COMMIT", "CONSTRAINT", "CREATE", "DEFAULT",
        "DEFERRABLE", "DELETE", "DISTINCT", "DROP", "ESCAPE", "EXISTS", "FOREIGN", "FROM", "GROUP",
        "HAVING", "INDEX", "INSERT", "INTERSECT", "INTO", "ISNULL", "JOIN", "LIMIT", "NOTHING",
        "NOTNULL", "ON", "ORDER", "PRIMARY", "REFERENCES", "RETURNING", "SELECT", "SET", "TABLE",
        "TO", "TRANSACTION", "UNION", "UNIQUE", "UPDATE", "USING", "VALUES", "WHERE",
    ]
}

/// Operators and punctuation.
enum Sign: String {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case bars = "||"
    case open = "("
    case close = ")"
    case comma = ","
    case dot = "."
}
