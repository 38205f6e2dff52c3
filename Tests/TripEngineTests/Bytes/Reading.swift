import TripDomain

@testable import TripEngine

/// A sink that keeps everything, for comparison.
struct CollectingSink: RecordSink {
    /// The records and rejects, numbered within the slice from 1.
    var found: [Found] = []
    /// The text that came with each reject.
    var rejectTexts: [[UInt8]] = []
    let decoder: FieldDecoder
    private var scratch: [UInt8] = []

    init(_ dialect: CSVDialect) {
        decoder = FieldDecoder(dialect)
    }

    mutating func record(
        _ fields: UnsafeBufferPointer<FieldSlice>,
        of base: UnsafePointer<UInt8>,
        at position: RecordPosition
    ) {
        var texts: [[UInt8]] = []
        for field in fields {
            decoder.withText(field, of: base, scratch: &scratch) { texts.append(Array($0)) }
        }
        found.append(
            .record(
                fields: texts,
                number: position.recordIndex,
                line: position.lineIndex,
                lines: position.lineCount,
                offset: position.byteOffset,
                size: position.byteSize
            )
        )
    }

    mutating func reject(
        _ reason: RejectReason,
        text: UnsafeBufferPointer<UInt8>,
        at position: RecordPosition
    ) {
        rejectTexts.append(Array(text))
        found.append(
            .reject(
                reason,
                number: position.recordIndex,
                line: position.lineIndex,
                lines: position.lineCount,
                offset: position.byteOffset,
                size: position.byteSize
            )
        )
    }
}

/// A whole file, read.
struct Reading {
    var header: ExportHeader
    var found: [Found] = []
    var rejectTexts: [[UInt8]] = []
    var scan: FileScan

    var counts: ScanCounts { scan.counts }
    var reasons: [RejectReason] { found.compactMap(\.reason) }
    var records: [[String]] { found.filter(\.isRecord).map(\.texts) }

    /// Reads a file that is in memory.
    init(
        _ bytes: [UInt8],
        name: String = "a.csv",
        dialect: CSVDialect = CSVDialect(),
        slicing: Slicing = Slicing(threads: 1),
        limits: ExpansionLimits = ExpansionLimits()
    ) throws {
        let source = try ByteSource(bytes: bytes, name: name, limits: limits)
        try self.init(source, dialect: dialect, slicing: slicing)
    }

    init(_ text: String, dialect: CSVDialect = CSVDialect()) throws {
        try self.init(Array(text.utf8), dialect: dialect)
    }

    init(_ source: ByteSource, dialect: CSVDialect, slicing: Slicing) throws {
        let reader = RecordReader(source, dialect: dialect, slicing: slicing)
        let header = try reader.readHeader()
        var found: [Found] = []
        var texts: [[UInt8]] = []
        scan = try reader.scan(
            fieldCount: header.names.count,
            makeSink: { CollectingSink(dialect) },
            deliver: { slice in
                texts += slice.sink.rejectTexts
                for one in slice.sink.found {
                    found.append(Self.numbered(one, slice))
                }
            }
        )
        self.header = header
        self.found = found
        rejectTexts = texts
    }

    private static func numbered(_ one: Found, _ slice: ScannedSlice<CollectingSink>) -> Found {
        switch one {
        case .record(let fields, let number, let line, let lines, let offset, let size):
            .record(
                fields: fields,
                number: slice.firstRecordNumber + number,
                line: slice.firstLineNumber + line,
                lines: lines,
                offset: offset,
                size: size
            )
        case .reject(let reason, let number, let line, let lines, let offset, let size):
            .reject(
                reason,
                number: slice.firstRecordNumber + number,
                line: slice.firstLineNumber + line,
                lines: lines,
                offset: offset,
                size: size
            )
        }
    }

    /// The result of the slow twin for the same file.
    func twin(_ bytes: [UInt8], _ dialect: CSVDialect) -> (found: [Found], blank: Int, lines: Int) {
        SlowRecords(
            bytes: bytes,
            dialect: dialect,
            fieldCount: header.names.count,
            headerNames: header.lineCount == 0 ? [] : header.names.map { Array($0.utf8) }
        ).scan(from: header.dataOffset, firstLine: 1 + header.lineCount)
    }
}
