import Synchronization
public import TripDomain

/// A generation, open for reading: its numbers, its trips and its rejects.
///
/// It keeps the file it was opened with; to read a newer generation, open again. It can be shared
/// between threads; queries run one at a time.
public final class ServedMart: SummaryReading {
    /// The open file.
    public let file: MartFile
    /// The generation's own row.
    public let header: GenerationHeader
    /// The columns of a trip.
    public var shape: TripShape { tables.shape }
    let tables: TripTables
    /// Where its trips lie; nil where its own file has them.
    public let location: TripLocation?
    /// A cache of the codes for lists of trips by type or region.
    let codesMemory = Mutex<DimensionCodes?>(nil)

    /// The text fields that are stored by code, by their index in the shape.
    public var codedFields: Set<Int> {
        Set(
            shape.columns.indices.filter {
                tables.storage[$0] == .codedText && !shape.columns[$0].isDerived
            }
        )
    }

    /// The error of trips that contradict the generation's own numbers.
    public var damaged: MartError { file.damaged() }

    private init(_ file: MartFile) throws(MartError) {
        self.file = file
        header = try file.header()
        tables = try TripTables(file)
        location = try file.tripLocation()
    }

    /// Opens the published generation.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The generation the link points to now.
    /// - Throws: ``MartError`` with code `nothingServed`, `foreignFile`, `newerFile`, `olderFile`,
    ///   or of the file.
    public static func open(_ folder: MartFolder) throws(MartError) -> ServedMart {
        try open(folder, generation: number(in: folder))
    }

    /// The number of the published generation.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The number that the link names.
    /// - Throws: ``MartError`` with code `nothingServed`, or of the link.
    public static func number(in folder: MartFolder) throws(MartError) -> Int {
        if let number = try folder.servedNumber() { return number }
        throw MartError(
            .nothingServed,
            file: folder.path,
            remedy: "Nothing is published here yet. Run: triptych run PIPELINE"
                + "\(folder.flags()) --input DIR, or give another folder with --mart."
        )
    }

    /// Opens the published generation; nil where nothing is published yet.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The generation the link points to now.
    /// - Throws: ``MartError`` as ``open(_:)``, except `nothingServed`.
    public static func openIfPublished(_ folder: MartFolder) throws(MartError) -> ServedMart? {
        guard let number = try folder.servedNumber() else { return nil }
        return try open(folder, generation: number)
    }

    /// Opens a generation that is still kept for rollback.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - generation: The number.
    /// - Returns: The generation.
    /// - Throws: ``MartError`` with code `notFound` where its file was removed, or as ``open(_:)``.
    public static func open(
        _ folder: MartFolder,
        generation: Int
    ) throws(MartError) -> ServedMart {
        let mart = try ServedMart(
            MartFile(path: folder.generationPath(generation), sums: .required)
        )
        try mart.file.require(mart.header, number: generation)
        return mart
    }

    /// Opens a generation once more, for queries beside those of another value.
    ///
    /// - Parameter mart: The generation.
    /// - Throws: ``MartError`` as ``open(_:)``.
    convenience init(again mart: ServedMart) throws(MartError) {
        try self.init(MartFile(again: mart.file))
    }

    /// Opens a file that is written and not yet published, such as ``BuiltGeneration/path``.
    ///
    /// - Parameter path: The file.
    /// - Returns: The generation.
    /// - Throws: ``MartError`` as ``open(_:)``.
    public static func open(path: String) throws(MartError) -> ServedMart {
        try ServedMart(MartFile(path: path))
    }

    /// Refuses a run where the mart belongs to another pipeline, or where it would mix generated
    /// and real data.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline of the run.
    ///   - isSynthetic: Whether the run's sources are generated.
    /// - Throws: ``MartError`` with code `otherPipeline` or `syntheticMismatch`.
    public func require(pipeline: String, isSynthetic: Bool) throws(MartError) {
        guard header.pipeline == pipeline else {
            throw MartError(
                .otherPipeline,
                file: file.path,
                remedy: "This mart belongs to the pipeline \(header.pipeline). Give \(pipeline) "
                    + "a mart of its own: --mart data/mart/\(pipeline)"
            )
        }
        guard header.isSynthetic == isSynthetic else {
            let held = header.isSynthetic ? "generated" : "real"
            throw MartError(
                .syntheticMismatch,
                file: file.path,
                remedy: "This mart holds \(held) data, and the sources do not. Give them a mart "
                    + "of their own with --mart."
            )
        }
    }
}

