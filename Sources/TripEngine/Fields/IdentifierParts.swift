import TripDomain

/// Joins the parts of an identifier so that different parts never give one text.
///
/// Joined plainly by `-`, the parts `1-2`, `3` and the parts `1`, `2-3` would be one trip, and one
/// of the two would be lost. A plain join that reads back, divided from its end, stays as it is, so
/// that `2026-001` and `M6` give the id that dispatchers write, and stored ids do not change.
/// Where it does not read back, or a part holds a backslash, backslashes are put before the marks
/// within the parts: `1-2\-3`.
///
/// Why no two lists of parts collide: a plain text without a backslash reads back in one way; a
/// text with backslashes is divided at the marks that no backslash precedes; and a text is of the
/// second kind exactly if it has a backslash. Refusing such records was turned down: nothing is
/// wrong with them, and a refusal by comparison would need the parts of every trip.
struct IdentifierParts: Sendable {
    let joiner: [UInt8]
    private let isTrimmed: Bool
    /// The byte before marks within the parts.
    let escape: UInt8
    /// Per byte, whether it may make a join ambiguous.
    private let isMark: [Bool]

    init(_ definition: FieldDefinition) {
        joiner = Array(definition.joiner.utf8)
        isTrimmed = definition.isTrimmed
        // A backslash, unless the text between the parts has one itself.
        let escape = [0x5C, 0x5E, 0x7E].first { [joiner] in !joiner.contains($0) } ?? 0x25
        self.escape = escape
        isMark = (0...255).map { [joiner] in $0 == escape || joiner.contains($0) }
    }

    /// Whether a field identifies something, so that its parts may not collide.
    static func isNeeded(for definition: FieldDefinition) -> Bool {
        definition.columns.count > 1 && !definition.isFirstReadable
            && (definition.name == "trip_id" || definition.type == .patientID)
    }

    /// Whether a part can be joined as it is; false where ``joined(_:)`` has to look.
    @inline(__always)
    func isPlain(_ part: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> Bool {
        for byte in part where isMark[Int(byte)] && (!isFirst || byte == escape) { return false }
        return true
    }

    /// The identifier.
    ///
    /// - Parameter parts: Its parts as written, in order.
    /// - Returns: The parts joined plainly, or with marks escaped where that would be ambiguous.
    func joined(_ parts: [[UInt8]]) -> [UInt8] {
        let parts = isTrimmed ? outerTrimmed(parts) : parts
        let plain = Array(parts.joined(separator: joiner))
        if !plain.contains(escape), readsBack(plain, as: parts) { return plain }
        let escaped = parts.map { part in
            part.flatMap { isMark[Int($0)] ? [escape, $0] : [$0] }
        }
        return Array(escaped.joined(separator: joiner))
    }

    /// Whether a plain join gives its parts when it is divided from its end.
    private func readsBack(_ plain: [UInt8], as parts: [[UInt8]]) -> Bool {
        var end = plain.count
        for part in parts.dropFirst().reversed() {
            guard let start = Self.last(joiner, in: plain, before: end) else { return false }
            guard isSame(plain[(start + joiner.count)..<end], part[...]) else { return false }
            end = start
        }
        return isSame(plain[..<end], parts.first?[...] ?? [])
    }

    /// Where a text last occurs in another one before a position.
    private static func last(_ text: [UInt8], in whole: [UInt8], before end: Int) -> Int? {
        guard !text.isEmpty, end >= text.count else { return nil }
        return (0...(end - text.count)).last { whole[$0..<($0 + text.count)].elementsEqual(text) }
    }

    private func isSame(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        guard isTrimmed else { return left == right }
        return left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { trimmed(left).elementsEqual(trimmed($0)) }
        }
    }

    /// The parts without what is dropped around the whole, which the joined text loses too.
    private func outerTrimmed(_ parts: [[UInt8]]) -> [[UInt8]] {
        // A letter at the inner end keeps what stands there.
        let letter: [UInt8] = [0x78]
        func meant(_ text: [UInt8]) -> [UInt8] {
            text.withUnsafeBufferPointer { Array(trimmed($0)) }
        }
        var parts = parts
        if let first = parts.first { parts[0] = Array(meant(first + letter).dropLast()) }
        if let last = parts.last {
            parts[parts.count - 1] = Array(meant(letter + last).dropFirst())
        }
        return parts
    }
}

/// What a spreadsheet leaves of an id whose digits it lost.
enum SpreadsheetText {
    /// Whether a text is a number that a spreadsheet shortened, such as `1.23457E+11`, or stands
    /// for a value that it did not show, such as `#####` or `#N/A`.
    ///
    /// The id is lost, and many of them read alike: it is the id of no trip.
    ///
    /// - Complexity: Reads two bytes of most texts.
    @inline(__always)
    static func isOne(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        if first == 0x23 { return standsForNoValue(text) }
        guard text.count >= 5, text[text.count - 3] == 0x2B || text[text.count - 4] == 0x2B
        else { return false }
        return isShortened(text)
    }

    /// A number that its column was too narrow for, or an error.
    private static func standsForNoValue(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if text.count > 1, text.allSatisfy({ $0 == 0x23 }) { return true }
        return ["#N/A", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#DIV/0!", "#NULL!"].contains {
            text.elementsEqual($0.utf8)
        }
    }

    /// Digits, at most one point or comma among them, `E+`, and two or three digits.
    private static func isShortened(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let plus = text[text.count - 3] == 0x2B ? text.count - 3 : text.count - 4
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard plus >= 2, text[plus - 1] | 0x20 == 0x65, text[(plus + 1)...].allSatisfy(isDigit),
            isDigit(text[0])
        else { return false }
        let number = text[..<(plus - 1)]
        let points = number.count { $0 == 0x2E || $0 == 0x2C }
        return points <= 1 && number.count(where: isDigit) + points == number.count
    }
}
