internal import TripDomain

/// Writes the typed tree of an expression as SQL of one dialect.
///
/// It reads programs of a flattened scope: a look-up's columns are columns, every node has its
/// type, and what is constant has been computed. What is written has the same value as the
/// evaluator gives, NULL and overflow included. What cannot be written so is refused.
struct ExpressionSQL {
    /// One column of the scope.
    struct Source {
        /// Its name, quoted where it must be.
        let name: String
        let kind: ColumnKind
        /// What its texts look like.
        let shape: TextShape
    }

    let dialect: SQLDialect
    /// The columns, by their index in the scope.
    let columns: [Source]
    /// The names of the columns in lower case: engines find a name in either case.
    private let columnNames: Set<String>
    /// How many names have been made for values so far, so that no two are the same.
    private var nameCount = 0

    /// Prepares to write programs of a scope.
    ///
    /// - Parameters:
    ///   - dialect: The dialect.
    ///   - scope: A flattened scope.
    ///   - shapes: What is known of texts that are no days or time stamps, by name.
    init(_ dialect: SQLDialect, _ scope: ExpressionScope, shapes: [String: TextShape] = [:]) {
        self.dialect = dialect
        columnNames = Set(scope.columns.map { $0.name.lowercased() })
        columns = scope.columns.map { column in
            Source(
                name: dialect.quoted(column.name),
                kind: column.kind,
                shape: shapes[column.name] ?? TextShape(column.kind)
            )
        }
    }

    /// A value as the dialect stores it: whole numbers have 64 bits, and truths are 0 and 1.
    mutating func stored(_ root: Program.Root) throws(SQLRefusal) -> String {
        switch root {
        case .condition(let node): try wide(IntegerNode(.truth(node), node.source)).text
        case .value(.integer(let node)): try wide(node).text
        case .value(.real(let node)): try real(node).text
        case .value(.text(let node)): try text(node).text
        }
    }

    /// A value of any type.
    mutating func value(_ node: ValueNode) throws(SQLRefusal) -> SQLPiece {
        switch node {
        case .text(let node): try text(node)
        case .integer(let node): try integer(node)
        case .real(let node): try real(node)
        }
    }

    /// A NULL of a type.
    func null(_ type: ValueType) -> SQLPiece {
        SQLPiece(dialect == .sqlite ? "NULL" : "CAST(NULL AS \(dialect.typeName(type)))")
    }

    /// Writes something that needs a value several times, with the value computed once.
    ///
    /// - Parameters:
    ///   - piece: The value.
    ///   - body: Writes SQL around the value, or around a name for it.
    /// - Returns: The SQL.
    /// - Throws: ``SQLRefusal`` of the body.
    mutating func naming(
        _ piece: SQLPiece,
        _ body: (inout Self, String) throws(SQLRefusal) -> SQLPiece
    ) throws(SQLRefusal) -> SQLPiece {
        if piece.isRepeatable { return try body(&self, piece.text) }
        let name = newName()
        let inner = try body(&self, name).text
        return switch dialect {
        case .duckdb: SQLPiece("list_transform([\(piece.text)], lambda \(name): \(inner))[1]")
        case .spark: SQLPiece("transform(array(\(piece.text)), \(name) -> \(inner))[0]")
        case .sqlite: SQLPiece("(SELECT \(inner) FROM (SELECT \(piece.text) AS \(name)))")
        }
    }

    /// A name that no column and no other value has: engines would read the value for the column.
    private mutating func newName() -> String {
        repeat { nameCount += 1 } while columnNames.contains("v\(nameCount)")
        return "v\(nameCount)"
    }

    // MARK: What all types have

    /// CASE with conditions, or with a value to compare.
    mutating func choice<Result>(
        _ choice: Choice<Result>,
        _ write: (inout Self, Result) throws(SQLRefusal) -> SQLPiece,
        isNull: (Result) -> Bool
    ) throws(SQLRefusal) -> SQLPiece {
        switch choice.conditions {
        case .searched(let nodes):
            var text = "CASE"
            for (node, result) in zip(nodes, choice.results) {
                text += " WHEN \(try truth(node).text) THEN \(try write(&self, result).text)"
            }
            return try end(text, choice.otherwise, write, isNull)
        case .matching(let subject, let values):
            let isOfOneType = values.allSatisfy { $0.type == subject.type }
            guard isOfOneType || dialect == .sqlite else {
                return try mixedChoice(subject, values, choice, write, isNull)
            }
            var text = "CASE \(try value(subject).at(.operation))"
            for (node, result) in zip(values, choice.results) {
                text += " WHEN \(try value(node).at(.operation))"
                text += " THEN \(try write(&self, result).text)"
            }
            return try end(text, choice.otherwise, write, isNull)
        }
    }

    /// CASE that compares whole numbers with doubles.
    private mutating func mixedChoice<Result>(
        _ subject: ValueNode,
        _ values: [ValueNode],
        _ choice: Choice<Result>,
        _ write: (inout Self, Result) throws(SQLRefusal) -> SQLPiece,
        _ isNull: (Result) -> Bool
    ) throws(SQLRefusal) -> SQLPiece {
        var text = "CASE"
        for (node, result) in zip(values, choice.results) {
            text += " WHEN \(try compared(.equal, subject, node).text)"
            text += " THEN \(try write(&self, result).text)"
        }
        return try end(text, choice.otherwise, write, isNull)
    }

    private mutating func end<Result>(
        _ text: String,
        _ otherwise: Result,
        _ write: (inout Self, Result) throws(SQLRefusal) -> SQLPiece,
        _ isNull: (Result) -> Bool
    ) throws(SQLRefusal) -> SQLPiece {
        let rest = isNull(otherwise) ? "" : " ELSE \(try write(&self, otherwise).text)"
        return SQLPiece(text + rest + " END")
    }

    /// A call of a function.
    mutating func call(_ name: String, _ values: [SQLPiece]) -> SQLPiece {
        SQLPiece("\(name)(\(values.map(\.text).joined(separator: ", ")))")
    }

    /// An error that ends the query, where the dialect would give another value than rules do.
    ///
    /// - Parameter message: What was met.
    /// - Returns: The SQL.
    func error(_ message: String) -> String {
        let text = dialect.literal(message + " is not written as SQL")
        return dialect == .duckdb ? "error(\(text))" : "raise_error(\(text))"
    }
}

extension Node where Operation == TextOperation {
    /// Whether the node is a NULL.
    var isNull: Bool { if case .constant(nil) = operation { true } else { false } }
}

extension Node where Operation == IntegerOperation {
    /// Whether the node is a NULL.
    var isNull: Bool { if case .constant(nil) = operation { true } else { false } }
}

extension Node where Operation == RealOperation {
    /// Whether the node is a NULL.
    var isNull: Bool { if case .constant(nil) = operation { true } else { false } }
}
