internal import TripDomain

/// Whole numbers: their sums leave 64 bits as NULL in every dialect.
extension ExpressionSQL {
    /// A whole number; a literal, or what is made of literals, may have a narrower type.
    mutating func integer(_ node: IntegerNode) throws(SQLRefusal) -> SQLPiece {
        switch node.operation {
        case .constant(let value):
            guard let value else { return null(.integer) }
            return SQLPiece(dialect.literal(value), value < 0 ? .operation : .atom)
        case .column(let index): return SQLPiece(columns[index].name)
        case .negated(let inner):
            let hasLeast = bounds(inner).lowerBound == .min
            let piece = try wide(inner)
            return SQLPiece("-\(hasLeast ? withoutLeast(piece) : piece.at(.atom))", .operation)
        case .magnitude(let inner):
            let hasLeast = bounds(inner).lowerBound == .min
            let piece = try wide(inner)
            return SQLPiece("abs(\(hasLeast ? withoutLeast(piece) : piece.text))")
        case .arithmetic(let operation, let left, let right):
            return try arithmetic(operation, left, right)
        case .reading(let inner): return try reading(inner)
        case .truncated(let inner): return try truncated(inner)
        case .truth(let inner):
            let piece = try truth(inner)
            return dialect == .sqlite ? piece : SQLPiece("CAST(\(piece.text) AS BIGINT)")
        case .length(let inner): return call("length", [try text(inner)])
        case .position(let needle, let inner):
            return call("instr", [try text(inner), try text(needle)])
        case .firstKnown(let parts):
            var pieces: [SQLPiece] = []
            for part in parts { pieces.append(try integer(part)) }
            return call("coalesce", pieces)
        case .nullIfEqual(let left, let right):
            return call("nullif", [try integer(left), try value(right)])
        case .choice(let choice):
            return try self.choice(
                choice,
                { (writer, node) throws(SQLRefusal) in try writer.integer(node) },
                isNull: { $0.isNull }
            )
        case .reference, .isMatched, .matchCount, .lookedUp:
            preconditionFailure("a flattened scope has no look-ups")
        }
    }

    /// A whole number of 64 bits.
    mutating func wide(_ node: IntegerNode) throws(SQLRefusal) -> SQLPiece {
        let piece = try integer(node)
        guard dialect != .sqlite else { return piece }
        switch node.operation {
        case .column, .arithmetic, .negated, .magnitude, .truth, .truncated, .reading:
            return piece
        case .length, .position:
            return dialect == .duckdb ? piece : SQLPiece("CAST(\(piece.text) AS BIGINT)")
        case .constant(let value):
            guard let value else { return piece }
            return dialect == .spark
                ? SQLPiece(literalOf64Bits(value), piece.level)
                : SQLPiece("CAST(\(piece.text) AS BIGINT)")
        default: return SQLPiece("CAST(\(piece.text) AS BIGINT)")
        }
    }

    private func literalOf64Bits(_ value: Int64) -> String {
        let text = dialect.literal(value)
        return text.contains("L") ? text : text + "L"
    }

    /// A whole number that is NULL where it is the least one, which has no positive twin.
    private func withoutLeast(_ piece: SQLPiece) -> String {
        "nullif(\(piece.text), \(dialect.literal(Int64.min)))"
    }

    // MARK: Sums

    private mutating func arithmetic(
        _ operation: Arithmetic,
        _ left: IntegerNode,
        _ right: IntegerNode
    ) throws(SQLRefusal) -> SQLPiece {
        let mayLeave64Bits = Self.bounds(operation, bounds(left), bounds(right)) == nil
        // One side of 64 bits is enough.
        let leftPiece = try wide(left)
        let rightPiece = try integer(right)
        let isZeroPossible = bounds(right).contains(0)
        let divisor =
            (operation == .divide || operation == .remainder) && isZeroPossible
                && dialect != .sqlite
            ? SQLPiece("nullif(\(rightPiece.text), 0)") : rightPiece
        let (a, b) = (leftPiece.at(.atom), divisor.at(.atom))
        switch dialect {
        case .sqlite:
            guard mayLeave64Bits else {
                return SQLPiece("\(a) \(operation.rawValue) \(b)", .operation)
            }
            let sum = SQLPiece("\(a) \(operation.rawValue) \(b)", .operation)
            return try naming(sum) { (_, name) throws(SQLRefusal) in
                SQLPiece("CASE typeof(\(name)) WHEN 'integer' THEN \(name) END")
            }
        case .duckdb:
            let sign = operation == .divide ? "//" : operation.rawValue
            guard mayLeave64Bits || operation == .remainder else {
                return SQLPiece("\(a) \(sign) \(b)", .operation)
            }
            return SQLPiece("TRY_CAST(CAST(\(leftPiece.text) AS HUGEINT) \(sign) \(b) AS BIGINT)")
        case .spark:
            let sign = operation == .divide ? "div" : operation.rawValue
            let sum = SQLPiece("\(a) \(sign) \(b)", .operation)
            guard mayLeave64Bits else { return sum }
            switch operation {
            case .remainder: return sum
            case .divide: return try sparkQuotient(leftPiece, rightPiece)
            // Not by try_add and the like: Spark 4.0 joins the constants of nested ones, so that a
            // sum that leaves 64 bits comes back into them, 2026-11.
            case .add, .subtract, .multiply:
                let wide = "CAST(\(leftPiece.text) AS DECIMAL(19))"
                return SQLPiece("try_cast(\(wide) \(sign) \(b) AS BIGINT)")
            }
        }
    }

