internal import Glibc

/// The form of one record of a sample: where it begins, and how many fields it has.
public struct SampleLine: Sendable, Hashable {
    /// The offset of its first byte in the sample.
    public let offset: Int
    /// The number of the physical line it begins on, from 1.
    public let lineNumber: Int
    /// Its fields; 0 for an empty line, nil where it breaks the rules of the dialect.
    public let fieldCount: Int?
    /// The fields that are not blank.
    public let filledCount: Int
}

extension SampleText {
    /// How much of a sample is divided to judge a dialect by.
    private static let trialSize = 256 << 10

    /// Divides the first records by a dialect.
    ///
    /// - Parameters:
    ///   - dialect: The dialect; a valid one.
    ///   - limit: The greatest number of records.
    /// - Returns: Their forms, in order; the text after the first 256 KiB is left out.
    public func lines(_ dialect: CSVDialect, limit: Int) -> [SampleLine] {
        let size = min(bytes.count, Self.trialSize)
        // The scan may read a byte before the first, and some beyond the last.
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 1 + ScanText.paddingSize)
        memory.initialize(repeating: 0, count: size + 1 + ScanText.paddingSize)
        defer { memory.deallocate() }
        bytes.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { (memory + 1).update(from: base, count: size) }
        }
        let isEnd = size == bytes.count && isWhole
        let text = ScanText(memory + 1, end: size, isLast: true, offset: 0, dialect: dialect)
        let capacity = size + 2
        let fields = UnsafeMutablePointer<FieldSlice>.allocate(capacity: capacity)
        defer { fields.deallocate() }
        var lines: [SampleLine] = []
        var position = bytes.starts(with: ByteOrderMark.utf8) ? ByteOrderMark.utf8.count : 0
        var lineNumber = 1
        while position < size, lines.count < limit {
            let parse = parseLine(
                text,
                from: position,
                into: fields,
                capacity: capacity,
                acrossLines: dialect.lineBreaksInQuotes
            )
            let isRecord =
                parse.ending == .complete && parse.crossedLineCount < dialect.recordLinesMax
            guard let line = text.line(at: position, startingAt: position) else { break }
            let next = isRecord ? parse.next : line.next
            // The last record may be cut.
            if next >= size, !isEnd { break }
            let isBlank = isRecord && parse.position == position
            let filled = (0..<(isRecord ? parse.fieldCount : 0)).count {
                fields[$0].bytes(of: memory + 1).contains { $0 > 0x20 }
            }
            lines.append(
                SampleLine(
                    offset: position,
                    lineNumber: lineNumber,
                    fieldCount: isRecord ? (isBlank ? 0 : parse.fieldCount) : nil,
                    filledCount: filled
                )
            )
            lineNumber += isRecord ? 1 + parse.crossedLineCount : 1
            position = next
        }
        return lines
    }
}
