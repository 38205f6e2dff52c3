/// Matches a text against a LIKE or GLOB pattern as SQLite does.
///
/// A wildcard for a run of characters is tried from the shortest run on. A failure that no longer
/// run could repair ends the search at once, which keeps the time below the product of the two
/// lengths.
enum WildcardMatch {
    /// How a match ended.
    private enum Outcome {
        case match
        /// No match from here; a longer run before it might still give one.
        case noMatch
        /// No match, however long the runs are made.
        case hopeless
    }

    private struct Signs {
        let any: UInt32
        let one: UInt32
        let isLike: Bool
    }

    private static let bracket: UInt32 = 0x5B

    /// Whether a text matches a pattern.
    ///
    /// - Parameters:
    ///   - kind: What the pattern's signs mean.
    ///   - pattern: The pattern's bytes.
    ///   - text: The text's bytes.
    /// - Returns: Whether the whole text matches.
    static func matches(_ kind: WildcardKind, pattern: Span<UInt8>, text: Span<UInt8>) -> Bool {
        let signs =
            kind == .like
            ? Signs(any: 0x25, one: 0x5F, isLike: true)
            : Signs(any: 0x2A, one: 0x3F, isLike: false)
        return run(pattern, 0, text, 0, signs) == .match
    }

    /// The character at an offset, which moves past it; 0 at the end or at a NUL.
    private static func read(_ text: Span<UInt8>, _ offset: inout Int) -> UInt32 {
        guard offset < text.count else {
            offset += 1
            return 0
        }
        let lead = text[offset]
        offset += 1
        guard lead >= 0xC0 else { return UInt32(lead) }
        var scalar = leadBits(lead)
        while offset < text.count, text[offset] & 0xC0 == 0x80 {
            scalar = (scalar << 6) &+ UInt32(text[offset] & 0x3F)
            offset += 1
        }
        let isInvalid =
            scalar < 0x80 || scalar & 0xFFFF_F800 == 0xD800
            || scalar & 0xFFFF_FFFE == 0xFFFE
        return isInvalid ? 0xFFFD : scalar
    }

    /// The bits of a lead byte that belong to the character.
    private static func leadBits(_ lead: UInt8) -> UInt32 {
        switch lead {
        case 0xC0...0xDF: UInt32(lead & 0x1F)
        case 0xE0...0xEF: UInt32(lead & 0x0F)
        case 0xF0...0xF7: UInt32(lead & 0x07)
        case 0xF8...0xFB: UInt32(lead & 0x03)
        case 0xFC...0xFD: UInt32(lead & 0x01)
        default: 0
        }
    }

    private static func byte(_ text: Span<UInt8>, _ offset: Int) -> UInt8 {
        offset < text.count ? text[offset] : 0
    }

    private static func run(
        _ pattern: Span<UInt8>,
        _ patternStart: Int,
        _ text: Span<UInt8>,
        _ textStart: Int,
        _ signs: Signs
    ) -> Outcome {
        var inPattern = patternStart
        var inText = textStart
        while true {
            let wanted = read(pattern, &inPattern)
            if wanted == 0 { break }
            if wanted == signs.any { return runOfAny(pattern, inPattern, text, inText, signs) }
            if wanted == bracket && !signs.isLike {
                guard matchesSet(pattern, &inPattern, text, &inText) else { return .noMatch }
                continue
            }
            let found = read(text, &inText)
            if wanted == found { continue }
            if signs.isLike, wanted < 0x80, found < 0x80,
                TextFunctions.lower(UInt8(wanted)) == TextFunctions.lower(UInt8(found))
            {
                continue
            }
            guard wanted == signs.one, found != 0 else { return .noMatch }
        }
        return byte(text, inText) == 0 ? .match : .noMatch
    }

    /// Matches what follows a run of any characters, at each offset where it could begin.
    private static func runOfAny(
        _ pattern: Span<UInt8>,
        _ patternStart: Int,
        _ text: Span<UInt8>,
        _ textStart: Int,
        _ signs: Signs
    ) -> Outcome {
        var inPattern = patternStart
        var inText = textStart
        var wanted = read(pattern, &inPattern)
        while wanted == signs.any || wanted == signs.one {
            if wanted == signs.one, read(text, &inText) == 0 { return .hopeless }
            wanted = read(pattern, &inPattern)
        }
        if wanted == 0 { return .match }
        if wanted == bracket && !signs.isLike {
            while byte(text, inText) != 0 {
                let outcome = run(pattern, inPattern - 1, text, inText, signs)
                if outcome != .noMatch { return outcome }
                inText = TextFunctions.skip(text, inText, text.count)
            }
            return .hopeless
        }
        while true {
            let isFound: Bool
            if wanted < 0x80 {
                let byte = byte(text, inText)
                if byte == 0 { return .hopeless }
                inText += 1
                isFound =
                    signs.isLike
                    ? TextFunctions.lower(byte) == TextFunctions.lower(UInt8(wanted))
                    : UInt32(byte) == wanted
            } else {
                let found = read(text, &inText)
                if found == 0 { return .hopeless }
                isFound = found == wanted
            }
            guard isFound else { continue }
            let outcome = run(pattern, inPattern, text, inText, signs)
            if outcome != .noMatch { return outcome }
        }
    }

    /// Matches one character against the set that begins after a bracket.
    private static func matchesSet(
        _ pattern: Span<UInt8>,
        _ inPattern: inout Int,
        _ text: Span<UInt8>,
        _ inText: inout Int
    ) -> Bool {
        let found = read(text, &inText)
        if found == 0 { return false }
        var isSeen = false
        var isInverted = false
        var item = read(pattern, &inPattern)
        if item == 0x5E {
            isInverted = true
            item = read(pattern, &inPattern)
        }
        if item == 0x5D {
            isSeen = found == 0x5D
            item = read(pattern, &inPattern)
        }
        var prior: UInt32 = 0
        while item != 0 && item != 0x5D {
            let next = byte(pattern, inPattern)
            if item == 0x2D, next != 0x5D, next != 0, prior > 0 {
                item = read(pattern, &inPattern)
                if found >= prior && found <= item { isSeen = true }
                prior = 0
            } else {
                if found == item { isSeen = true }
                prior = item
            }
            item = read(pattern, &inPattern)
        }
        return item != 0 && isSeen != isInverted
    }
}
