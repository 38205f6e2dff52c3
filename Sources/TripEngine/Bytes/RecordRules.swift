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

/// Whether bytes are text in a declared encoding.
///
/// ASCII is skipped eight bytes at a time; only other bytes are checked one by one.
enum TextCheck {
    /// Whether a range of bytes is text.
    ///
    /// - Parameters:
    ///   - base: The bytes; at least eight beyond `end` may be read.
    ///   - start: The first byte.
    ///   - end: The byte after the last.
    ///   - encoding: The declared encoding.
    /// - Returns: True where every byte belongs to a character.
    static func isText(
        _ base: UnsafePointer<UInt8>,
        from start: Int,
        to end: Int,
        in encoding: CSVDialect.Encoding
    ) -> Bool {
        switch encoding {
        case .utf8: isUTF8(base, from: start, to: end)
        case .latin1: true
        case .windows1252: isWindows1252(base, from: start, to: end)
        }
    }

    private static func isWindows1252(
        _ base: UnsafePointer<UInt8>,
        from start: Int,
        to end: Int
    ) -> Bool {
        for index in start..<end {
            let byte = base[index]
            if byte >= 0x80 && byte < 0xA0 && FieldDecoder.windows1252[Int(byte) - 0x80] == 0 {
                return false
            }
        }
        return true
    }

    /// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
    private static func isUTF8(
        _ base: UnsafePointer<UInt8>,
        from start: Int,
        to end: Int
    ) -> Bool {
        var index = start
        while index < end {
            if index + 8 <= end {
                let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
                if word & 0x8080_8080_8080_8080 == 0 {
                    index += 8
                    continue
                }
            }
            let size = sequenceSize(base + index, available: end - index)
            if size == 0 { return false }
            index += size
        }
        return true
    }

    /// The size of the well-formed UTF-8 sequence at the beginning; 0 where there is none.
    ///
    /// The ranges of the second byte are those of table 3-7 of the Unicode standard.
    private static func sequenceSize(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
        let first = bytes[0]
        if first < 0x80 { return 1 }
        let size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first <= 0xF4, available >= size else { return 0 }
        let second = bytes[1]
        let lowest: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard second >= lowest, second <= highest else { return 0 }
        for index in 2..<max(2, size) where bytes[index] & 0xC0 != 0x80 { return 0 }
        return size
    }
}
