public import TripDomain

/// A reject found again in its file, with the text that is at fault.
///
/// The text may name a patient: the caller decides who sees it.
public struct RejectedText: Sendable {
    /// One cell of the field that failed, or the whole record.
    public struct Cell: Sendable, Hashable {
        /// The name of its column; nil of a record that failed as a whole.
        public let column: String?
        /// Its bytes in the file's encoding, without quotes and escapes.
        public let bytes: [UInt8]
    }

    /// The reject.
    public let reject: Reject
    /// The cells that its field is read from, in order; of a record that failed as a whole, the
    /// record as far as a mart keeps it.
    ///
    /// Empty where the layout declares the text as a constant.
    public let cells: [Cell]
    /// The record as far as a mart keeps it.
    public let record: [UInt8]
    /// The units of the cell whose time is no time, as they are listed; empty where the field lists
    /// no units, or the reject has another reason.
    public let unitsWithoutTime: [[UInt8]]
}

extension ExportReader {
    /// Ends the reading of a file as soon as the reject is found.
    private struct Found: Error {
        let reject: Reject
        let record: [UInt8]
    }

    /// Reads a file up to a reject.
    ///
    /// It is a way of its own beside ``read(_:make:deliver:)``, which goes to the file's end and
    /// refuses a file of too many rejects. Here a file may have any number of them, the reading
    /// ends at the one that is meant, and the header tells which cells its field is read from.
    /// Records are converted by the same sink and numbered by the same function.
    ///
    /// - Parameters:
    ///   - request: The file and the declarations of its source; its limit of rejects does not
    ///     matter.
    ///   - isMeant: Whether a reject is the one, by its position and field.
    /// - Returns: The first such reject of the file; nil where it has none.
    /// - Throws: As ``read(_:make:deliver:)``.
    /// - Complexity: O(*n*) in the bytes up to the reject; keeps no trip, and the rejects of one
    ///   window.
    public static func rejectedText(
        _ request: ExportRequest,
        where isMeant: (Reject) -> Bool
    ) throws -> RejectedText? {
        try rejectedText(byteSource(of: request), request, where: isMeant)
    }

    static func rejectedText(
        _ source: ByteSource,
        _ request: ExportRequest,
        where isMeant: (Reject) -> Bool
    ) throws -> RejectedText? {
        var request = request
        request.rejectLimits = .none
        let (reader, header, bound) = try opened(source, request)
        do {
            _ = try reader.scan(
                fieldCount: header.names.count,
                makeSink: { [request] in TripSink<Void>(plan: bound, request: request) { _ in } },
                deliver: { slice in
                    guard let setAside = slice.sink.output?.setAside else { return }
                    for (reject, text) in zip(setAside.rejects, setAside.texts) {
                        let reject = reject.raised(
                            records: slice.firstRecordNumber,
                            lines: slice.firstLineNumber,
                            fileIndex: request.fileIndex,
                            bound.positionIDs
                        )
                        if isMeant(reject) { throw Found(reject: reject, record: text) }
                    }
                }
            )
            return nil
        } catch let found as Found {
            let cells = cells(of: found, bound, header, request.dialect)
            return RejectedText(
                reject: found.reject,
                cells: cells,
                record: found.record,
                unitsWithoutTime: unitsWithoutTime(found.reject, cells, bound)
            )
        }
    }

    /// The units of a cell whose time set one of them aside.
    private static func unitsWithoutTime(
        _ reject: Reject,
        _ cells: [RejectedText.Cell],
        _ plan: RecordPlan
    ) -> [[UInt8]] {
        guard reject.reason == .wrongType,
            let field = plan.fields.map(\.definition).first(where: { $0.name == reject.field }),
            let time = field.unitTime, let cell = cells.first
        else { return [] }
        return TripBuilder.units(of: cell.bytes, separator: field).filter {
            time.divided($0).time == .unreadable
        }
    }

    /// Reads the text of a record that reads well and was set aside afterwards: a line of a claim
    /// that could not be joined.
    ///
    /// - Parameters:
    ///   - reject: The reject, by its record number and field.
    ///   - request: The file and the declarations of its source.
    /// - Returns: The cells of its field, or the record; nil where the file has no such record.
    /// - Throws: As ``read(_:make:deliver:)``.
    /// - Complexity: O(*n*) in the file's bytes; memory for a window.
    public static func textSetAsideLater(
        _ reject: Reject,
        _ request: ExportRequest
    ) throws -> RejectedText? {
        let texts = try texts(ofRecords: [reject.recordNumber], of: request)
        guard let record = texts[reject.recordNumber]?.bytes else { return nil }
        let (_, header, plan) = try opened(byteSource(of: request), request)
        let found = Found(reject: reject, record: record)
        let cells = cells(of: found, plan, header, request.dialect)
        return RejectedText(reject: reject, cells: cells, record: record, unitsWithoutTime: [])
    }

    private static func byteSource(of request: ExportRequest) throws -> ByteSource {
        try ByteSource(
            path: request.path,
            name: request.name,
            limits: request.limits,
            hashing: .none,
            buffers: request.buffers
        )
    }

    /// A file read up to its first record, with the plan that its header chose.
    private static func opened(
        _ source: ByteSource,
        _ request: ExportRequest
    ) throws -> (reader: RecordReader, header: ExportHeader, plan: RecordPlan) {
        let reader = RecordReader(source, dialect: request.dialect, slicing: request.slicing)
        let header = try reader.readHeader(preambleLines: request.preambleLines)
        return (reader, header, try plan(for: header, request))
    }

    /// The cells that the field of a reject is read from.
    private static func cells(
        of found: Found,
        _ plan: RecordPlan,
        _ header: ExportHeader,
        _ dialect: CSVDialect
    ) -> [RejectedText.Cell] {
        guard let name = found.reject.field,
            let field = plan.fields.first(where: { $0.definition.name == name })
        else { return [RejectedText.Cell(column: nil, bytes: found.record)] }
        let cells = dialect.cells(of: found.record)
        return field.columnIndexes.filter { cells.indices.contains($0) }.map {
            RejectedText.Cell(column: header.names[$0], bytes: cells[$0])
        }
    }
}

extension CSVDialect {
    /// The cells of one whole record, as bytes without quotes and escapes.
    fileprivate func cells(of record: [UInt8]) -> [[UInt8]] {
        let size = record.count
        // The scan may read a byte before the first, and some beyond the last.
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 1 + ScanText.paddingSize)
        memory.initialize(repeating: 0, count: size + 1 + ScanText.paddingSize)
        defer { memory.deallocate() }
        record.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { (memory + 1).update(from: base, count: size) }
        }
        let capacity = size + 2
        let fields = UnsafeMutablePointer<FieldSlice>.allocate(capacity: capacity)
        defer { fields.deallocate() }
        let text = ScanText(memory + 1, end: size, isLast: true, offset: 0, dialect: self)
        let parse = parseLine(
            text,
            from: 0,
            into: fields,
            capacity: capacity,
            acrossLines: lineBreaksInQuotes
        )
        let decoder = FieldDecoder(self)
        return (0..<parse.fieldCount).map { decoder.unescaped(fields[$0], of: memory + 1) }
    }
}
