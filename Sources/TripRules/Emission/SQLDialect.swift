public import TripDomain

/// A dialect of SQL that a classification is written in.
public enum SQLDialect: String, Sendable, CaseIterable {
    /// DuckDB 1.3 and later.
    case duckdb
    /// Spark SQL 4.0 and later.
    case spark
    /// SQLite 3.31 and later.
    case sqlite

    /// The name people know.
    public var title: String {
        switch self {
        case .duckdb: "DuckDB"
        case .spark: "Spark SQL"
        case .sqlite: "SQLite"
        }
    }

    /// The type of a column of a kind in tables of trips and reference files.
    public func typeName(of kind: ColumnKind) -> String {
        typeName(ValueType(kind) ?? .text)
    }

    /// The type of a value.
    func typeName(_ type: ValueType) -> String {
        switch (type, self) {
        case (.text, .duckdb): "VARCHAR"
        case (.text, .spark): "STRING"
        case (.text, .sqlite): "TEXT"
        case (.integer, .sqlite): "INTEGER"
        case (.integer, _): "BIGINT"
        case (.real, .sqlite): "REAL"
        case (.real, _): "DOUBLE"
        }
    }

    /// A name as it stands in SQL: bare where every dialect reads it as a name, else quoted.
    public func quoted(_ name: String) -> String {
        let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
            (0x61...0x7A).contains(byte) || byte == 0x5F
                || (0x30...0x39).contains(byte) && index > 0
        }
        if isPlain, !name.isEmpty, !Self.words.contains(name) { return name }
        return QuotedText.quoted(name, by: self == .spark ? "`" : "\"")
    }

    /// A text as a literal.
    public func literal(_ text: String) -> String {
        guard self == .spark else { return QuotedText.quoted(text, by: "'") }
        // Spark joins neighbouring literals, so that a quote that is written twice is lost.
        let bytes = text.utf8.flatMap { byte in
            byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
                ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        return "'\(String(decoding: bytes, as: UTF8.self))'"
    }

    /// A whole number of 64 bits as a literal; a small one may have a narrower type.
    func literal(_ value: Int64) -> String {
        let isLong = value > Int64(Int32.max) || value < Int64(Int32.min)
        if value == .min {
            return self == .spark
                ? "(-9223372036854775807L - 1L)" : "(-9223372036854775807 - 1)"
        }
        return String(value) + (self == .spark && isLong ? "L" : "")
    }

    /// A double as a literal that reads back as the same double.
    func literal(_ value: Double) -> String {
        switch self {
        case .sqlite:
            if value.isInfinite { return value > 0 ? "9e999" : "-9e999" }
            return String(value)
        case .duckdb, .spark:
            if value.isInfinite { return "CAST('\(value > 0 ? "" : "-")Infinity' AS DOUBLE)" }
            let digits = String(value)
            // A point alone makes a decimal number in both.
            if self == .spark { return digits + "D" }
            return digits.contains("e") ? digits : digits + "e0"
        }
    }

    /// Words that some dialect reads as something else than a name.
    private static let words: Set<String> = Set(
        """
        abort action add after all alter analyse analyze and anti any array as asc asof asymmetric \
        attach authorization autoincrement before begin between binary both by cascade case cast \
        check collate collation column columns commit concurrently conflict constraint create cross \
        cube current current_catalog current_date current_role current_schema current_time \
        current_timestamp current_user database default deferrable deferred delete desc describe \
        detach distinct div do drop each else end escape except exclude exclusive exists explain \
        fail false fetch filter first following for foreign freeze from full function generated \
        glob grant group groups grouping having if ignore ilike immediate in index indexed initially \
        inner insert instead intersect interval into is isnull join key lambda last lateral leading \
        left like limit localtime localtimestamp map match materialized minus natural no not \
        nothing notnull null nulls of offset oid on only or order others outer over overlaps \
        partition pivot placing plan positional pragma preceding primary qualify query raise range \
        recursive references regexp reindex release rename replace restrict returning right \
        rlike rollback rollup row rowid rows savepoint select semi session_user set sets show \
        similar some struct summarize symmetric table tables tablesample temp temporary then ties \
        to trailing transaction trigger true try try_cast unbounded union unique unknown unpivot \
        update user using vacuum values variadic view virtual when where window with within without
        """
        .split(whereSeparator: \.isWhitespace).map(String.init)
    )
}

/// SQL of an expression, with how tightly its top binds.
struct SQLPiece {
    /// How tightly an operator binds; in doubt, parentheses are written.
    enum Level: Int {
        case or, and, not, comparison, operation, atom
    }

    let text: String
    let level: Level

    init(_ text: String, _ level: Level = .atom) {
        self.text = text
        self.level = level
    }

    /// The text as an operand of something that binds at a level.
    func at(_ level: Level) -> String {
        self.level.rawValue >= level.rawValue ? text : "(\(text))"
    }

    /// Whether the piece may be written several times: it is short and costs nothing.
    var isRepeatable: Bool {
        level == .atom && text.utf8.count <= 80 && !text.contains("(")
    }
}

/// Why an expression cannot be written in a dialect so that it means the same.
struct SQLRefusal: Error {
    /// What is not written, and why.
    let what: String
    /// What to write instead.
    let remedy: String
}
