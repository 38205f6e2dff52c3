internal import TripDomain

/// The dialect of one file, and the further conditions its records must meet.
struct RecordRules: Sendable {
    /// The dialect.
    let dialect: CSVDialect
    /// The number of fields every record has.
    let fieldCount: Int
    /// The header's cells without quotes and escapes; empty where the file has no header.
    let headerCells: [[UInt8]]
    /// The size of the first header cell; -1 where there is none.
    private let firstCellSize: Int

    init(dialect: CSVDialect, fieldCount: Int, headerCells: [[UInt8]]) {
        self.dialect = dialect
        self.fieldCount = fieldCount
        self.headerCells = headerCells
        firstCellSize = headerCells.first?.count ?? -1
    }

    /// The number of bytes of an overlong line that a reject keeps: enough to recognise the line.
    var rejectTextSizeMax: Int { min(4096, dialect.recordSizeMax) }

    /// Why a well-formed record is set aside; nil where it is accepted.
    @inline(__always)
    func objection(
        _ text: ScanText,
        from start: Int,
        _ parse: LineParse,
        _ fields: UnsafePointer<FieldSlice>
    ) -> RejectReason? {
        if parse.hasNUL { return .nulByte }
        if parse.mayHoldNonASCII,
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

    /// Whether a record's first cell is as long as the header's, which is rare.
    @inline(__always)
    private func mayBeHeader(_ first: FieldSlice) -> Bool {
        guard firstCellSize >= 0 else { return false }
        return first.hasEscapes || first.size == firstCellSize
            || first.size == firstCellSize + ByteOrderMark.utf8.count
    }

    /// Whether the record repeats the header, however it is quoted, with or without a byte order
    /// mark.
    private func isHeader(_ text: ScanText, _ fields: UnsafePointer<FieldSlice>) -> Bool {
        headerCells.indices.allSatisfy { index in
            let cell = fields[index].bytes(of: text.base)
            let name = headerCells[index]
            // An id may be as long as its column's name, so the usual case allocates nothing.
            guard !fields[index].hasEscapes else {
                let plain = FieldDecoder(dialect).unescaped(fields[index], of: text.base)
                return plain == name || index == 0 && plain == ByteOrderMark.utf8 + name
            }
            if cell.elementsEqual(name) { return true }
            return index == 0 && cell.starts(with: ByteOrderMark.utf8)
                && cell.dropFirst(ByteOrderMark.utf8.count).elementsEqual(name)
        }
    }
}

/// The bytes some systems put before a text to mark its encoding.
enum ByteOrderMark {
    /// U+FEFF in UTF-8.
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