    /// A quotient of which that of the least number and -1 leaves 64 bits.
    private mutating func sparkQuotient(
        _ left: SQLPiece,
        _ right: SQLPiece
    ) throws(SQLRefusal) -> SQLPiece {
        try naming(left) { (writer, left) throws(SQLRefusal) in
            try writer.naming(right) { (_, right) throws(SQLRefusal) in
                SQLPiece(
                    "CASE WHEN \(right) = -1 THEN -nullif(\(left), (-9223372036854775807L - 1L)) "
                        + "ELSE \(left) div nullif(\(right), 0) END"
                )
            }
        }
    }

    // MARK: Numbers from other types

    /// The whole number at the start of a text; 0 where there is none.
    private mutating func reading(_ inner: TextNode) throws(SQLRefusal) -> SQLPiece {
        let piece = try text(inner)
        if dialect == .sqlite { return SQLPiece("CAST(\(piece.text) AS INTEGER)") }
        if case .digits(let count) = shape(inner), count <= 18 {
            return SQLPiece("CAST(\(piece.text) AS BIGINT)")
        }
        let blanks = "[\\t-\\r ]*"
        let (whole, start, minus) = (
            dialect.literal("^\(blanks)([+-]?[0-9]+)"),
            dialect.literal("(?s)^\(blanks)[+-]?[0-9].*"),
            dialect.literal("(?s)^\(blanks)-.*")
        )
        return try naming(piece) { (writer, text) throws(SQLRefusal) in
            let number = "TRY_CAST(regexp_extract(\(text), \(whole), 1) AS BIGINT)"
            let least = writer.dialect.literal(Int64.min)
            return SQLPiece(
                "CASE WHEN \(writer.fits(text, start)) THEN coalesce(\(number), "
                    + "CASE WHEN \(writer.fits(text, minus)) THEN \(least) "
                    + "ELSE \(writer.dialect.literal(Int64.max)) END) "
                    + "WHEN \(text) IS NOT NULL THEN 0 END"
            )
        }
    }

    /// Whether a text fits a regular expression, a literal that is anchored at its start.
    func fits(_ text: String, _ expression: String) -> String {
        dialect == .duckdb
            ? "regexp_matches(\(text), \(expression))" : "\(text) RLIKE \(expression)"
    }

    /// A double without its fraction, clamped to 64 bits.
    private mutating func truncated(_ inner: RealNode) throws(SQLRefusal) -> SQLPiece {
        let piece = try real(inner)
        let dialect = dialect
        func cast(_ text: String) -> String {
            switch dialect {
            case .sqlite: "CAST(\(text) AS INTEGER)"
            case .duckdb: "CAST(trunc(\(text)) AS BIGINT)"
            case .spark: "CAST(\(text) AS BIGINT)"
            }
        }
        guard dialect != .sqlite, magnitude(inner) >= 0x1p63 else {
            return SQLPiece(cast(piece.text))
        }
        let limit = dialect.literal(0x1p63 as Double)
        let (least, greatest) = (dialect.literal(Int64.min), dialect.literal(Int64.max))
        return try naming(piece) { (_, number) throws(SQLRefusal) in
            SQLPiece(
                "CASE WHEN \(number) >= \(limit) THEN \(greatest) "
                    + "WHEN \(number) <= -\(limit) THEN \(least) ELSE \(cast(number)) END"
            )
        }
    }
}
