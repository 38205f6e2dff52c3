internal import TripDomain

/// A record as delivered, and where it lies in its file.
public struct RecordText: Sendable {
    /// The offset of its first byte in the expanded file, from 0.
    public let byteOffset: Int
    /// Its bytes, without the line end.
    public let bytes: [UInt8]
}

extension ExportReader {
    /// Reads some records of an export once more, as they were delivered.
    ///
    /// Whether a line has a base line is known when all files are read. To keep the text of every
    /// line until then would take as much memory as the exports are large.
    ///
    /// - Parameters:
    ///   - numbers: The records, from 1.
    ///   - request: The file and the declarations of its source.
    /// - Returns: Their texts by number.
    /// - Throws: ``SourceFault`` where the file is unreadable or damaged.
    /// - Complexity: O(*n*) in the file's bytes; memory for a window and for the records.
    public static func texts(
        ofRecords numbers: Set<Int>,
        of request: ExportRequest
    ) throws -> [Int: RecordText] {
        var texts: [Int: RecordText] = [:]
        try eachText(ofRecords: numbers, of: request) { texts[$0] = $1 }
        return texts
    }

    /// Reads some records of an export once more, one after the other.
    ///
    /// - Parameters:
    ///   - numbers: The records, from 1.
    ///   - request: The file and the declarations of its source.
    ///   - body: Receives each with its number, in the order of the file.
    /// - Throws: ``SourceFault`` where the file is unreadable or damaged; what the body throws.
    /// - Complexity: O(*n*) in the file's bytes; memory for a window.
    public static func eachText(
        ofRecords numbers: Set<Int>,
        of request: ExportRequest,
        _ body: (Int, RecordText) throws -> Void
    ) throws {
        guard !numbers.isEmpty else { return }
        let source = try ByteSource(
            path: request.path,
            name: request.name,
            limits: request.limits,
            hashing: .none,
            buffers: request.buffers
        )
        let reader = RecordReader(source, dialect: request.dialect, slicing: request.slicing)
        let header = try reader.readHeader(preambleLines: request.preambleLines)
        _ = try reader.scan(
            fieldCount: header.names.count,
            makeSink: { RecordTextSink() },
            deliver: { (slice: ScannedSlice<RecordTextSink>) in
                for (index, text) in slice.sink.texts {
                    let number = slice.firstRecordNumber + index
                    if numbers.contains(number) { try body(number, text) }
                }
            }
        )
    }
}

/// Keeps the records of one slice: which of them are wanted is known when their numbers are.
private struct RecordTextSink: RecordSink {
    private(set) var texts: [(index: Int, text: RecordText)] = []

    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at position: RecordPosition
    ) {
        let raw = CellRow.raw(fields, of: base, position: position)
        let text = RecordText(byteOffset: position.byteOffset, bytes: Array(raw))
        texts.append((position.recordIndex, text))
    }

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at position: RecordPosition
    ) {}
}
