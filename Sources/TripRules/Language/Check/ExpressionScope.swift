public import TripDomain

/// One column of the trips that expressions may name.
public struct ScopeColumn: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// What its values are.
    public let kind: ColumnKind
    /// Whether its values are known only when rules have been tried, so that none may read it.
    public var isKnownLate = false

    /// Describes one column.
    public init(name: String, kind: ColumnKind) {
        self.name = name
        self.kind = kind
    }
}

/// One lookup whose columns expressions may name.
public struct ScopeLookup: Sendable {
    /// Its reference table.
    public let table: ReferenceTable
    /// Whether several rows may hold for one trip, so that no single row can be read.
    public let mayMatchSeveral: Bool

    /// Describes one lookup.
    public init(table: ReferenceTable, mayMatchSeveral: Bool = false) {
        self.table = table
        self.mayMatchSeveral = mayMatchSeveral
    }

    /// The lookup's name.
    public var name: String { table.lookup }

    /// The names that follow the lookup's own and a dot.
    var columnNames: [String] {
        (mayMatchSeveral ? [] : table.columnNames) + [Self.matched, Self.matchCount]
    }

    /// Reads 1 where a row held and 0 where none did.
    public static let matched = "matched"
    /// Reads how many rows held.
    public static let matchCount = "match_count"
}

/// The names an expression may use.
public struct ExpressionScope: Sendable {
    /// The kind of result a program gives.
    public enum Expectation: Sendable {
        /// True, false or NULL.
        case condition
        /// A value of one of the three types.
        case value
    }

    /// The columns of the trips, in the order of a frame's columns.
    public let columns: [ScopeColumn]
    /// The lookups, in the order of a frame's matches.
    public let lookups: [ScopeLookup]
    /// What a name without a lookup is called in messages, such as `column`.
    public var noun = "column"
    private let columnIndexes: [String: Int]
    private let lookupIndexes: [String: Int]

    /// Gathers the names an expression may use.
    ///
    /// Names are case-sensitive here, but not in SQL: the caller should refuse two names that
    /// differ by case alone.
    ///
    /// - Parameters:
    ///   - columns: The columns of the trips.
    ///   - lookups: The lookups.
    public init(columns: [ScopeColumn], lookups: [ScopeLookup] = []) {
        self.columns = columns
        self.lookups = lookups
        columnIndexes = Dictionary(
            columns.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        lookupIndexes = Dictionary(
            lookups.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Makes a program of an expression.
    ///
    /// - Parameters:
    ///   - expression: The parsed expression.
    ///   - expecting: Whether a condition or a value is wanted.
    /// - Returns: The program, its constants and its look-ups already computed.
    /// - Throws: ``ExpressionFault`` at the first unknown name or unfit type.
    public func compile(
        _ expression: ParsedExpression,
        expecting: Expectation
    ) throws(ExpressionFault) -> Program {
        try compile(expression.root, expecting: expecting)
    }

    func compile(
        _ syntax: Syntax,
        expecting: Expectation
    ) throws(ExpressionFault) -> Program {
        var checker = TypeChecker(scope: self)
        let checked = try checker.check(syntax)
        let root: Program.Root
        switch expecting {
        case .condition:
            root = .condition(checker.settled(try checker.condition(checked, syntax)))
        case .value:
            guard let value = try checker.value(checked) else {
                throw ExpressionFault(
                    .typeMismatch,
                    at: syntax.range,
                    "the expression is always NULL, so that its type is not known",
                    suggestion: "CAST(NULL AS TEXT) gives a NULL of a type"
                )
            }
            root = .value(checker.settled(value))
        }
        return Program(
            root: root,
            kinds: columns.map(\.kind),
            namesUsed: checker.namesUsed
        )
    }

    func columnIndex(_ name: String) -> Int? { columnIndexes[name] }
    func lookupIndex(_ name: String) -> Int? { lookupIndexes[name] }

    /// The same names as plain columns, for trips that are given by their values alone.
    var flattened: ExpressionScope {
        var columns = self.columns
        for lookup in lookups {
            if !lookup.mayMatchSeveral {
                for (name, kind) in zip(lookup.table.columnNames, lookup.table.columnKinds) {
                    columns.append(ScopeColumn(name: "\(lookup.name).\(name)", kind: kind))
                }
            }
            let matched = "\(lookup.name).\(ScopeLookup.matched)"
            columns.append(ScopeColumn(name: matched, kind: .boolean))
            let count = "\(lookup.name).\(ScopeLookup.matchCount)"
            columns.append(ScopeColumn(name: count, kind: .integer))
        }
        return ExpressionScope(columns: columns)
    }
}
