public import TripDomain

/// What a generation says of declared measures and dimensions; nothing where none are declared.
extension MartFile {
    /// The measures, in the pipeline's order.
    func declaredMeasures() throws(MartError) -> [DeclaredMeasure] {
        guard try has(table: "measure") else { return [] }
        return try rows("SELECT * FROM measure ORDER BY position") { row in
            guard let kind = DeclaredMeasure.Kind(rawValue: try row["kind"]),
                let amount = DeclaredMeasure.Amount(rawValue: try row["amount"])
            else { throw self.damaged() }
            return try DeclaredMeasure(
                name: row["name"],
                kind: kind,
                column: row["column_name"],
                amount: amount,
                label: row["label"],
                unit: row["unit"]
            )
        }
    }

    /// The dimensions, in the pipeline's order.
    func declaredDimensions() throws(MartError) -> [DeclaredDimension] {
        guard try has(table: "dimension") else { return [] }
        return try rows("SELECT * FROM dimension ORDER BY position") { row in
            try DeclaredDimension(
                name: row["name"],
                column: row["column_name"],
                label: row["label"]
            )
        }
    }

    /// The cells of the measures; the file has some.
    ///
    /// - Parameter month: The only month that is read; nil for all.
    /// - Returns: The cells.
    /// - Throws: ``MartError``; with code `damaged` where numbers are too large to be added up.
    func measureCells(of month: Month? = nil) throws(MartError) -> DeclaredCells {
        let condition = month == nil ? "" : " WHERE month = ?"
        let arguments = month.map { [$0.text] } ?? []
        @Sendable func group(_ row: StoredRow) throws -> DeclaredGroup {
            guard let tripClass = TripClass(word: try row["class"]) else { throw damaged() }
            return try DeclaredGroup(
                month: row["month"],
                tripType: row["trip_type"],
                region: row["region"],
                tripClass: tripClass,
                basis: row["basis"]
            )
        }
        var cells = DeclaredCells()
        cells.measures = try rows("SELECT * FROM kpi_measure" + condition, arguments) { row in
            try MeasureCell(
                measure: row["measure"],
                group: group(row),
                sums: MeasureSums(knownTrips: row["known_trips"], sum: row["sum"])
            )
        }
        cells.values = try rows("SELECT * FROM kpi_measure_value" + condition, arguments) { row in
            try MeasureValueCell(
                measure: row["measure"],
                group: group(row),
                count: ValueCount(value: row["value"], trips: row["trips"])
            )
        }
        // Every cell is added up with all others of its measure, at most.
        let sums = cells.measures.map(\.sums)
        let counts = cells.values.map(\.count)
        guard SumLimit.fits(sums.lazy.map(\.knownTrips.magnitude)),
            SumLimit.fits(sums.lazy.map(\.sum.magnitude)),
            SumLimit.fits(counts.lazy.map(\.trips.magnitude)),
            counts.allSatisfy({ SumLimit.allows(MeasureSums(knownTrips: 0, sum: $0.value)) })
        else { throw damaged() }
        return cells
    }

    /// The columns of trips that they read.
    func declaredColumns(of columns: [ShapeColumn]) throws(MartError) -> DeclaredColumns {
        func index(_ name: String) throws(MartError) -> Int {
            guard let index = columns.firstIndex(where: { $0.name == name }) else {
                throw damaged()
            }
            return index
        }
        var declared = DeclaredColumns()
        for measure in try declaredMeasures() {
            declared.measures.append(
                DeclaredColumn(measure, index: try index(measure.column))
            )
        }
        for dimension in try declaredDimensions() {
            declared.dimensions.append(
                DeclaredColumn(dimension, index: try index(dimension.column))
            )
        }
        return declared
    }
}

extension GenerationSummary {
    /// The row of `meta` that says when fiscal years begin; nil where they are the federal ones, so
    /// that a pipeline that says nothing of it has the rows of before.
    var storedYearStart: (key: String, value: String)? {
        fiscalYearStart == Month.federalYearStart
            ? nil : (SummaryReadingKeys.yearStart, String(fiscalYearStart))
    }
}

/// The keys of `meta` that are read here.
private enum SummaryReadingKeys {
    static let yearStart = "fiscal_year_start"
}

extension SummaryReading {
    /// The month that the fiscal years begin with, from 1.
    ///
    /// - Throws: ``MartError`` of the file.
    public func fiscalYearStart() throws(MartError) -> Int {
        guard let text = try file.meta(SummaryReadingKeys.yearStart) else {
            return Month.federalYearStart
        }
        guard let start = Int(text), (1...12).contains(start) else { throw file.damaged() }
        return start
    }

    /// The measures that the pipeline declares, in its order; none in a generation without them.
    ///
    /// - Throws: ``MartError`` of the file.
    public func declaredMeasures() throws(MartError) -> [DeclaredMeasure] {
        try file.declaredMeasures()
    }

