internal import TripDomain

/// Trips given by their values alone, lookup columns included: examples, witnesses, and a stored
/// trip that is tried with another value.
enum FlatTrips {
    /// Trips as a batch for programs of a flattened scope.
    ///
    /// - Parameters:
    ///   - trips: A value per column of the scope, per trip.
    ///   - scope: The flattened scope.
    /// - Returns: The batch; values that do not fit their column are NULL.
    static func frame(_ trips: [[ExpressionValue]], _ scope: ExpressionScope) -> Frame {
        let columns = scope.columns.indices.map { index in
            column(trips.map { $0[index] }, scope.columns[index].kind)
        }
        return Frame(rowCount: trips.count, columns: columns)
    }

    /// A column of some values; those that do not fit it are NULL.
    static func column(_ values: [ExpressionValue], _ kind: ColumnKind) -> Column {
        switch kind {
        case .text, .patient:
            var pool = TextPool()
            let codes = values.map { value -> UInt32 in
                guard case .text(let text) = value else { return 0 }
                return pool.append(text)
            }
            return .text(TextColumn(codes: codes, pool: pool))
        case .decimal:
            let numbers = values.map { value -> Double? in
                if case .real(let number) = value { number } else { nil }
            }
            return .real(
                RealColumn(values: numbers.map { $0 ?? 0 }, nulls: numbers.map { $0 == nil })
            )
        default:
            let numbers = values.map { stored($0, kind) }
            return .integer(
                IntegerColumn(values: numbers.map { $0 ?? 0 }, nulls: numbers.map { $0 == nil })
            )
        }
    }

    /// The number a column of whole numbers, dates or time stamps holds for a value.
    static func stored(_ value: ExpressionValue, _ kind: ColumnKind) -> Int64? {
        switch (value, kind) {
        case (.integer(let number), _): number
        case (.text(let text), .date): CivilDate(text: text).map { Int64($0.dayNumber) }
        case (.text(let text), .timestamp): seconds(text)
        default: nil
        }
    }

    /// Reads `YYYY-MM-DD HH:MM:SS`.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CivilDate(text: String(parts[0])) else { return nil }
        let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        let numbers = clock.compactMap { part in part.utf8.count == 2 ? Int64(part) : nil }
        guard clock.count == 3, numbers.count == 3, (0..<24).contains(numbers[0]),
            (0..<60).contains(numbers[1]), (0..<60).contains(numbers[2])
        else { return nil }
        let ofDay = numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
        return Int64(date.dayNumber) * CivilTime.daySeconds + ofDay
    }

    /// One value of a stored column, as expressions read it.
    static func value(_ column: Column, _ kind: ColumnKind, _ row: Int) -> ExpressionValue {
        switch column {
        case .text(let texts): texts.pool.string(texts.codes[row]).map { .text($0) } ?? .null
        case .real(let numbers): numbers.isNull(row) ? .null : .real(numbers.values[row])
        case .integer(let numbers):
            switch (numbers.value(row), kind) {
            case (nil, _): .null
            case (let day?, .date): .text(CivilDate(dayNumber: Int32(clamping: day)).text)
            case (let seconds?, .timestamp): .text(CivilTime.text(ofSeconds: seconds))
            case (let number?, _): .integer(number)
            }
        }
    }

    /// One trip of a batch, its lookup columns read from their tables.
    static func trip(_ frame: Frame, _ row: Int, _ scope: ExpressionScope) -> [ExpressionValue] {
        var values = scope.columns.indices.map { index -> ExpressionValue in
            // A frame may leave columns empty that no program reads.
            let isReadable =
                scope.columns[index].kind != .patient && row < frame.columns[index].count
            return isReadable
                ? value(frame.columns[index], scope.columns[index].kind, row) : .null
        }
        for (lookup, matches) in zip(scope.lookups, frame.matches) {
            let matchedRow = Int(matches.rows[row])
            if !lookup.mayMatchSeveral {
                for (column, kind) in zip(lookup.table.columns, lookup.table.columnKinds) {
                    values.append(value(column, kind, matchedRow))
                }
            }
            let isMatched: Int64 = matchedRow == 0 ? 0 : 1
            values.append(.integer(isMatched))
            values.append(.integer(matches.counts.isEmpty ? isMatched : matches.counts[row]))
        }
        return values
    }
}
