import TripDomain

/// Writes the trip versions that were not accepted.
struct VersionWriting {
    let connection: RawConnection
    let versions: [TripVersion]

    func write() throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("trip_version", 7))
        var previous: String?
        var number = 0
        for version in versions {
            number = version.tripID == previous ? number + 1 : 1
            previous = version.tripID
            try statement.insert([
                .text(version.tripID), StoredValue(number), .text(version.term.rawValue),
                StoredValue(version.fileIndex + 1), StoredValue(version.recordNumber),
                StoredValue(version.lineNumber), StoredValue(version.amountCents),
            ])
        }
    }
}

/// Writes the reference tables of the lookups, row by row, with the values that rules read.
struct ReferenceWriting {
    let connection: RawConnection

    func write(_ references: [ReferenceTable]) throws(MartError) {
        let list = try connection.prepare(SummaryTables.insertion("reference", 4))
        for (index, table) in references.enumerated() {
            try list.insert([
                .text(table.lookup), StoredValue(index + 1),
                .text(ReferenceTables.name(table.lookup)), .text(table.file),
            ])
            try connection.execute(ReferenceTables.ddl(table))
            try writeRows(table)
        }
    }

    private func writeRows(_ table: ReferenceTable) throws(MartError) {
        let statement = try connection.prepare(
            SummaryTables.insertion(
                ReferenceTables.name(table.lookup),
                table.columns.count + 2
            )
        )
        for row in 1..<max(1, table.rowCount + 1) {
            let values = zip(table.columns, table.columnKinds).map { column, kind in
                Self.value(column, kind, row)
            }
            try statement.insert(
                [StoredValue(row), StoredValue(Int(table.lineNumbers[row]))] + values
            )
        }
    }

    static func value(_ column: Column, _ kind: ColumnKind, _ row: Int) -> StoredValue {
        switch column {
        case .text(let texts):
            return StoredValue(texts.pool.string(texts.codes[row]))
        case .real(let reals):
            return reals.isNull(row) ? .null : .real(reals.values[row])
        case .integer(let integers):
            guard let value = integers.value(row) else { return .null }
            switch kind {
            case .date: return .text(CivilDate(dayNumber: Int32(value)).text)
            case .timestamp: return .text(CivilTime.text(ofSeconds: value))
            default: return .integer(value)
            }
        }
    }
}
