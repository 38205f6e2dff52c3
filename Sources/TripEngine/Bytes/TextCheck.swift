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
