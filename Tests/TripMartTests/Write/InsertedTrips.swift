import TripDomain

@testable import TripMart

/// The slow twin of ``TripPages``: the same trips inserted value by value through SQLite.
struct InsertedTrips {
    private let contents: GenerationContents
    private let keys: MartKeys

    init(_ contents: GenerationContents, keys: MartKeys) {
        self.contents = contents
        self.keys = keys
    }

    /// Replaces the rows of `trip_row` and `patient` in a finished file, and builds their indexes
    /// again.
    func write(to path: String) throws {
        let connection = try RawConnection(path: path, mode: .create)
        let file = try MartFile(path: path)
        let tables = try TripTables(file)
        let texts = try file.rows("SELECT value FROM text_value ORDER BY code") {
            Array((try $0[0] as String).utf8)
        }
        let codes = Dictionary(uniqueKeysWithValues: zip(texts, 1...))
        for index in TripTables.indexes { try connection.execute("DROP INDEX \(index.name)") }
        try connection.execute(
            """
            BEGIN;
            CREATE TEMP TABLE sealed AS SELECT * FROM patient;
            DELETE FROM patient;
            DELETE FROM trip_row;
            """
        )
        try insert(into: connection, tables, codes)
        for index in TripTables.indexes { try connection.execute(index.sql) }
        try connection.execute("DROP TABLE sealed; COMMIT; VACUUM")
        try connection.close()
    }

    private func insert(
        into connection: RawConnection,
        _ tables: TripTables,
        _ codes: [[UInt8]: Int]
    ) throws {
        let columnCount = tables.storage.count + TripTables.fixedColumns.count + 1
        let rows = try connection.prepare(SummaryTables.insertion("trip_row", columnCount))
        let patients = try connection.prepare(
            "INSERT OR IGNORE INTO patient SELECT * FROM sealed WHERE patient_ref = ?"
        )
        for (index, position) in contents.acceptedOrder.enumerated() {
            let batch = contents.batches[Int(position.batch)]
            let row = Int(position.row)
            var values = [StoredValue(index + 1)]
            for (column, storage) in tables.storage.enumerated() {
                values.append(value(batch, row, column, storage, codes))
                if storage == .patient { try patients.insert([values[column + 1]]) }
            }
            values += [batch.ruleNumbers, batch.counted].map { .integer($0[row]) }
            values.append(StoredValue(batch.fileIndex + 1))
            values += [batch.recordNumbers, batch.lineNumbers].map { .integer($0[row]) }
            try rows.insert(values)
        }
    }

    private func value(
        _ batch: PackedBatch,
        _ row: Int,
        _ column: Int,
        _ storage: TripStorage,
        _ codes: [[UInt8]: Int]
    ) -> StoredValue {
        switch batch.columns[column] {
        case .text(let texts):
            guard let text = texts.string(row: row) else { return .null }
            switch storage {
            case .codedText: return codes[Array(text.utf8)].map { StoredValue($0) } ?? .null
            case .patient: return .integer(keys.patientRef(Masked(text)))
            default: return .text(text)
            }
        case .real(let reals):
            return reals.isNull(row) ? .null : .real(reals.values[row])
        case .integer(let integers):
            guard let value = integers.value(row) else { return .null }
            guard case .offset(let local) = storage else { return .integer(value) }
            return .integer(value - batch.columns[local].integers[row])
        }
    }
}

extension MartKeys {
    /// The reference of a patient in the `trip` table.
    func patientRef(_ identifier: Masked<String>) -> Int64 {
        Self.normalised(Array(identifier.revealed().utf8)).withUnsafeBytes(patientRefs())
    }
}
