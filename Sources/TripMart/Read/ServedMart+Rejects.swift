public import TripDomain

extension ServedMart {
    /// Whether a reject comes after all valid versions of its trip, and so would have corrected it.
    private static let isCorrection = """
        (r.trip_id IS NOT NULL AND NOT EXISTS(
            SELECT 1 FROM trip_row AS t WHERE t.trip_id = r.trip_id
                AND (t.file_number, t.record_number) >= (r.file_number, r.record_number)
        ) AND NOT EXISTS(
            SELECT 1 FROM trip_version AS v WHERE v.trip_id = r.trip_id
                AND (v.file_number, v.record_number) >= (r.file_number, r.record_number)
        ))
        """

    /// The rejects by reason and field, the most frequent first.
    public func rejectGroups() throws(MartError) -> [RejectGroup] {
        try file.rows(
            """
            SELECT reason, field, count(*), sum(item_count), sum(\(Self.isCorrection)),
                min(number) FROM reject AS r
            GROUP BY reason, field ORDER BY count(*) DESC, reason, field
            """
        ) { row in
            guard let reason = RejectReason(rawValue: try row[0]) else { throw file.damaged() }
            return try RejectGroup(
                reason: reason,
                field: row[1],
                count: row[2],
                itemCount: row[3],
                correctionCount: row[4],
                firstNumber: row[5]
            )
        }
    }

    /// Lists rejects in order of exports.
    ///
    /// - Parameters:
    ///   - filter: Which rejects.
    ///   - limit: The maximum number of rejects.
    ///   - after: The number of the last reject of the previous page; 0 for the first page.
    /// - Returns: The rejects, without their texts.
    /// - Throws: ``MartError`` of the file.
    public func rejects(
        _ filter: RejectFilter = RejectFilter(),
        limit: Int,
        after: Int = 0
    ) throws(MartError) -> [RejectRow] {
        try rejects(
            where: """
                r.number > ? AND r.reason = coalesce(?, r.reason)
                    AND (? IS NULL OR r.field = ?) AND f.path = coalesce(?, f.path)
                    AND (? = 0 OR \(Self.isCorrection))
                """,
            [
                after, filter.reason?.rawValue, filter.field, filter.field, filter.path,
                filter.isCorrection ? 1 : 0,
            ],
            limit: limit
        )
    }

    /// One reject by its number, without its text.
    ///
    /// - Parameter number: Its number within the generation.
    /// - Returns: The reject; nil where there is none with the number.
    /// - Throws: ``MartError`` of the file.
    public func reject(number: Int) throws(MartError) -> RejectRow? {
        try rejects(where: "r.number = ?", [number], limit: 1).first
    }

    /// Opens the raw record of a reject: protected data, only to be called on explicit demand.
    ///
    /// - Parameters:
    ///   - number: The reject's number.
    ///   - keys: The mart's keys.
    /// - Returns: The record's bytes as in the export, masked.
    /// - Throws: ``MartError`` with code `notFound` or `sealBroken`.
    public func openRejectText(
        number: Int,
        keys: MartKeys
    ) throws(MartError) -> Masked<[UInt8]> {
        let sealed = try file.rows("SELECT sealed_text FROM reject WHERE number = ?", [number]) {
            try $0[0] as [UInt8]
        }
        guard let sealed = sealed.first else {
            throw MartError(
                .notFound,
                file: file.path,
                remedy: "There is no reject number \(number)."
            )
        }
        return Masked(
            try keys.open(sealed, table: "reject", column: "sealed_text", row: Int64(number))
        )
    }

    /// Opens the identifier of a patient: protected data, only to be called on explicit demand.
    ///
    /// - Parameters:
    ///   - ref: The reference in the patient's trips.
    ///   - keys: The mart's keys.
    /// - Returns: The normalised identifier, masked.
    /// - Throws: ``MartError`` with code `notFound` or `sealBroken`.
    public func openPatient(ref: Int64, keys: MartKeys) throws(MartError) -> Masked<String> {
        let sealed = try file.rows("SELECT sealed FROM patient WHERE patient_ref = ?", [ref]) {
            try $0[0] as [UInt8]
        }
        guard let sealed = sealed.first else {
            throw MartError(
                .notFound,
                file: file.path,
                remedy: "No trip has a patient with this reference."
            )
        }
        let plain = try keys.open(sealed, table: "patient", column: "sealed", row: ref)
        return Masked(String(decoding: plain, as: UTF8.self))
    }

    func rejects(
        where condition: String,
        _ arguments: [any StoredArgument],
        limit: Int
    ) throws(MartError) -> [RejectRow] {
        try file.rows(
            """
            SELECT r.number, f.path, r.record_number, r.line_number, r.byte_offset, r.byte_size,
                r.item_count, r.field, r.reason, r.amount_cents, r.unpriced, r.trip_id,
                \(Self.isCorrection)
            FROM reject AS r JOIN source_file AS f ON f.number = r.file_number
            WHERE \(condition) ORDER BY r.number LIMIT \(limit)
            """,
            arguments
        ) { row in
            guard let reason = RejectReason(rawValue: try row[8]) else { throw file.damaged() }
            return try RejectRow(
                number: row[0],
                place: SourcePosition(
                    file: row[1],
                    recordNumber: row[2],
                    lineNumber: row[3],
                    byteOffset: row[4]
                ),
                byteSize: row[5],
                itemCount: row[6],
                field: row[7],
                reason: reason,
                amountCents: row[9],
                isUnpriced: row[10],
                tripID: row[11],
                isCorrection: row[12]
            )
        }
    }
}
