internal import Glibc
internal import TripDomain

/// A file's header: the names of its columns, and the offset of its data.
public struct ExportHeader: Sendable, Hashable {
    /// The columns' names, as the file or the dialect gives them, in order.
    public let names: [String]
    /// The names as bytes of the file, without quotes and escapes; empty where the file has no
    /// header.
    public let cells: [[UInt8]]
    /// The physical lines it spans; 0 where the file has none.
    public let lineCount: Int
    /// The offset of the first byte of data in the expanded file.
    public let dataOffset: Int
}

/// Reads the first record of a file, and refuses files that do not match the declared dialect.
enum HeaderReader {
    /// Reads the header from the first bytes of a file.
    ///
    /// - Parameters:
    ///   - text: A text that holds the first bytes of the file.
    ///   - start: The position of the file's first byte in it.
    ///   - dialect: The declared dialect.
    ///   - preambleLines: The number of physical lines before the header.
    ///   - name: The file, for faults.
    /// - Returns: The header; nil where more bytes are needed.
    /// - Throws: ``SourceFault`` that names the difference from the declared dialect.
    static func read(
        _ text: ScanText,
        from start: Int,
        dialect: CSVDialect,
        preambleLines: Int,
        name: String
    ) throws(SourceFault) -> ExportHeader? {
        let size = text.end - start
        // Of a source with very short records, fewer bytes are carried from window to window.
        let decidingSize = max(4, min(FileKind.decidingSize, dialect.recordSizeMax))
        guard size >= decidingSize || text.isLast else { return nil }
        let faults = HeaderFaults(name: name)
        let bytes = UnsafeBufferPointer(start: text.base + start, count: size)
        if let kind = FileKind(bytes) { throw faults.otherKind(kind) }
        let markSize = try byteOrderMarkSize(bytes, dialect, faults)
        guard size > markSize else {
            if !text.isLast { return nil }
            throw faults.empty(markSize: markSize)
        }
        let preamble = preambleSize(bytes, after: markSize, preambleLines, dialect)
        // Like the header behind it, it has to fit where records are carried from window to window.
        guard preamble ?? (size - markSize) <= dialect.recordSizeMax else {
            throw faults.unreadable(
                "stands behind a preamble that is longer than a record may be "
                    + "(\(dialect.recordSizeMax) bytes)",
                0
            )
        }
        // Without a header of its own, a file may end with the lines that stand in its place.
        let isWhole = preamble.map { markSize + $0 < size } ?? false
        guard let preamble, isWhole || text.isLast && dialect.columns != nil else {
            guard text.isLast else { return nil }
            throw faults.shorterThanPreamble(preambleLines, bytes, dialect)
        }
        if let columns = dialect.columns {
            return ExportHeader(
                names: columns,
                cells: [],
                lineCount: preambleLines,
                dataOffset: markSize + preamble
            )
        }
        let at = start + markSize + preamble
        guard let header = try record(text, from: start, at: at, dialect, faults) else {
            return nil
        }
        return ExportHeader(
            names: header.names,
            cells: header.cells,
            lineCount: preambleLines + header.lineCount,
            dataOffset: header.dataOffset
        )
    }

    /// The size of the lines before the header, whatever they hold; nil where they do not end here.
    private static func preambleSize(
        _ bytes: UnsafeBufferPointer<UInt8>,
        after markSize: Int,
        _ lineCount: Int,
        _ dialect: CSVDialect
    ) -> Int? {
        let lineEnd: UInt8 = dialect.lineEnd == .cr ? 0x0D : 0x0A
        var (size, rest) = (0, lineCount)
        while rest > 0 {
            guard markSize + size < bytes.count else { return nil }
            if bytes[markSize + size] == lineEnd { rest -= 1 }
            size += 1
        }
        return size
    }

