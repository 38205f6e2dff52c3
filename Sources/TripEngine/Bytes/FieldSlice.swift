/// The range of one field's text, counted from the base address the scanner passes with it.
///
///     … , " 5 2 8   A 8 " , …
///           ^start      ^end      quotes left out; escapes still in
///
/// It takes eight bytes, since one is stored for each cell of an export. The two flags are in the
/// high bits, which positions in a window never use.
struct FieldSlice {
    private static let mark: UInt32 = 1 << 31

    private let quotedStart: UInt32
    private let escapedEnd: UInt32

    @inline(__always)
    init(start: Int, end: Int, isQuoted: Bool, hasEscapes: Bool) {
        quotedStart = UInt32(truncatingIfNeeded: start) | (isQuoted ? Self.mark : 0)
        escapedEnd = UInt32(truncatingIfNeeded: end) | (hasEscapes ? Self.mark : 0)
    }

    /// The first byte of the text.
    @inline(__always)
    var start: Int { Int(quotedStart & ~Self.mark) }

    /// The byte after the last of the text.
    @inline(__always)
    var end: Int { Int(escapedEnd & ~Self.mark) }

    /// Whether the field was quoted.
    @inline(__always)
    var isQuoted: Bool { quotedStart >= Self.mark }

    /// Whether the text holds escapes, which ``FieldDecoder`` has to remove.
    @inline(__always)
    var hasEscapes: Bool { escapedEnd >= Self.mark }

    /// The number of bytes in the file.
    @inline(__always)
    var size: Int { end - start }

    /// The bytes of the file.
    @inline(__always)
    func bytes(of base: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + start, count: size)
    }
}

/// Turns fields into UTF-8 text: removes escapes, converts Latin-1 and Windows-1252.
struct FieldDecoder: Sendable {
    /// The byte that makes the next byte literal; the quote itself where quotes are doubled.
    private let escape: UInt8
    private let encoding: CSVDialect.Encoding

    /// Makes a decoder for the fields of one dialect.
    init(_ dialect: CSVDialect) {
        escape = dialect.escape ?? dialect.quote ?? 0
        encoding = dialect.encoding
    }

    /// Passes the field's text to `body`; copies it only where it differs from the file's bytes.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - base: The base address of the field.
    ///   - scratch: A buffer for the decoder; its content is overwritten.
    ///   - body: Receives UTF-8 that is valid only during the call.
    /// - Returns: The result of `body`.
    @inline(__always)
    func withText<Result>(
        _ field: FieldSlice,
        of base: UnsafePointer<UInt8>,
        scratch: inout [UInt8],
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let bytes = field.bytes(of: base)
        if !field.hasEscapes && (encoding == .utf8 || Self.isASCII(bytes)) { return body(bytes) }
        decode(bytes, hasEscapes: field.hasEscapes, into: &scratch)
        return scratch.withUnsafeBufferPointer(body)
    }

    /// Appends the field's text.
    func append(
        _ field: FieldSlice,
        of base: UnsafePointer<UInt8>,
        to text: inout [UInt8],
        scratch: inout [UInt8]
    ) {
        let bytes = field.bytes(of: base)
        guard field.hasEscapes || encoding != .utf8 && !Self.isASCII(bytes) else {
            text.append(contentsOf: bytes)
            return
        }
        decode(bytes, hasEscapes: field.hasEscapes, into: &scratch)
        text.append(contentsOf: scratch)
    }

    /// The field's text as a string; for headers and messages, not for every row.
    func string(_ field: FieldSlice, of base: UnsafePointer<UInt8>) -> String {
        var scratch: [UInt8] = []
        return withText(field, of: base, scratch: &scratch) { String(decoding: $0, as: UTF8.self) }
    }

    /// The field's bytes in the encoding of the file, without escapes.
    func unescaped(_ field: FieldSlice, of base: UnsafePointer<UInt8>) -> [UInt8] {
        let bytes = field.bytes(of: base)
        guard field.hasEscapes else { return Array(bytes) }
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == escape && index + 1 < bytes.count { index += 1 }
            text.append(bytes[index])
            index += 1
        }
        return text
    }

    private func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        hasEscapes: Bool,
        into text: inout [UInt8]
    ) {
        text.removeAll(keepingCapacity: true)
        var index = 0
        while index < bytes.count {
            if hasEscapes && bytes[index] == escape && index + 1 < bytes.count { index += 1 }
            append(bytes[index], to: &text)
            index += 1
        }
    }

    private func append(_ byte: UInt8, to text: inout [UInt8]) {
        if byte < 0x80 || encoding == .utf8 {
            text.append(byte)
            return
        }
        var scalar = UInt32(byte)
        if encoding == .windows1252 && byte < 0xA0 {
            scalar = UInt32(Self.windows1252[Int(byte) - 0x80])
        }
        if scalar < 0x800 {
            text.append(0xC0 | UInt8(scalar >> 6))
        } else {
            text.append(0xE0 | UInt8(scalar >> 12))
            text.append(0x80 | UInt8(scalar >> 6 & 0x3F))
        }
        text.append(0x80 | UInt8(scalar & 0x3F))
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var seen: UInt8 = 0
        for byte in bytes { seen |= byte }
        return seen < 0x80
    }

    /// The Unicode scalars of Windows-1252 for the bytes 80 … 9F; 0 where it defines none.
    static let windows1252: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ]
}
