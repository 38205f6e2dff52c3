/// A cell without the unseen characters around it: blanks of every kind, tabs, line ends, byte
/// order marks, characters of no width.
///
/// Two cells that look alike would otherwise be two owners, two regions or two trips.
///
/// Inlinable: the reader of exports calls it once per cell.
@inlinable @inline(__always)
public func trimmed(_ cell: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = cell.count
    while start < end, cell[start] <= 0x20 { start += 1 }
    while end > start, cell[end - 1] <= 0x20 { end -= 1 }
    let rest = UnsafeBufferPointer(rebasing: cell[start..<end])
    // Only a cell that begins or ends beyond printable ASCII is looked at more closely.
    guard let first = rest.first, let last = rest.last, first >= 0x7F || last >= 0x7F else {
        return rest
    }
    return trimmedOfCharacters(rest)
}

/// A text without the blanks and unseen characters around it, of whatever bytes they consist.
@usableFromInline
@inline(never)
func trimmedOfCharacters(_ cell: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var rest = cell
    while let size = unseenSize(rest, isAtEnd: false) {
        rest = UnsafeBufferPointer(rebasing: rest[size...])
    }
    while let size = unseenSize(rest, isAtEnd: true) {
        rest = UnsafeBufferPointer(rebasing: rest[..<(rest.count - size)])
    }
    return rest
}

/// The size of the first or last character of a text in UTF-8, where it is a blank or unseen.
private func unseenSize(_ text: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> Int? {
    guard !text.isEmpty else { return nil }
    var start = isAtEnd ? text.count - 1 : 0
    while isAtEnd, start > 0, text.count - start < 4, text[start] & 0xC0 == 0x80 { start -= 1 }
    var end = start + 1
    while end < text.count, end - start < 4, text[end] & 0xC0 == 0x80 { end += 1 }
    guard let scalar = String(validating: text[start..<end], as: UTF8.self)?.unicodeScalars.first,
        scalar.isTrimmed
    else { return nil }
    return end - start
}

extension Unicode.Scalar {
    /// Whether the character is dropped at the ends of a cell; U+2800 is the blank of Braille,
    /// U+FFF9 to U+FFFB are marks within a line.
    fileprivate var isTrimmed: Bool {
        properties.generalCategory == .control || properties.isWhitespace
            || properties.isDefaultIgnorableCodePoint || value == 0x2800
            || (0xFFF9...0xFFFB).contains(value)
    }
}