    /// The size of a UTF-8 byte order mark, 0 where there is none; any other mark is a fault.
    private static func byteOrderMarkSize(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ dialect: CSVDialect,
        _ faults: HeaderFaults
    ) throws(SourceFault) -> Int {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            throw faults.encoding("begins with the byte order mark of UTF-32", dialect)
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw faults.encoding("begins with the byte order mark of UTF-16", dialect)
        }
        guard bytes.starts(with: ByteOrderMark.utf8) else { return 0 }
        guard dialect.encoding == .utf8 else {
            throw faults.encoding("begins with the byte order mark of UTF-8", dialect)
        }
        return ByteOrderMark.utf8.count
    }

    private static func record(
        _ text: ScanText,
        from first: Int,
        at start: Int,
        _ dialect: CSVDialect,
        _ faults: HeaderFaults
    ) throws(SourceFault) -> ExportHeader? {
        let size = min(text.end - start, dialect.recordSizeMax + 2)
        // The capacity covers as many fields as there could be, so that none is one too many.
        let capacity = (start..<start + size).count { text.base[$0] == dialect.delimiter } + 2
        let fields = UnsafeMutablePointer<FieldSlice>.allocate(capacity: capacity)
        defer { fields.deallocate() }
        let parse = parseLine(
            text,
            from: start,
            into: fields,
            capacity: capacity,
            acrossLines: dialect.lineBreaksInQuotes
        )
        let parsedSize = parse.position - start
        if parsedSize > dialect.recordSizeMax + (parse.ending == .undecided ? 1 : 0) {
            throw faults.unreadable(
                "is longer than a record may be (\(dialect.recordSizeMax) bytes)",
                start - first
            )
        }
        if parse.ending == .undecided { return nil }
        let line = UnsafeBufferPointer(start: text.base + start, count: parsedSize)
        if line.contains(0) { throw faults.zeroBytes(line, dialect) }
        if parse.ending != .complete {
            throw faults.broken(parse, at: parse.position - first, dialect)
        }
        try checkLineEnd(text, parse, first, dialect, faults)
        return try header(text, from: first, at: start, parse, fields, dialect, faults)
    }

    /// Refuses a declared CR that is followed by an LF, which would be the first byte of every
    /// line.
    private static func checkLineEnd(
        _ text: ScanText,
        _ parse: LineParse,
        _ first: Int,
        _ dialect: CSVDialect,
        _ faults: HeaderFaults
    ) throws(SourceFault) {
        guard dialect.lineEnd == .cr, parse.next < text.end else { return }
        guard text.base[parse.next] == 0x0A else { return }
        throw faults.lineEnds("CR LF", at: parse.position - first, dialect)
    }

    private static func header(
        _ text: ScanText,
        from first: Int,
        at start: Int,
        _ parse: LineParse,
        _ fields: UnsafeMutablePointer<FieldSlice>,
        _ dialect: CSVDialect,
        _ faults: HeaderFaults
    ) throws(SourceFault) -> ExportHeader {
        guard parse.position > start else {
            throw faults.unreadable("is a blank line", start - first)
        }
        let line = UnsafeBufferPointer(start: text.base + start, count: parse.position - start)
        if line.count <= 7, isDelimiterLine(line) { throw faults.delimiterLine() }
        guard TextCheck.isText(text.base, from: start, to: parse.position, in: dialect.encoding)
        else { throw faults.encoding("has a header that is not text", dialect) }
        let lineCount = 1 + parse.crossedLineCount
        guard lineCount <= dialect.recordLinesMax else {
            throw faults.unreadable(
                "spans more lines than a record may (\(dialect.recordLinesMax))",
                start - first
            )
        }
        let decoder = FieldDecoder(dialect)
        let names = (0..<parse.fieldCount).map { decoder.string(fields[$0], of: text.base) }
        let cells = (0..<parse.fieldCount).map { decoder.unescaped(fields[$0], of: text.base) }
        return ExportHeader(
            names: names,
            cells: cells,
            lineCount: lineCount,
            dataOffset: parse.next - first
        )
    }
}

extension HeaderReader {
    /// Whether a line is `sep=,`, in quotes or not: it tells a spreadsheet the delimiter.
    private static func isDelimiterLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = String(decoding: line, as: UTF8.self).lowercased()
        let bare = text.hasPrefix("\"") ? String(text.dropFirst()) : text
        return bare.hasPrefix("sep=")
    }
}