    /// The dimensions that the pipeline declares, in its order; none in a generation without them.
    ///
    /// - Throws: ``MartError`` of the file.
    public func declaredDimensions() throws(MartError) -> [DeclaredDimension] {
        try file.declaredDimensions()
    }

    /// The values of the declared measures for the groups of a query.
    ///
    /// - Parameters:
    ///   - measures: The measures.
    ///   - query: The filters and the dimensions, none of them declared.
    /// - Returns: By the keys of a group, the value of each measure; a group is missing where no
    ///   trip of it has a known value.
    /// - Throws: ``MartError``; with code `damaged` where numbers are too large to be added up.
    /// - Complexity: O(*n*) in the rows of the measures that the filters let through.
    func values(
        of measures: [DeclaredMeasure],
        _ query: KPIQuery
    ) throws(MartError) -> [GroupKeys: [MeasureValue]] {
        guard !measures.isEmpty else { return [:] }
        let numbers = Dictionary(
            uniqueKeysWithValues: measures.enumerated().map { ($1.name, $0) }
        )
        let count = query.by.count
        let statement = FinestGroups(query)
        var sums: [GroupKeys: [MeasureSums]] = [:]
        for row in try file.rows(
            statement.sql("kpi_measure", "c.measure, sum(c.known_trips), sum(c.sum)", by: 1),
            statement.arguments,
            { row in
                try (
                    keys: GroupKeys((0..<count).map { try row[$0] }), name: row[count] as String,
                    sums: MeasureSums(knownTrips: row[count + 1], sum: row[count + 2])
                )
            }
        ) {
            guard let number = numbers[row.name], SumLimit.allows(row.sums) else {
                throw file.damaged()
            }
            sums[row.keys, default: measures.map { _ in MeasureSums() }][number] = row.sums
        }
        var counts: [GroupKeys: [[ValueCount]]] = [:]
        for row in try file.rows(
            statement.sql("kpi_measure_value", "c.measure, c.value, sum(c.trips)", by: 2),
            statement.arguments,
            { row in
                try (
                    keys: GroupKeys((0..<count).map { try row[$0] }), name: row[count] as String,
                    count: ValueCount(value: row[count + 1], trips: row[count + 2])
                )
            }
        ) {
            let isPossible = SumLimit.allows(
                MeasureSums(knownTrips: row.count.trips, sum: row.count.value)
            )
            guard let number = numbers[row.name], isPossible else { throw file.damaged() }
            counts[row.keys, default: measures.map { _ in [] }][number].append(row.count)
        }
        return Dictionary(
            uniqueKeysWithValues: sums.map { keys, sums in
                (
                    keys,
                    measures.indices.map { number in
                        MeasureValue(
                            measures[number],
                            sums[number],
                            values: counts[keys]?[number] ?? []
                        )
                    }
                )
            }
        )
    }
}

/// The keys of a group as bytes: texts that are equal in Unicode are two values.
struct GroupKeys: Hashable, Sendable {
    private let bytes: [[UInt8]]

    init(_ keys: [String]) { bytes = keys.map { Array($0.utf8) } }
}

/// The statements that add up a table of finest groups.
struct FinestGroups {
    private let keys: [String]
    private let conditions: [String]
    let arguments: [any StoredArgument]

    /// - Parameters:
    ///   - query: The filters and the dimensions.
    ///   - key: A further key, after those of the dimensions.
    init(_ query: KPIQuery, key: String? = nil) {
        keys = query.by.map(\.expression) + [key].compactMap(\.self)
        var (conditions, arguments): ([String], [any StoredArgument]) = ([], [])
        if let months = query.months {
            arguments += [months.lowerBound.text, months.upperBound.text]
            conditions.append("c.month BETWEEN ? AND ?")
        }
        for (name, values) in [
            ("trip_type", query.tripTypes), ("region", query.regions),
            ("class", query.classes.map(\.word)), ("basis", query.bases),
        ] where !values.isEmpty {
            arguments += values
            let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
            conditions.append("c.\(name) IN (\(marks))")
        }
        (self.conditions, self.arguments) = (conditions, arguments)
    }

    /// The statement for one table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: What is read besides the keys.
    ///   - count: How many of these columns are grouped by as well.
    /// - Returns: The statement.
    func sql(_ table: String, _ columns: String, by count: Int) -> String {
        let marks = (1...keys.count + count).map(String.init).joined(separator: ", ")
        let condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        return """
            SELECT \((keys + [columns]).joined(separator: ", "))
            FROM \(table) AS c JOIN month AS m ON m.month = c.month
            WHERE \(condition)
            GROUP BY \(marks) ORDER BY \(marks)
            """
    }
}
