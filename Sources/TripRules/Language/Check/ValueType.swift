public import TripDomain

/// The type of an expression, known before any trip is read.
public enum ValueType: String, Sendable, CaseIterable {
    /// UTF-8 text, compared byte by byte.
    case text = "TEXT"
    /// A 64-bit whole number; also what conditions give: 0 or 1.
    case integer = "INTEGER"
    /// An IEEE double.
    case real = "REAL"

    /// The type a column of the given kind has in expressions; nil where it may not be read.
    public init?(_ kind: ColumnKind) {
        switch kind {
        case .text, .date, .timestamp: self = .text
        case .integer, .boolean, .money, .miles: self = .integer
        case .decimal: self = .real
        case .patient: return nil
        }
    }
}

/// One value of an expression or a name, for showing to people and for examples.
public enum ExpressionValue: Sendable, Hashable {
    /// Not known.
    case null
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A double.
    case real(Double)

    /// The value as one would write it in an expression.
    public var literal: String {
        switch self {
        case .null: "NULL"
        case .text(let text):
            "'"
                + text.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "''") + "'"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        }
    }
}

/// What a condition gives for a trip: SQL's three values.
public enum Truth: UInt8, Sendable {
    /// The condition is false.
    case no = 0
    /// A NULL decided; the condition does not hold.
    case unknown = 1
    /// The condition holds.
    case yes = 2

    /// `true`, `false` or `NULL`.
    public var word: String {
        switch self {
        case .no: "false"
        case .unknown: "NULL"
        case .yes: "true"
        }
    }
}
