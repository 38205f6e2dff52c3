internal import TripDomain

/// What makes a run of lines a record of one file, beside the dialect.
struct RecordRules: Sendable {
    /// The dialect.
    let dialect: CSVDialect
    /// The number of fields every record has.
    let fieldCount: Int
    /// The header's cells without quotes and escapes; none where the file has no header.
    let headerCells: [[UInt8]]

    /// How much of an overlong line a reject carries, in bytes: enough to recognise it by.
    var rejectTextSizeMax: Int { min(4096, dialect.recordSizeMax) }

    /// Why a well-formed record is set aside all the same; nil where it is not.
    @inline(__always)
    func objection(
        _ text: ScanText,
        from start: Int,
        _ parse: LineParse,
        _ fields: UnsafePointer<FieldSlice>
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
        return mayBeHeader(fields[0]) && isHeader(text, fields) ? .repeatedHeader : nil
    }

    /// Whether the size of a record's first cell is that of the header's: for most records it is not.
    @inline(__always)
    private func mayBeHeader(_ first: FieldSlice) -> Bool {
        guard let size = headerCells.first?.count else { return false }
        return first.hasEscapes || first.size == size
            || first.size == size + ByteOrderMark.utf8.count
    }

    /// Whether the header stands here once more, in whatever quotes, with or without a byte order
    /// mark.
    private func isHeader(_ text: ScanText, _ fields: UnsafePointer<FieldSlice>) -> Bool {
        let decoder = FieldDecoder(dialect)
        return headerCells.indices.allSatisfy { index in
            let cell = decoder.unescaped(fields[index], of: text.base)
            return cell == headerCells[index]
                || index == 0 && cell == ByteOrderMark.utf8 + headerCells[index]
        }
    }
}

/// The marks some systems put before a text to tell its encoding.
enum ByteOrderMark {
    /// U+FEFF in UTF-8.
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
