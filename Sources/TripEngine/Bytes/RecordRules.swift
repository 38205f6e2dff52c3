internal import Glibc
internal import TripDomain

/// What makes a run of lines a record of one file, beside the dialect.
struct RecordRules: Sendable {
    /// The dialect.
    let dialect: CSVDialect
    /// The number of fields every record has.
    let fieldCount: Int
    /// The header's bytes without its line end; empty where the file has none.
    let headerLine: [UInt8]

    /// How much of an overlong line a reject carries, in bytes: enough to recognise it by.
    var rejectTextSizeMax: Int { min(4096, dialect.recordSizeMax) }

    /// Why a well-formed record is set aside all the same; nil where it is not.
    @inline(__always)
    func objection(
        _ text: ScanText,
        from start: Int,
        _ parse: LineParse
    ) -> RejectReason? {
        if parse.hasNUL { return .nulByte }
        if parse.mayHoldOther,
            !TextCheck.isText(
                text.base,
                from: start,
                to: parse.position,
                in: dialect.encoding
            )
        {
            return .invalidEncoding
        }
        let size = parse.position - start
        let headerSize = headerLine.count
        if size == headerSize || size == headerSize + ByteOrderMark.utf8.count {
            return isHeader(text, from: start, size: size) ? .repeatedHeader : nil
        }
        return nil
    }

    /// Whether the header stands here once more, with or without a byte order mark.
    private func isHeader(_ text: ScanText, from start: Int, size: Int) -> Bool {
        let headerSize = headerLine.count
        guard headerSize > 0 else { return false }
        if size > headerSize {
            let mark = UnsafeBufferPointer(start: text.base + start, count: size - headerSize)
            guard mark.elementsEqual(ByteOrderMark.utf8) else { return false }
        }
        return memcmp(text.base + start + size - headerSize, headerLine, headerSize) == 0
    }
}

/// The marks some systems put before a text to tell its encoding.
enum ByteOrderMark {
    /// U+FEFF in UTF-8.
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
