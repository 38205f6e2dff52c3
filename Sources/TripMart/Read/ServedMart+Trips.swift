import Synchronization
import TripDisclosure
import TripDomain

extension ServedMart {
    /// Lists trips, newest first.
    ///
    /// - Parameters:
    ///   - filter: Which trips.
    ///   - limit: The maximum number of trips.
    ///   - before: The `next` of the previous page; nil for the first page.
    /// - Returns: One page.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: a page costs about as many reads as it has rows, times the number of pairs
    ///   of type and region it covers; a filter by class or by counted trips may read more.
    public func trips(
        _ filter: TripFilter,
        limit: Int,
        before: Int64? = nil
    ) throws(MartError) -> TripPage {
        try requireTrips()
        let numbers = try numbers(filter, limit: limit + 1, before: before)
        let shown = Array(numbers.prefix(limit))
        let marks = Array(repeating: "?", count: shown.count).joined(separator: ", ")
        let trips = try file.rows(
            "\(summarySQL) WHERE trip_number IN (\(marks)) ORDER BY trip_number DESC",
            shown,
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
        guard let range = try range(filter.months, before: before) else { return [] }
        if filter.tripTypes.isEmpty, filter.regions.isEmpty {
            return try select(filter, pairs: [], range: range, limit: limit)
        }
        // The index is by type, then region: queried pair by pair it returns trips in order of
        // their numbers, and only the results have to be sorted.
        let codes = try dimensionCodes()
        let types = codes.tripTypes.of(filter.tripTypes)
        let regions = codes.regions.of(filter.regions)
        let pairs = types.flatMap { type in regions.map { (type, $0) } }
        var found: [Int64] = []
        for start in stride(from: 0, to: pairs.count, by: Self.pairsAtOnce) {
            let some = Array(pairs[start..<min(start + Self.pairsAtOnce, pairs.count)])
            found += try select(filter, pairs: some, range: range, limit: limit)
        }
        return Array(found.sorted(by: >).prefix(limit))
    }

    /// The number of parts of one compound statement; SQLite allows 500.
    private static let pairsAtOnce = 100

    /// The newest trips of some pairs of type and region; of all trips where there are no pairs.
    ///
    /// SQLite merges the pairs, and reads each only as far as the result needs.
    private func select(
        _ filter: TripFilter,
        pairs: [(type: Int64, region: Int64)],
        range: ClosedRange<Int64>,
        limit: Int
    ) throws(MartError) -> [Int64] {
        var conditions = ["trip_number BETWEEN ?1 AND ?2"]
        var arguments: [any StoredArgument] = [range.lowerBound, range.upperBound, limit]
        for pair in pairs { arguments += [pair.type, pair.region] }
        if let tripClass = filter.tripClass {
            let none = tripClass == .undetermined ? "rule_number = 0 OR " : ""
            let rules = "SELECT number FROM rule WHERE class = ?\(4 + 2 * pairs.count)"
            conditions.append("(\(none)rule_number IN (\(rules)))")
            arguments += [tripClass.word]
        }
        if filter.isCountedOnly { conditions.append("counted = 1") }
        let common = conditions.joined(separator: " AND ")
        let parts = pairs.indices.map { place in
            """
            SELECT trip_number FROM trip_row INDEXED BY trip_row_type_region
            WHERE trip_type = ?\(4 + 2 * place) AND region = ?\(5 + 2 * place) AND \(common)
            """
        }
        let all = ["SELECT trip_number FROM trip_row NOT INDEXED WHERE \(common)"]
        let sql =
            (pairs.isEmpty ? all : parts).joined(separator: " UNION ALL ")
            + " ORDER BY trip_number DESC LIMIT ?3"
        return try file.rows(sql, arguments) { try $0[0] }
    }

    /// The trip numbers of some months; nil where there are none.
    private func range(
        _ months: ClosedRange<Month>?,
        before: Int64?
    ) throws(MartError) -> ClosedRange<Int64>? {
        let ends = try file.rows(
            """
            SELECT min(first_trip), max(last_trip) FROM month_range
            WHERE month BETWEEN ? AND ?
            """,
            [months?.lowerBound.text ?? "", months?.upperBound.text ?? "~"]
        ) { row in (first: try row[0] as Int64?, last: try row[1] as Int64?) }
        guard let first = ends.first?.first, var last = ends.first?.last else { return nil }
        if let before { last = min(last, before - 1) }
        return first <= last ? first...last : nil
    }

    /// The codes of trip types and regions, looked up once for each generation.
    ///
    /// - Complexity: O(*n*) in all texts of the generation, the first time.
    private func dimensionCodes() throws(MartError) -> DimensionCodes {
        if let known = codesMemory.withLock({ $0 }) { return known }
        let found = DimensionCodes(
            tripTypes: try codes("trip_type"),
            regions: try codes("region")
        )
        codesMemory.withLock { $0 = found }
        return found
    }

    private func codes(_ table: String) throws(MartError) -> DimensionCodes.Codes {
        let rows = try file.rows(
            """
            SELECT value, code FROM text_value WHERE value IN (SELECT \(table) FROM \(table))
            ORDER BY code
            """
        ) { row in (value: try row[0] as String, code: try row[1] as Int64) }
        return DimensionCodes.Codes(rows: rows)
    }

    var summarySQL: String {
        func name(_ index: Int?) -> String {
            index.map { QuotedText.quoted(shape.columns[$0].name) } ?? "NULL"
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
            position: SourcePosition(
                file: row[12] as String? ?? "",
                recordNumber: row[13],
                lineNumber: row[14]
            )
        )
    }
}

/// The codes of trip types and regions in the trips.
struct DimensionCodes: Sendable {
    let tripTypes: Codes
    let regions: Codes

    /// The codes of one dimension, by code.
    struct Codes: Sendable {
        let rows: [(value: String, code: Int64)]

        /// The codes of some values, compared by bytes; all codes where no value is given.
        func of(_ values: [String]) -> [Int64] {
            let wanted = Set(values.map(ValueBytes.init))
            return rows.filter { wanted.isEmpty || wanted.contains(ValueBytes($0.value)) }.map(
                \.code
            )
        }
    }
}
