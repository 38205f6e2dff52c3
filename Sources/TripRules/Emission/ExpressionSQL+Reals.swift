/// Doubles: no dialect but SQLite makes NULL of what is no number.
extension ExpressionSQL {
    /// A double.
    mutating func real(_ node: RealNode) throws(SQLRefusal) -> SQLPiece {
        switch node.operation {
        case .constant(let value):
            guard let value else { return null(.real) }
            return SQLPiece(dialect.literal(value), value < 0 ? .operation : .atom)
        case .column(let index): return SQLPiece(columns[index].name)
        case .negated(let inner): return SQLPiece("-\(try real(inner).at(.atom))", .operation)
        case .magnitude(let inner): return call("abs", [try real(inner)])
        case .arithmetic(let operation, let left, let right):
            return try arithmetic(operation, left, right)
        case .remainder(let left, let right):
            let whole = IntegerNode(.arithmetic(.remainder, left, right), .rows)
            return double(try integer(whole))
        case .widened(let inner): return double(try integer(inner))
        case .reading(let inner): return try reading(inner)
        case .rounded(let inner, let digits): return try rounded(inner, digits)
        case .firstKnown(let parts):
            var pieces: [SQLPiece] = []
            for part in parts { pieces.append(try real(part)) }
            return call("coalesce", pieces)
        case .nullIfEqual(let left, let right):
            return call("nullif", [try real(left), try value(right)])
        case .choice(let choice):
            return try self.choice(
                choice,
                { (writer, node) throws(SQLRefusal) in try writer.real(node) },
                isNull: { $0.isNull }
            )
        case .reference, .lookedUp: preconditionFailure("a flattened scope has no look-ups")
        }
    }

    private func double(_ piece: SQLPiece) -> SQLPiece {
        SQLPiece("CAST(\(piece.text) AS \(dialect.typeName(.real)))")
    }

    private mutating func arithmetic(
        _ operation: Arithmetic,
        _ left: RealNode,
        _ right: RealNode
    ) throws(SQLRefusal) -> SQLPiece {
        let leftPiece = try real(left)
        var rightPiece = try real(right)
        if operation == .divide, dialect != .sqlite, !isConstant(right) {
            rightPiece = SQLPiece("nullif(\(rightPiece.text), \(dialect.literal(0 as Double)))")
        }
        let sum = "\(leftPiece.at(.atom)) \(operation.rawValue) \(rightPiece.at(.atom))"
        // Of finite numbers every sum is a number, or infinite.
        let isNumber = magnitude(left).isFinite && magnitude(right).isFinite
        if dialect == .sqlite || isNumber || isConstant(left) || isConstant(right) {
            return SQLPiece(sum, .operation)
        }
        return SQLPiece("nullif(\(sum), CAST('NaN' AS DOUBLE))")
    }

    /// Whether the node is a finite number that is not 0, with which any sum is a number.
    private func isConstant(_ node: RealNode) -> Bool {
        if case .constant(let value?) = node.operation {
            value != 0 && value.isFinite
        } else {
            false
        }
    }

    private mutating func reading(_ inner: TextNode) throws(SQLRefusal) -> SQLPiece {
        let piece = try text(inner)
        if dialect == .sqlite { return double(piece) }
        guard case .digits(let count) = shape(inner), count <= 15 else {
            throw SQLRefusal(
                what: "CAST of a text to REAL: \(dialect.title) reads another last digit of some "
                    + "numbers, and refuses texts that SQLite reads the beginning of",
                remedy: "declare the field with `type: decimal`, or CAST to INTEGER"
            )
        }
        return double(piece)
    }

    private mutating func rounded(
        _ inner: RealNode,
        _ digits: Int
    ) throws(SQLRefusal) -> SQLPiece {
        let piece = try real(inner)
        if dialect == .sqlite {
            return SQLPiece("round(\(piece.text)\(digits == 0 ? "" : ", \(digits)"))")
        }
        guard digits == 0 else {
            throw SQLRefusal(
                what: "round to \(digits) digits: \(dialect.title) rounds some halves otherwise",
                remedy: "multiply, round without digits, and divide"
            )
        }
        let half = dialect.literal(0.5 as Double)
        let limit = dialect.literal(4_503_599_627_370_496 as Double)
        let isSmall = magnitude(inner) <= 4_503_599_627_370_496
        return try naming(piece) { (writer, number) throws(SQLRefusal) in
            let sum = "\(number) + CASE WHEN \(number) < 0 THEN -\(half) ELSE \(half) END"
            let cut = writer.dialect == .duckdb ? "trunc(\(sum))" : sum
            let whole = "CAST(CAST(\(cut) AS BIGINT) AS DOUBLE)"
            return isSmall
                ? SQLPiece(whole)
                : SQLPiece("CASE WHEN abs(\(number)) > \(limit) THEN \(number) ELSE \(whole) END")
        }
    }
}
