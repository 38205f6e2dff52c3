import TripDomain

@testable import TripEngine
@testable import TripRules

/// The trips that both engines read: few, with values in each column that are known for trouble.
struct SQLiteOracleTrips {
    /// A column of the trips in both forms.
    struct Named {
        let name: String
        let kind: ColumnKind
        let values: [SQLiteOracle.Value]
    }

    static let rowCount = 41

    let columns: [Named]
    /// The reference table of the lookup `site`, row 0 being no match.
    let siteColumns: [Named]
    let siteRows: [UInt32]
    let awardCounts: [Int64]

    /// Gathers trips.
    init(
        columns: [Named],
        siteColumns: [Named],
        siteRows: [UInt32],
        awardCounts: [Int64]
    ) {
        self.columns = columns
        self.siteColumns = siteColumns
        self.siteRows = siteRows
        self.awardCounts = awardCounts
    }

    init(seed: UInt64) {
        var dice = ExpressionDice(seed: seed)
        func column(_ name: String, _ kind: ColumnKind, _ pool: [SQLiteOracle.Value]) -> Named {
            Named(
                name: name,
                kind: kind,
                values: (0..<Self.rowCount).map { row in
                    row == 0 ? .null : row <= pool.count ? pool[row - 1] : dice.pick(pool)
                }.shuffled(using: &dice)
            )
        }
        let texts = Self.texts.map { SQLiteOracle.Value.text(Array($0.utf8)) }
        columns = [
            column("owner", .text, texts + [.null]),
            column("unit", .text, Array(texts.prefix(8)) + [.null]),
            column("amount", .text, Self.numberTexts.map { .text(Array($0.utf8)) } + [.null]),
            column("moment", .text, Self.dateTexts.map { .text(Array($0.utf8)) } + [.null]),
            column("no_text", .text, [.null]),
            column("cents", .money, Self.integers.map { .integer($0) } + [.null]),
            column("count", .integer, [0, 1, -1, 2, 3, 7, -5, 10, 100].map { .integer($0) }),
            column("flag", .boolean, [.integer(0), .integer(1), .null]),
            column("no_integer", .integer, [.null]),
            column("rate", .decimal, Self.reals.map { .real($0) } + [.null]),
            column("share", .decimal, [0.0, 0.25, -1.5, 2.675, 1e10].map { .real($0) } + [.null]),
            column("no_real", .decimal, [.null]),
            column("day", .date, Self.days.map { .integer($0) } + [.null]),
            column("stamp", .timestamp, Self.days.map { .integer($0 * 86_399 + 7) } + [.null]),
        ]
        siteRows = (0..<Self.rowCount).map { _ in UInt32(dice.roll(6)) }
        awardCounts = (0..<Self.rowCount).map { _ in Int64(dice.roll(4)) }
        let rows = 6
        func reference(_ name: String, _ kind: ColumnKind, _ pool: [SQLiteOracle.Value]) -> Named {
            Named(
                name: name,
                kind: kind,
                values: (0..<rows).map { $0 == 0 ? .null : dice.pick(pool) }
            )
        }
        siteColumns = [
            reference("region", .text, texts + [.null]),
            reference("beds", .integer, Self.integers.map { .integer($0) } + [.null]),
            reference("weight", .decimal, Self.reals.map { .real($0) } + [.null]),
            reference("opened", .date, Self.days.map { .integer($0) } + [.null]),
        ]
    }

    // MARK: Values

    static let texts = [
        "VA", "va", "", "VENDOR", "Ä", "straße", "😀x", "a%b_c", "it's", "  x y ", "VAMC *",
        "ab\0cd",
        "ÄÖ ambulance", "z]^-", "\u{FFFD}", "İ", "[a-c]",
    ]
    static let numberTexts = [
        "12", " -7xyz", "1e3", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "0.1", ".5", "5.", "1e400", "1e-320", "+3", "- 3", "abc", "",
        "123456789012345678901234567890", "0.000000000000000000000012345678901234567890",
        "1.7976931348623157e308", "2.2250738585072011e-308", "4.35", "\t8 ", "1e", "1e+", "0x10",
        "8.5e15", "99999999999999999999e-5", "3.14159265358979323846", "1.5e-310", "1e308",
    ]
    static let dateTexts = [
        "2025-01-31", "2024-02-29", "2025-02-31", "2025-12-31 23:59:59", "0000-01-01",
        "9999-12-31", "2025-06-15T12:30:45.678", "2025-06-15 12:30+05:30", "2025-06-15 01:00Z",
        "2460000.5", "0", "12:34", "23:59:59.9", "2025-13-01", "2025-00-10", "2025-1-1", "abc",
        "", "-0044-03-15", "2025-06-15 24:00", "2025-06-15 10:00:00 -14:00", "5373484.49",
        "2025-03-30 02:30:00", "1900-02-28", "-4713-11-24 12:00:00", "2025-06-15x", " 2025-06-15",
        "2025-01-05", "2025-01-06",
    ]
    static let integers: [Int64] = [
        0, 1, -1, .max, .min, .max - 1, .min + 1, 4_611_686_018_427_387_904, 9_007_199_254_740_993,
        -9_007_199_254_740_993, 3_037_000_500, -2_147_483_649, 118_450, 7, 100, -30,
    ]
    static let reals: [Double] = [
        0.0, 1.0, -1.0, 0.1, 2.5, -2.5, 1.005, 2.675, 9_007_199_254_740_992, 9.3e18, -9.3e18,
        9_223_372_036_854_775_808, 1e300, -1e300, 1e-300, 4_503_599_627_370_495.5, 0.5, 1e15,
        123456.789, 1e308, .infinity,
    ]
    static let days: [Int64] = [
        0, 20_089, 19_782, 20_149, -1, 20_453, -25_509, 2_932_896, -719_528, 20_270, 20_088, 20_454,
    ]
}

