import GRDB
import TripDomain

extension ServedMart {
    /// Lists trips, newest first.
    ///
    /// - Parameters:
    ///   - filter: Which trips.
    ///   - limit: How many at most.
    ///   - before: The `next` of the page before; nil begins with the newest.
    /// - Returns: One page.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: a page costs about as many reads as it has rows, times the number of pairs
    ///   of type and region it covers; a filter by class or by counted trips may read more.
    public func trips(
        _ filter: TripFilter,
        limit: Int,
        before: Int64? = nil
    ) throws(MartError) -> TripPage {
        let numbers = try numbers(filter, limit: limit + 1, before: before)
        let shown = Array(numbers.prefix(limit))
        let places = shown.map(String.init).joined(separator: ", ")
        let trips = try file.rows(
            "\(summarySQL) WHERE trip_number IN (\(places)) ORDER BY trip_number DESC",
            [],
            Self.summary
        )
        return TripPage(trips: trips, next: numbers.count > limit ? shown.last : nil)
    }

    /// The numbers of the trips of one page and of the trip after it.
    private func numbers(
        _ filter: TripFilter,
        limit: Int,
        before: Int64?
    ) throws(MartError) -> [Int64] {
        try file.read { db in
            guard let range = try Self.range(db, filter.months, before: before) else { return [] }
            if filter.tripTypes.isEmpty, filter.regions.isEmpty {
                return try Self.select(db, filter, pair: nil, range: range, limit: limit)
            }
            // The index is by type, then region: asked pair by pair it gives trips in order of
            // their numbers, and nothing needs to be sorted but the answers.
            let types = try Self.codes(db, filter.tripTypes, all: "trip_type")
            let regions = try Self.codes(db, filter.regions, all: "region")
            var found: [Int64] = []
            for type in types {
                for region in regions {
                    found += try Self.select(
                        db,
                        filter,
                        pair: (type, region),
                        range: range,
                        limit: limit
                    )
                }
            }
            return Array(found.sorted(by: >).prefix(limit))
        }
    }

    private static func select(
        _ db: Database,
        _ filter: TripFilter,
        pair: (type: Int64, region: Int64)?,
        range: ClosedRange<Int64>,
        limit: Int
    ) throws -> [Int64] {
        var conditions = ["trip_number BETWEEN ? AND ?"]
        var arguments: StatementArguments = [range.lowerBound, range.upperBound]
        var index = "NOT INDEXED"
        if let pair {
            conditions += ["trip_type = ?", "region = ?"]
            arguments += [pair.type, pair.region]
            index = "INDEXED BY trip_row_type_region"
        }
        if let tripClass = filter.tripClass {
            let none = tripClass == .undetermined ? "rule_number = 0 OR " : ""
            conditions.append(
                "(\(none)rule_number IN (SELECT number FROM rule WHERE class = ?))"
            )
            arguments += [tripClass.word]
        }
        if filter.isCountedOnly { conditions.append("counted = 1") }
        arguments += [limit]
        let sql = """
            SELECT trip_number FROM trip_row \(index)
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY trip_number DESC LIMIT ?
            """
        return try Int64.fetchAll(db, sql: sql, arguments: arguments)
    }

    /// The trip numbers of some months; nil where there are none.
    private static func range(
        _ db: Database,
        _ months: ClosedRange<Month>?,
        before: Int64?
    ) throws -> ClosedRange<Int64>? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT min(first_trip), max(last_trip) FROM month_range
                WHERE month BETWEEN ? AND ?
                """,
            arguments: [months?.lowerBound.text ?? "", months?.upperBound.text ?? "~"]
        )
        guard let row = row.map({ StoredRow($0) }), let first: Int64 = try row[0],
            var last: Int64 = try row[1]
        else { return nil }
        if let before { last = min(last, before - 1) }
        return first <= last ? first...last : nil
    }

    /// The codes of some values, or of all values of a dimension where the filter names none.
    private static func codes(
        _ db: Database,
        _ values: [String],
        all table: String
    ) throws -> [Int64] {
        if values.isEmpty {
            return try Int64.fetchAll(
                db,
                sql: "SELECT code FROM text_value WHERE value IN (SELECT \(table) FROM \(table))"
            )
        }
        let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
        return try Int64.fetchAll(
            db,
            sql: "SELECT code FROM text_value WHERE value IN (\(places))",
            arguments: StatementArguments(values)
        )
    }

    var summarySQL: String {
        func name(_ index: Int?) -> String {
            index.map { GenerationSchema.quoted(shape.columns[$0].name) } ?? "NULL"
        }
        return """
            SELECT trip_number, trip_id, \(name(shape.pickupIndex)), month, trip_type, region,
                class, basis, rule, counted, \(name(shape.costIndex)), \(name(shape.milesIndex)),
                source_file, record_number, line_number, \(name(shape.providerNameIndex))
            FROM trip
            """
    }

    @Sendable
    static func summary(_ row: StoredRow) throws -> TripSummary {
        try TripSummary(
            tripNumber: row[0],
            tripID: row[1],
            pickupAt: row[2],
            month: row[3],
            tripType: row[4] as String? ?? "",
            region: row[5] as String? ?? "",
            tripClass: TripClass(word: row[6]) ?? .undetermined,
            basis: row[7],
            ruleID: row[8],
            isCounted: row[9],
            costCents: row[10],
            milesHundredths: row[11],
            providerName: row[15],
            place: SourcePlace(
                file: row[12] as String? ?? "",
                recordNumber: row[13],
                lineNumber: row[14]
            )
        )
    }
}
