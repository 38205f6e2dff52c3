/// How many columns of a terminal a text takes.
///
/// Counted by code points, a simple rule that needs no tables of a terminal: marks that combine
/// with the letter before them and invisible characters take none, characters of East Asia and
/// emoji two, all others one. Where a terminal draws a sequence of emoji narrower, a line only ends
/// earlier.
enum DisplayWidth {
    /// The width of a text without line ends.
    static func of(_ text: some StringProtocol) -> Int {
        let bytes = text.utf8
        // Most texts are plain ASCII, where a byte is a column.
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.count }
        return text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The width of one code point.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// The blocks of wide characters: East Asian Width W and F, in whole blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]

    /// A text with spaces after it, or before it, up to a width.
    static func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
        let fill = String(repeating: " ", count: max(0, width - of(text)))
        return isRight ? fill + text : text + fill
    }

    /// A text cut to a width, with an ellipsis where something is missing.
    static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var (kept, used) = ("", 0)
        for letter in text {
            let next = of(String(letter))
            guard used + next < width else { break }
            kept.append(letter)
            used += next
        }
        while kept.hasSuffix(" ") { kept.removeLast() }
        return kept + "…"
    }
}