/// The same trips for SQLite.
extension SQLiteOracleTrips {
    static let from = """
        trip JOIN site ON site.site_row = trip.site_row JOIN award ON award.trip_id = trip.id
        """

    /// A value as rules read it: days and seconds as text.
    static func readable(_ value: SQLiteOracle.Value, _ kind: ColumnKind) -> SQLiteOracle.Value {
        guard case .integer(let number) = value else { return value }
        return switch kind {
        case .date: .text(Array(CivilDate(dayNumber: Int32(number)).text.utf8))
        case .timestamp: .text(Array(CivilTime.text(ofSeconds: number).utf8))
        default: value
        }
    }

    func load(into referee: SQLiteOracle) {
        func declared(_ column: Named) -> String {
            switch column.kind {
            case .text, .date, .timestamp: "\(column.name) TEXT"
            case .decimal: "\(column.name) REAL"
            default: "\(column.name) INTEGER"
            }
        }
        func written(_ columns: [Named], _ row: Int) -> String {
            columns.map { SQLiteOracle.literal(Self.readable($0.values[row], $0.kind)) }
                .joined(separator: ", ")
        }
        let tripColumns = columns.map(declared).joined(separator: ", ")
        referee.execute(
            "CREATE TABLE trip(id INTEGER PRIMARY KEY, site_row INTEGER, \(tripColumns))"
        )
        for row in 0..<Self.rowCount {
            referee.execute(
                "INSERT INTO trip VALUES(\(row + 1), \(siteRows[row]), \(written(columns, row)))"
            )
        }
        let sites = siteColumns.map(declared).joined(separator: ", ")
        referee.execute(
            "CREATE TABLE site(site_row INTEGER PRIMARY KEY, matched INTEGER, match_count INTEGER, "
                + "\(sites))"
        )
        for row in 0..<siteColumns[0].values.count {
            let isMatched = row == 0 ? 0 : 1
            referee.execute(
                "INSERT INTO site VALUES(\(row), \(isMatched), \(isMatched), "
                    + "\(written(siteColumns, row)))"
            )
        }
        referee.execute(
            "CREATE TABLE award(trip_id INTEGER PRIMARY KEY, matched INTEGER, match_count INTEGER)"
        )
        for (row, count) in awardCounts.enumerated() {
            referee.execute(
                "INSERT INTO award VALUES(\(row + 1), \(count > 0 ? 1 : 0), \(count))"
            )
        }
    }
}

/// The same trips for the engine.
extension SQLiteOracleTrips {
    var scope: ExpressionScope {
        let sites = ReferenceTable(
            lookup: "site",
            file: "site.csv",
            columnNames: siteColumns.map(\.name),
            columnKinds: siteColumns.map(\.kind),
            columns: siteColumns.map { Self.stored($0.values, $0.kind, isCoded: true) },
            lineNumbers: siteColumns[0].values.indices.map { UInt32($0) }
        )
        let awards = ReferenceTable(
            lookup: "award",
            file: "award.csv",
            columnNames: ["number"],
            columnKinds: [.text],
            columns: [.text(TextColumn(codes: [0, 1], pool: TextPool(["A"])))],
            lineNumbers: [0, 1]
        )
        return ExpressionScope(
            columns: columns.map { ScopeColumn(name: $0.name, kind: $0.kind) },
            lookups: [
                ScopeLookup(table: sites), ScopeLookup(table: awards, mayMatchSeveral: true),
            ]
        )
    }

    /// The trips of some rows as a batch.
    func frame(_ rows: Range<Int>, isCoded: Bool) -> Frame {
        Frame(
            rowCount: rows.count,
            columns: columns.map { Self.stored(Array($0.values[rows]), $0.kind, isCoded: isCoded) },
            matches: [
                MatchedRows(rows: Array(siteRows[rows])),
                MatchedRows(
                    rows: awardCounts[rows].map { $0 > 0 ? 1 : 0 },
                    counts: Array(awardCounts[rows])
                ),
            ]
        )
    }

    /// A column as batches hold it: texts by code, each once or once per row.
    static func stored(
        _ values: [SQLiteOracle.Value],
        _ kind: ColumnKind,
        isCoded: Bool
    ) -> Column {
        switch ValueType(kind) {
        case .text where kind == .text:
            var pool = TextPool()
            var known: [[UInt8]: UInt32] = [:]
            // A pool may hold texts that its batch does not refer to, such as the first entry here.
            if !isCoded { pool.append("never referred to") }
            let codes = values.map { value -> UInt32 in
                guard case .text(let bytes) = value else { return 0 }
                if isCoded, let code = known[bytes] { return code }
                let code = pool.append(bytes[...])
                known[bytes] = code
                return code
            }
            return .text(TextColumn(codes: codes, pool: pool))
        case .real:
            return .real(
                RealColumn(
                    values: values.map { if case .real(let number) = $0 { number } else { 0 } },
                    nulls: values.map { $0 == .null }
                )
            )
        default:
            let nulls = values.map { $0 == .null }
            return .integer(
                IntegerColumn(
                    values: values.map { if case .integer(let number) = $0 { number } else { 0 } },
                    nulls: nulls.contains(true) ? nulls : []
                )
            )
        }
    }
}
