import TripDomain

extension ServedMart {
    /// Finds one trip by its id.
    ///
    /// - Parameter id: The trip id.
    /// - Returns: All that is known of it; nil where no trip has the id.
    /// - Throws: ``MartError`` of the file.
    public func trip(id: String) throws(MartError) -> TripDetail? {
        try requireTrips()
        let numbers = try file.rows(
            "SELECT trip_number FROM trip_row WHERE trip_id = ?",
            [id]
        ) { try $0[0] as Int64 }
        guard let number = numbers.first else { return nil }
        return try detail(number, id: id)
    }

    /// The region of a trip.
    ///
    /// - Parameter id: The trip id.
    /// - Returns: Its region; nil where no trip has the id.
    /// - Throws: ``MartError`` of the file.
    public func region(ofTrip id: String) throws(MartError) -> String? {
        try requireTrips()
        return try file.rows("SELECT region FROM trip WHERE trip_id = ?", [id]) {
            try $0[0] as String? ?? ""
        }.first
    }

    /// Whether some trip has an id.
    ///
    /// - Parameter id: The trip id.
    /// - Returns: Whether there is one.
    /// - Throws: ``MartError`` of the file.
    public func hasTrip(id: String) throws(MartError) -> Bool {
        try requireTrips()
        return !(try file.rows("SELECT 1 FROM trip_row WHERE trip_id = ?", [id]) { _ in true })
            .isEmpty
    }

    /// Finds one trip by its reference.
    ///
    /// - Parameters:
    ///   - ref: The reference as the client sent it.
    ///   - keys: The mart's keys.
    /// - Returns: All that is known of it; nil where no trip has the id.
    /// - Throws: ``MartError`` with code `sealBroken` where the reference is not of this mart.
    public func trip(ref: TripRef, keys: MartKeys) throws(MartError) -> TripDetail? {
        try trip(id: keys.tripID(of: ref))
    }

    /// The id of a trip by its number.
    ///
    /// - Parameter number: Its position among all trips by pick-up time, from 1.
    /// - Returns: Its id; nil where there is no such trip.
    /// - Throws: ``MartError`` of the file.
    public func tripID(number: Int64) throws(MartError) -> String? {
        try requireTrips()
        return try file.rows("SELECT trip_id FROM trip_row WHERE trip_number = ?", [number]) {
            try $0[0] as String
        }.first
    }

    /// Whether some trip has a text in a column.
    ///
    /// - Parameters:
    ///   - column: The name of a text column.
    ///   - text: The text.
    /// - Returns: Whether there is one; false where there is no such column.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: O(*n*) in the trips.
    public func hasTrip(where column: String, is text: String) throws(MartError) -> Bool {
        try requireTrips()
        let index = shape.columns.firstIndex { $0.name == column && $0.kind == .text }
        guard let index else { return false }
        let name = QuotedText.quoted(column)
        let sql = "SELECT 1 FROM trip_row WHERE \(name) = ? LIMIT 1"
        guard tables.storage[index] == .codedText else {
            return !(try file.rows(sql, [text]) { _ in true }).isEmpty
        }
        // Most queried texts are in no column of any trip.
        let codes = try file.rows("SELECT code FROM text_value WHERE value = ?", [text]) {
            try $0[0] as Int64
        }
        guard let code = codes.first else { return false }
        return !(try file.rows(sql, [code]) { _ in true }).isEmpty
    }

    private func detail(_ number: Int64, id: String) throws(MartError) -> TripDetail {
        let summaries = try file.rows(
            "\(summarySQL) WHERE trip_number = ?",
            [number],
            Self.summary
        )
        let values = try file.rows("SELECT * FROM trip WHERE trip_number = ?", [number]) {
            $0.values
        }
        let raw = try file.rows(
            """
            SELECT \(tables.rawColumns.joined(separator: ", ")), t.rule_number, t.counted,
                t.file_number, t.record_number, t.line_number
            FROM trip_row AS t WHERE t.trip_number = ?
            """,
            [number]
        ) { row in row.values.map(\.value) }
        guard let summary = summaries.first, let named = values.first, let fields = raw.first,
            let batch = batch(fields), let offset = pickupOffset(batch)
        else { throw file.damaged() }
        guard let source = try self.file(number: batch.fileIndex + 1) else { throw file.damaged() }
        var patientRef: Int64?
        if case .integer(let ref)? = named.first(where: { $0.name == "patient_ref" })?.value {
            patientRef = ref
        }
        return TripDetail(
            summary: summary,
            pickupOffsetSeconds: offset,
            values: named,
            batch: batch,
            rule: try rule(number: Int(batch.ruleNumbers[0])),
            file: source,
            patientRef: patientRef,
            versions: try versions(id),
            rejects: try rejects(where: "r.trip_id = ?", [id], limit: 1000)
        )
    }

