internal import TripDomain

/// Texts, character by character as SQLite counts them.
extension ExpressionSQL {
    /// A text.
    mutating func text(_ node: TextNode) throws(SQLRefusal) -> SQLPiece {
        switch node.operation {
        case .constant(let bytes):
            guard let bytes else { return null(.text) }
            return SQLPiece(dialect.literal(String(decoding: bytes, as: UTF8.self)))
        case .column(let index): return SQLPiece(columns[index].name)
        case .joined(let parts):
            var texts: [String] = []
            for part in parts { texts.append(try text(part).at(.atom)) }
            return SQLPiece(texts.joined(separator: " || "), .operation)
        case .upper(let inner): return try cased(inner, "upper", from: "abcdefghijklmnopqrstuvwxyz")
        case .lower(let inner): return try cased(inner, "lower", from: "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        case .trimmed(let inner, let set):
            let (inner, set) = (try text(inner), try text(set))
            return dialect == .spark
                ? SQLPiece("trim(BOTH \(set.at(.atom)) FROM \(inner.text))")
                : call("trim", [inner, set])
        case .substring(let inner, let start, let length):
            return try substring(inner, start, length)
        case .digits(let inner):
            return SQLPiece("CAST(\(try integer(inner).text) AS \(dialect.typeName(.text)))")
        case .date(let format, let inner, let steps): return try date(format, inner, steps)
        case .firstKnown(let parts):
            var pieces: [SQLPiece] = []
            for part in parts { pieces.append(try text(part)) }
            return call("coalesce", pieces)
        case .nullIfEqual(let left, let right):
            return call("nullif", [try text(left), try text(right)])
        case .choice(let choice):
            return try self.choice(
                choice,
                { (writer, node) throws(SQLRefusal) in try writer.text(node) },
                isNull: { $0.isNull }
            )
        case .reference, .lookedUp: preconditionFailure("a flattened scope has no look-ups")
        }
    }

    /// A text with its ASCII letters in one case; engines would change other letters too.
    private mutating func cased(
        _ inner: TextNode,
        _ function: String,
        from letters: String
    ) throws(SQLRefusal) -> SQLPiece {
        let piece = try text(inner)
        if dialect == .sqlite { return call(function, [piece]) }
        let others = function == "upper" ? letters.uppercased() : letters.lowercased()
        return SQLPiece("translate(\(piece.text), '\(letters)', '\(others)')")
    }

    // MARK: substr

    private mutating func substring(
        _ inner: TextNode,
        _ start: IntegerNode,
        _ length: IntegerNode?
    ) throws(SQLRefusal) -> SQLPiece {
        let piece = try text(inner)
        if dialect == .sqlite {
            var pieces = [piece, try integer(start)]
            if let length { pieces.append(try integer(length)) }
            return call("substr", pieces)
        }
        let starts = bounds(start)
        let lengths = length.map(bounds)
        let fits = Self.fit32Bits(starts) && lengths.map(Self.fit32Bits) ?? true
        if fits, starts.lowerBound >= 1, (lengths?.lowerBound ?? 0) >= 0 {
            var pieces = [piece, try narrow(start)]
            if let length { pieces.append(try narrow(length)) }
            return call("substr", pieces)
        }
        // Without a length SQLite takes as many characters as a text can have, from a start that
        // may lie before it.
        let reach: Int64 = 1_000_000_000
        if length == nil, case .constant(let start?) = start.operation, start < 0, start >= -reach {
            return SQLPiece("substr(\(piece.text), \(start))")
        }
        let isBefore = starts.lowerBound < -reach
        let rest = length ?? (isBefore ? IntegerNode(.constant(reach), .nothing) : nil)
        return try anySubstring(piece, start, rest)
    }

    private static func fit32Bits(_ bounds: ClosedRange<Int64>) -> Bool {
        bounds.lowerBound >= Int64(Int32.min) && bounds.upperBound <= Int64(Int32.max)
    }

    /// A whole number as SQLite's substr reads it: the lower 32 bits, with their sign.
    private mutating func lowerHalf(_ node: IntegerNode) throws(SQLRefusal) -> SQLPiece {
        let piece = try wide(node)
        guard !Self.fit32Bits(bounds(node)) else { return piece }
        let rest = SQLPiece("(\(piece.at(.atom)) % 4294967296)")
        return try naming(rest) { (_, rest) throws(SQLRefusal) in
            SQLPiece(
                "CASE WHEN \(rest) > 2147483647 THEN \(rest) - 4294967296 "
                    + "WHEN \(rest) < -2147483648 THEN \(rest) + 4294967296 ELSE \(rest) END"
            )
        }
    }

    /// A whole number as a function takes it that reads 32 bits.
    private mutating func narrow(_ node: IntegerNode) throws(SQLRefusal) -> SQLPiece {
        let piece = try integer(node)
        if case .constant = node.operation { return piece }
        return dialect == .spark ? SQLPiece("CAST(\(piece.text) AS INT)") : piece
    }

    /// A part of a text whose start may be 0 or negative, or whose length may be negative.
    ///
    /// Counted from 0, the part lies between `low` and `high`, of which what lies before the text
    /// is left out. A start of 0 is the place before the first character.
    private mutating func anySubstring(
        _ piece: SQLPiece,
        _ start: IntegerNode,
        _ length: IntegerNode?
    ) throws(SQLRefusal) -> SQLPiece {
        let (starts, lengths) = (bounds(start), length.map(bounds))
        // What cannot be negative needs no CASE; beyond 32 bits the sign is another.
        let isAfter = Self.fit32Bits(starts) && starts.lowerBound >= 1
        let isBefore = Self.fit32Bits(starts) && starts.upperBound < 0
        let isForward = lengths.map { Self.fit32Bits($0) && $0.lowerBound >= 0 } ?? false
        let startPiece = try lowerHalf(start)
        var lengthPiece: SQLPiece?
        if let length { lengthPiece = try lowerHalf(length) }
        let dialect = dialect
        func cast(_ text: String) -> String {
            dialect == .spark ? "CAST(\(text) AS INT)" : text
        }
        return try naming(piece) { (writer, text) throws(SQLRefusal) in
            try writer.naming(startPiece) { (writer, start) throws(SQLRefusal) in
                let (fromEnd, fromStart) = ("\(start) + length(\(text))", "\(start) - 1")
                let begin = SQLPiece(
                    isAfter
                        ? fromStart
                        : isBefore
                            ? fromEnd
                            : "CASE WHEN \(start) < 0 THEN \(fromEnd) ELSE \(fromStart) END"
                )
                return try writer.naming(begin) { (writer, begin) throws(SQLRefusal) in
                    guard let lengthPiece else {
                        let low = cast("CASE WHEN \(begin) > 0 THEN \(begin) ELSE 0 END + 1")
                        return SQLPiece(
                            "CASE WHEN \(begin) IS NOT NULL THEN substr(\(text), \(low)) END"
                        )
                    }
                    return try writer.naming(lengthPiece) { (writer, length) throws(SQLRefusal) in
                        if isForward {
                            return try writer.between(begin, "\(begin) + \(length)") { low, high in
                                "substr(\(text), \(cast("\(low) + 1")), "
                                    + "\(cast("\(high) - \(low)")))"
                            }
                        }
                        let low =
                            "CASE WHEN \(length) < 0 THEN \(begin) + \(length) ELSE \(begin) END"
                        let high =
                            "CASE WHEN \(length) < 0 THEN \(begin) ELSE \(begin) + \(length) END"
                        return try writer.between(low, high) { low, high in
                            "substr(\(text), \(cast("\(low) + 1")), \(cast("\(high) - \(low)")))"
                        }
                    }
                }
            }
        }
    }

    /// What lies between two places that may be before the text; NULL where one is.
    private mutating func between(
        _ low: String,
        _ high: String,
        _ part: (String, String) -> String
    ) throws(SQLRefusal) -> SQLPiece {
        try naming(SQLPiece(low)) { (writer, low) throws(SQLRefusal) in
            try writer.naming(SQLPiece(high)) { (_, high) throws(SQLRefusal) in
                let from = "CASE WHEN \(low) > 0 THEN \(low) ELSE 0 END"
                let to = "CASE WHEN \(high) > 0 THEN \(high) ELSE 0 END"
                return SQLPiece(
                    "CASE WHEN \(low) IS NOT NULL AND \(high) IS NOT NULL "
                        + "THEN \(part(from, "(\(to))")) END"
                )
            }
        }
    }
}
