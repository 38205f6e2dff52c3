import TripDomain

/// Writes the rejects and the trip versions that were not accepted.
struct RecordWriting {
    let connection: RawConnection
    let contents: GenerationContents
    let keys: MartKeys

    func write() throws(MartError) {
        precondition(
            contents.rejectTexts.count == contents.rejects.count,
            "every reject comes with its raw record"
        )
        try writeRejects()
        try writeVersions()
    }

    private func writeRejects() throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("reject", 13))
        var sealer = try ColumnSealer(
            keys,
            table: "reject",
            column: "sealed_text",
            count: contents.rejects.count
        )
        for (index, reject) in contents.rejects.enumerated() {
            let row = Int64(index + 1)
            let sealed = try contents.rejectTexts[index].withUnsafeBufferPointer {
                plain throws(MartError) in
                try sealer.seal(UnsafeRawBufferPointer(plain), row: row)
            }
            try statement.insert([
                .integer(row), StoredValue(reject.fileIndex + 1),
                StoredValue(reject.recordNumber), StoredValue(reject.lineNumber),
                StoredValue(reject.byteOffset), StoredValue(reject.byteSize),
                StoredValue(reject.itemCount), StoredValue(reject.field),
                .text(reject.reason.rawValue), StoredValue(reject.amountCents),
                StoredValue(reject.isUnpriced ? 1 : 0), StoredValue(reject.tripID),
                .blob(sealed),
            ])
        }
    }

    private func writeVersions() throws(MartError) {
        let statement = try connection.prepare(SummaryTables.insertion("trip_version", 7))
        var previous: String?
        var number = 0
        for version in contents.versions {
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