    /// A batch of one row, from the values as stored.
    private func batch(_ fields: [StoredValue]) -> TripBatch? {
        let fixed = fields.suffix(TripTables.fixedColumns.count).map { value -> Int64 in
            if case .integer(let number) = value { number } else { 0 }
        }
        // In a damaged row the positions and the rule may be any number.
        guard fixed.count == TripTables.fixedColumns.count,
            let ruleNumber = UInt16(exactly: fixed[0]), let fileNumber = UInt32(exactly: fixed[2]),
            fileNumber > 0, let recordNumber = UInt32(exactly: fixed[3]),
            let lineNumber = UInt32(exactly: fixed[4])
        else { return nil }
        let columns = zip(shape.columns, fields).map { column, value -> TripDomain.Column in
            switch (column.kind, value) {
            case (.text, .text(let text)):
                .text(TextColumn(codes: [1], pool: TextPool([text])))
            case (.text, _), (.patient, _):
                .text(TextColumn(codes: [0], pool: TextPool()))
            case (.decimal, .real(let real)):
                .real(RealColumn(values: [real]))
            case (.decimal, _):
                .real(RealColumn(values: [0], nulls: [true]))
            case (_, .integer(let integer)):
                .integer(IntegerColumn(values: [integer]))
            default:
                .integer(IntegerColumn(values: [0], nulls: [true]))
            }
        }
        var batch = TripBatch(
            fileIndex: Int(fileNumber) - 1,
            columns: columns,
            recordNumbers: [recordNumber],
            lineNumbers: [lineNumber]
        )
        batch.ruleNumbers = [ruleNumber]
        batch.counted = [fixed[1] != 0]
        return batch
    }

    /// What the facility's clock was ahead of UTC at the pick-up, in seconds; nil where the row is
    /// damaged: no clock is a day ahead.
    private func pickupOffset(_ batch: TripBatch) -> Int64? {
        guard case .integer(let local) = batch.columns[shape.pickupIndex],
            case .integer(let utc) = batch.columns[shape.pickupUTCIndex],
            let localSeconds = local.value(0), let utcSeconds = utc.value(0)
        else { return nil }
        let (offset, isOverflow) = localSeconds.subtractingReportingOverflow(utcSeconds)
        let isOfAClock = !isOverflow && offset.magnitude < CivilTime.daySeconds.magnitude
        return isOfAClock ? offset : nil
    }

    /// The valid versions of an id that are not accepted, in order of exports; of an id that is no
    /// trip, the lines of claims that were withdrawn or replaced.
    public func versions(_ id: String) throws(MartError) -> [StoredVersion] {
        try requireTrips()
        return try file.rows(
            """
            SELECT v.term, f.path, v.record_number, v.line_number, v.amount_cents
            FROM trip_version AS v JOIN source_file AS f ON f.number = v.file_number
            WHERE v.trip_id = ? ORDER BY v.number
            """,
            [id]
        ) { row in
            try StoredVersion(
                term: LedgerTerm(rawValue: row[0]) ?? .superseded,
                position: SourcePosition(file: row[1], recordNumber: row[2], lineNumber: row[3]),
                amountCents: row[4]
            )
        }
    }
}

extension TripTables {
    /// The columns of one row as a batch has them: texts in clear, times in seconds.
    var rawColumns: [String] {
        storage.indices.map { index in
            let column = "t." + QuotedText.quoted(storedName(index))
            switch storage[index] {
            case .inlineText, .integer, .real, .days, .seconds: return column
            case .codedText:
                return "(SELECT v.value FROM text_value AS v WHERE v.code = \(column))"
            case .offset(let local):
                return "t.\(QuotedText.quoted(storedName(local))) + \(column)"
            case .patient: return "NULL"
            }
        }
    }
}
