internal import Glibc

/// A range of bytes to be read by one dialect, and the searches in it.
///
/// BE ADVISED: one word holds eight bytes. A byte of `x` is zero exactly where the high bit of
/// `((x & 7F…) + 7F…) | x` is clear, without carries into its neighbours. XOR with a byte
/// repeated eight times turns "equal to that byte" into "is zero", and AND with E0… does the same
/// for "below 20". The latter finds all control bytes at once, so that LF, CR and NUL need no
/// search of their own. After changing anything here, run the twin tests: they cut every input at
/// every byte.
///
/// The bytes must be followed by ``paddingSize`` zero bytes. They end every search without a bounds
/// check: a NUL found at ``end`` is the end, one found before it is a byte of the file.
struct ScanText {
    /// Zero bytes that must follow the text.
    ///
    /// The scan reads one word and a byte beyond the end, ``CellMemo`` two words beyond the end of
    /// a cell.
    static let paddingSize = 16

    /// The first byte.
    let base: UnsafePointer<UInt8>
    /// The number of bytes.
    let end: Int
    /// Whether the file ends at ``end``; otherwise more bytes follow.
    let isLast: Bool
    /// The offset of the first byte in the expanded file.
    let offset: Int
    let delimiter: UInt8
    /// The quote; 256, which no byte equals, where there is none.
    let quote: Int
    /// The escape; 256 where quotes are doubled.
    let escape: Int
    let lineEnd: CSVDialect.LineEnd
    private let delimiterWord: UInt64
    private let quoteWord: UInt64
    private let escapeWord: UInt64

    init(
        _ base: UnsafePointer<UInt8>,
        end: Int,
        isLast: Bool,
        offset: Int,
        dialect: CSVDialect
    ) {
        self.base = base
        self.end = end
        self.isLast = isLast
        self.offset = offset
        delimiter = dialect.delimiter
        quote = dialect.quote.map(Int.init) ?? 256
        escape = dialect.escape.map(Int.init) ?? 256
        lineEnd = dialect.lineEnd
        let ones: UInt64 = 0x0101_0101_0101_0101
        delimiterWord = ones &* UInt64(dialect.delimiter)
        quoteWord = ones &* UInt64(dialect.quote ?? dialect.delimiter)
        escapeWord = dialect.escape.map { ones &* UInt64($0) } ?? quoteWord
    }

    // MARK: - Words

    /// The eight bytes at a position, the first in the lowest bits.
    @inline(__always)
    func word(_ position: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
    }

    /// The high bit of each byte that is not zero, and no other bit that matters.
    @inline(__always)
    private func nonZero(_ word: UInt64) -> UInt64 {
        ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word
    }

    /// Marks delimiters, quotes and control bytes by their high bits.
    @inline(__always)
    func unquotedMarks(_ word: UInt64) -> UInt64 {
        let others =
            nonZero(word & 0xE0E0_E0E0_E0E0_E0E0) & nonZero(word ^ delimiterWord)
            & nonZero(word ^ quoteWord)
        return ~others & 0x8080_8080_8080_8080
    }

    /// Marks quotes, escapes and control bytes by their high bits.
    @inline(__always)
    func quotedMarks(_ word: UInt64) -> UInt64 {
        let others =
            nonZero(word & 0xE0E0_E0E0_E0E0_E0E0) & nonZero(word ^ quoteWord)
            & nonZero(word ^ escapeWord)
        return ~others & 0x8080_8080_8080_8080
    }

    // MARK: - Line ends

    /// The meaning of a CR or LF outside quotes.
    enum LineBreak {
        /// The line's end; the next line starts at `next`.
        case end(next: Int)
        /// Part of a line end that was not declared.
        case stray
        /// A CR as the last byte of the text: the next byte decides.
        case undecided
    }

    /// Decides the meaning of a CR or LF outside quotes.
    @inline(__always)
    func lineBreak(at position: Int) -> LineBreak {
        if base[position] == 0x0A {
            return lineEnd == .any || lineEnd == .lf ? .end(next: position + 1) : .stray
        }
        switch lineEnd {
        case .cr: return .end(next: position + 1)
        case .lf: return .stray
        case .any, .crlf:
            if base[position + 1] == 0x0A && position + 1 < end { return .end(next: position + 2) }
            if position + 1 < end { return .stray }
            // A file that was cut inside CR LF still has its last record whole.
            return isLast ? .end(next: position + 1) : .undecided
        }
    }

    /// Whether a physical line ends with the control byte at a position, which is inside quotes.
    @inline(__always)
    func endsLine(at position: Int) -> Bool {
        switch lineEnd {
        case .any, .lf: base[position] == 0x0A
        case .crlf: base[position] == 0x0A && base[position - 1] == 0x0D
        case .cr: base[position] == 0x0D
        }
    }

    /// The end of the physical line that a position lies in, and the start of the next one.
    ///
    /// - Parameters:
    ///   - position: Where the search begins; not after the first byte of the line's end.
    ///   - start: The line's first byte.
    /// - Returns: nil where the line may continue beyond the text.
    func line(at position: Int, startingAt start: Int) -> (end: Int, next: Int)? {
        let mark: Int32 = lineEnd == .cr ? 0x0D : 0x0A
        var from = position
        while from < end, let found = memchr(base + from, mark, end - from) {
            let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            let followsCR = index > start && base[index - 1] == 0x0D
            if lineEnd == .crlf && !followsCR {
                from = index + 1
                continue
            }
            let dropsCR = followsCR && (lineEnd == .any || lineEnd == .crlf)
            return (dropsCR ? index - 1 : index, index + 1)
        }
        guard isLast else { return nil }
        let dropsCR =
            end > start && base[end - 1] == 0x0D && (lineEnd == .any || lineEnd == .crlf)
        return (dropsCR ? end - 1 : end, end)
    }

    /// The first line start at or after a position; nil where there is none before the end.
    func lineStart(from position: Int) -> Int? {
        let mark: Int32 = lineEnd == .cr ? 0x0D : 0x0A
        var from = position - 1
        while from < end, let found = memchr(base + from, mark, end - from) {
            let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if lineEnd != .crlf || (index > 0 && base[index - 1] == 0x0D) {
                return index + 1 < end ? index + 1 : nil
            }
            from = index + 1
        }
        return nil
    }
}