extension TripTables {
    /// Reads the columns of a file's trips and their storage.
    init(_ file: MartFile) throws(MartError) {
        struct Entry {
            let column: ShapeColumn
            let storedAs: String
            let isCost: Bool
        }
        let entries = try file.rows("SELECT * FROM trip_column ORDER BY position") { row in
            guard let kind = ColumnKind(rawValue: try row["kind"]) else { throw file.damaged() }
            return try Entry(
                column: ShapeColumn(
                    name: row["name"],
                    kind: kind,
                    isDerived: row["derived"]
                ),
                storedAs: row["stored_as"],
                isCost: row["role"] as String? == "cost"
            )
        }
        let columns = entries.map(\.column)
        let costName = entries.first(where: \.isCost)?.column.name ?? ""
        guard var shape = TripShape(columns: columns, costName: costName) else {
            throw file.damaged()
        }
        shape.declared = try file.declaredColumns(of: columns)
        var storage: [TripStorage] = []
        for entry in entries {
            let plain: [TripStorage] = [
                .inlineText, .codedText, .integer, .real, .days, .seconds, .patient,
            ]
            if let found = plain.first(where: { $0.word == entry.storedAs }) {
                storage.append(found)
            } else if let local = columns.firstIndex(where: {
                $0.name == entry.column.name.dropLast(4)
            }) {
                storage.append(.offset(of: local))
            } else {
                throw file.damaged()
            }
        }
        self.init(shape: shape, storage: storage)
    }
}

extension ServedMart {
    /// Whether a reject comes after all valid versions of its trip, and so would have corrected it.
    ///
    /// A line of a claim without its base line corrects nothing: it is a part that fits nowhere.
    private var isCorrection: String {
        // Where trips lie elsewhere, the run on the cluster has found them.
        location == nil
            ? Self.isLast
            : "EXISTS(SELECT 1 FROM rejected_correction AS c WHERE c.number = r.number)"
    }

    private static let isLast = """
        (r.trip_id IS NOT NULL AND r.reason <> 'orphan_line' AND NOT EXISTS(
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
            SELECT reason, field, count(*), sum(item_count), sum(\(isCorrection)),
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
            where: "r.number > ? AND \(matchesFilter)",
            [after] + filter.arguments,
            limit: limit
        )
    }

    /// The number of rejects that a filter lists.
    ///
    /// - Parameter filter: Which rejects.
    /// - Returns: Their number, however long the list of them may be.
    /// - Throws: ``MartError`` of the file.
    public func rejectCount(_ filter: RejectFilter) throws(MartError) -> Int {
        try file.rows(
            """
            SELECT count(*) FROM reject AS r JOIN source_file AS f ON f.number = r.file_number
            WHERE \(matchesFilter)
            """,
            filter.arguments
        ) { try $0[0] as Int }[0]
    }

    /// The condition of a filter; ``RejectFilter/arguments`` are its values.
    private var matchesFilter: String {
        """
        r.reason = coalesce(?, r.reason) AND (? IS NULL OR r.field = ?)
            AND f.path = coalesce(?, f.path) AND (? = 0 OR \(isCorrection))
        """
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
        try requireTrips()
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
                \(isCorrection)
            FROM reject AS r JOIN source_file AS f ON f.number = r.file_number
            WHERE \(condition) ORDER BY r.number LIMIT \(limit)
            """,
            arguments
        ) { row in
            guard let reason = RejectReason(rawValue: try row[8]) else { throw file.damaged() }
            return try RejectRow(
                number: row[0],
                position: SourcePosition(
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
