import TripDomain

@testable import TripEngine
@testable import TripRules

/// Generated expressions with the value that each trip gets here, and with their SQL.
///
/// They are the pairs of ``SQLiteOracleTests``, over trips that the table of trips may hold: no
/// text has a NUL.
struct EmittedPairs {
    /// One expression.
    struct Expression {
        let text: String
        /// The value of each trip.
        let values: [SQLiteOracle.Value]
        /// The SQL by dialect; without those that refuse it.
        var sql: [SQLDialect: String] = [:]
        /// Why dialects refuse it.
        var refusals: [SQLDialect: String] = [:]
    }

    let trips: SQLiteOracleTrips
    private let scope: ExpressionScope
    private let flatScope: ExpressionScope
    private let frame: Frame
    private(set) var expressions: [Expression] = []

    init(seed: UInt64) {
        trips = SQLiteOracleTrips(seed: seed).withoutNUL.withNamesOfValues
        scope = trips.scope
        flatScope = scope.flattened
        frame = trips.frame(0..<SQLiteOracleTrips.rowCount, isCoded: true)
    }

    /// Generates expressions until there are so many pairs.
    mutating func generate(_ count: Int, seed: UInt64) {
        var generator = ExpressionGenerator(seed: seed)
        let cells = SQLiteOracleTests.cells
        var round = 0
        while expressions.count * SQLiteOracleTrips.rowCount < count {
            generator.begin()
            let piece =
                round % 2 == 0
                ? cells[round / 2 % cells.count].make(&generator, 1 + round / 2 / cells.count % 4)
                : generator.value(generator.dice.pick(["T", "I", "R", "C", "C"]), 3 + round % 3)
            round += 1
            add(round % 3 == 0 ? Self.renamed(piece.text) : piece.text)
        }
    }

    /// An expression that reads fields named as the emitter names values.
    private static func renamed(_ text: String) -> String {
        // Between quotes, a word is no field.
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated().map {
            index,
            part in
            guard index.isMultiple(of: 2) else { return String(part) }
            return SQLiteOracleTrips.namesOfValues.reduce(String(part)) { part, names in
                part.replacing(names.field, with: names.value)
            }
        }
        .joined(separator: "'")
    }

    /// Adds an expression; one that does not compile is left out.
    mutating func add(_ text: String) {
        guard let parsed = try? ParsedExpression(parsing: text),
            let program = try? scope.compile(parsed, expecting: .value),
            let flat = try? flatScope.compile(parsed, expecting: .value)
        else { return }
        let column = program.evaluate(frame).column
        var expression = Expression(
            text: text,
            values: (0..<frame.rowCount).map { SQLiteOracleComparison.value(column, $0) }
        )
        for dialect in SQLDialect.allCases {
            var writer = ExpressionSQL(dialect, flatScope)
            do throws(SQLRefusal) {
                expression.sql[dialect] = try writer.stored(flat.root)
            } catch {
                expression.refusals[dialect] = error.what
            }
        }
        expressions.append(expression)
    }

    // MARK: For the referee

    /// The names, kinds and values of the table of trips.
    var table: [(name: String, kind: ColumnKind, values: [SQLiteOracle.Value])] {
        func readable(_ column: SQLiteOracleTrips.Named) -> [SQLiteOracle.Value] {
            column.values.map { SQLiteOracleTrips.readable($0, column.kind) }
        }
        let ones = trips.siteRows.map { SQLiteOracle.Value.integer($0 == 0 ? 0 : 1) }
        let counts = trips.awardCounts
        return trips.columns.map { ($0.name, $0.kind, readable($0)) }
            + trips.siteColumns.map { column in
                let values = readable(column)
                return ("site.\(column.name)", column.kind, trips.siteRows.map { values[Int($0)] })
            } + [
                ("site.matched", .boolean, ones), ("site.match_count", .integer, ones),
                ("award.matched", .boolean, counts.map { .integer($0 > 0 ? 1 : 0) }),
                ("award.match_count", .integer, counts.map { .integer($0) }),
            ]
    }

    /// Everything as lines of JSON: the table, then each expression.
    var lines: [String] {
        let columns = table.map { column in
            "[\(Self.json(column.name)), \(Self.json(ValueType(column.kind)?.rawValue ?? "")), "
                + "[\(column.values.map(Self.json).joined(separator: ", "))]]"
        }
        return ["[\(columns.joined(separator: ", "))]"]
            + expressions.map { expression in
                let sql = SQLDialect.allCases.map { dialect in
                    "\"\(dialect.rawValue)\": "
                        + (expression.sql[dialect].map(Self.json) ?? "null")
                }
                let refusals = SQLDialect.allCases.compactMap { expression.refusals[$0] }
                return "{\"text\": \(Self.json(expression.text)), "
                    + sql.joined(separator: ", ") + ", \"refusal\": "
                    + "\(refusals.first.map(Self.json) ?? "null"), \"values\": ["
                    + expression.values.map(Self.json).joined(separator: ", ") + "]}"
            }
    }

    /// A value as JSON: numbers as texts with their kind, so that each keeps its digits.
    private static func json(_ value: SQLiteOracle.Value) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\"i\(number)\""
        case .real(let number): "\"r\(number)\""
        case .text(let bytes): json("t" + String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func json(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            guard scalar.value < 0x20 || scalar == "\"" || scalar == "\\" else {
                return String(Character(scalar))
            }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"\(escaped.joined())\""
    }
}

extension SQLiteOracleTrips {
    /// Fields under names that the emitter gives values, for each type one.
    static var namesOfValues: [(field: Regex<Substring>, name: String, value: String)] {
        [
            (/\bcount\b/, "count", "v1"), (/\brate\b/, "rate", "v2"),
            (/\bowner\b/, "owner", "v3"), (/\bcents\b/, "cents", "V4"),
        ]
    }

    /// The same trips, some columns under a second name.
    var withNamesOfValues: SQLiteOracleTrips {
        let copies = Self.namesOfValues.compactMap { names in
            columns.first { $0.name == names.name }.map {
                Named(name: names.value, kind: $0.kind, values: $0.values)
            }
        }
        return SQLiteOracleTrips(
            columns: columns + copies,
            siteColumns: siteColumns,
            siteRows: siteRows,
            awardCounts: awardCounts
        )
    }

    /// The same trips, NULL where a text has a NUL.
    var withoutNUL: SQLiteOracleTrips {
        func cleaned(_ columns: [Named]) -> [Named] {
            columns.map { column in
                let values = column.values.map { value -> SQLiteOracle.Value in
                    if case .text(let bytes) = value, bytes.contains(0) { .null } else { value }
                }
                return Named(name: column.name, kind: column.kind, values: values)
            }
        }
        return SQLiteOracleTrips(
            columns: cleaned(columns),
            siteColumns: cleaned(siteColumns),
            siteRows: siteRows,
            awardCounts: awardCounts
        )
    }
}
