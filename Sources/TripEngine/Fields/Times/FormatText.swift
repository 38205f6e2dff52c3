/// The text of a format, divided into runs of one letter and literals, and judged: a format that
/// cannot be meant is refused, with the one that probably was.
///
/// The letters are easy to confuse: `MM` is the month and `mm` the minute, `yyyy` a year and `YYYY`
/// the year of a week. Such a format reads every text, and reads it wrongly; so the parts must
/// stand in an order that times are written in.
struct FormatText {
    /// A run of one letter, or what stands for itself.
    private enum Piece {
        case letters(UInt8, count: Int)
        case literal([UInt8])
    }

    private var pieces: [(piece: Piece, characterNumber: Int)] = []

    /// The parts of a format.
    ///
    /// - Parameter text: The format as written.
    /// - Returns: The parts, in order.
    /// - Throws: ``PatternFault`` that says what cannot be meant, and what probably was.
    static func parts(of text: String) throws(PatternFault) -> [TimeFormat.Part] {
        do throws(PatternFault) {
            let format = try FormatText(text)
            let parts = try format.parts()
            try FormatOrder.check(parts)
            return parts
        } catch {
            guard let meant = meant(by: text) else { throw error }
            throw PatternFault(
                characterNumber: error.characterNumber,
                message: error.message,
                suggestion: "Did you mean `\(meant)`? M is the month, m the minute, s the second."
            )
        }
    }

    private init(_ text: String) throws(PatternFault) {
        let letters = Array(text.utf8)
        var index = 0
        while index < letters.count {
            let letter = letters[index]
            let start = index + 1
            if letter == 0x27 {
                guard let end = letters[start...].firstIndex(of: 0x27) else {
                    throw PatternFault(characterNumber: start, message: "an unclosed quote")
                }
                pieces.append((.literal(Array(letters[start..<end])), start))
                index = end + 1
                continue
            }
            var end = index
            while end < letters.count, letters[end] == letter { end += 1 }
            let isLetter = (0x41...0x5A).contains(letter) || (0x61...0x7A).contains(letter)
            pieces.append(
                (
                    isLetter
                        ? .letters(letter, count: end - index)
                        : .literal(Array(letters[index..<end])),
                    start
                )
            )
            index = end
        }
    }

    private func parts() throws(PatternFault) -> [TimeFormat.Part] {
        var parts: [TimeFormat.Part] = []
        for (index, (piece, characterNumber)) in pieces.enumerated() {
            switch piece {
            case .literal(let bytes): parts += bytes.map { .literal($0) }
            case .letters(let letter, let count):
                guard let part = TimeFormat.part(letter: letter, count: count) else {
                    throw Self.unknown(letter, count, characterNumber)
                }
                try checkWidth(part, count, index)
                parts.append(part)
            }
        }
        return parts
    }

    /// Refuses digits of which it cannot be told where they end: those of `Md`.
    private func checkWidth(
        _ part: TimeFormat.Part,
        _ count: Int,
        _ index: Int
    ) throws(PatternFault) {
        let varies = [.month, .day, .hour24, .hour12].contains(part) && count == 1
        guard varies, index + 1 < pieces.count,
            case .letters(let letter, let next) = pieces[index + 1].piece,
            let follower = TimeFormat.part(letter: letter, count: next), follower.isNumber
        else { return }
        throw PatternFault(
            characterNumber: pieces[index].characterNumber,
            message: "one or two digits of the \(part.name) with more digits right after them",
            suggestion: "Write the letter twice where there are always two digits, as in "
                + "`yyyyMMdd`."
        )
    }

    private static func unknown(
        _ letter: UInt8,
        _ count: Int,
        _ characterNumber: Int
    ) -> PatternFault {
        let found = String(repeating: Character(UnicodeScalar(letter)), count: count)
        let words: (meaning: String, suggestion: String) =
            switch UnicodeScalar(letter) {
            case "Y":
                ("the year of a week, which is another one around New Year", "Write `yyyy`.")
            case "D": ("the day of the year", "Write `d`, the day of the month.")
            case "M", "L":
                ("a month in full", "`MMM` reads Jan to Dec; names in full are not read.")
            case "E", "e", "c", "d":
                ("a day of the week", "Days of the week are not read; leave them out of `from`.")
            default:
                (
                    "which means nothing here",
                    "A letter that stands for itself is put in single quotes: `'\(found)'`."
                )
            }
        return PatternFault(
            characterNumber: characterNumber,
            message: "`\(found)`, \(words.meaning)",
            suggestion: words.suggestion
        )
    }

    // MARK: - The format that was probably meant

    /// The nearest format that can be meant; nil where none is found.
    private static func meant(by text: String) -> String? {
        if text.contains("8601") { return TimeFormat.iso8601Name }
        let clocks = [("mm:HH", "HH:mm"), ("mm:hh", "hh:mm"), ("mm:H", "H:mm"), ("mm:h", "h:mm")]
        let turned = clocks.first { text.contains($0.0) }
        // A text with an unclosed quote gives no other format.
        guard let format = try? FormatText(text.contains("%") ? withoutSigns(text) : text) else {
            return nil
        }
        let meant = turned.map { text.replacing($0.0, with: $0.1) } ?? format.corrected
        // Whatever is offered must itself be in order.
        guard meant != text, let parts = try? FormatText(meant).parts(),
            (try? FormatOrder.check(parts)) != nil
        else { return nil }
        return meant
    }

    /// A format of `strftime` in the letters used here.
    private static func withoutSigns(_ text: String) -> String {
        let letters = [
            "%Y": "yyyy", "%y": "yy", "%m": "MM", "%d": "dd", "%e": "d", "%b": "MMM", "%H": "HH",
            "%I": "hh", "%M": "mm", "%S": "ss", "%f": "SSS", "%p": "a", "%z": "Z", "%Z": "Z",
            "%F": "yyyy-MM-dd", "%D": "MM/dd/yy", "%T": "HH:mm:ss", "%R": "HH:mm",
            "%-m": "M", "%-d": "d", "%-H": "H", "%-I": "h",
        ]
        return letters.sorted { $0.key < $1.key }.reduce(text) {
            $0.replacing($1.key, with: $1.value)
        }
    }

    /// The text with every letter that is out of place replaced by the one that would stand there.
    private var corrected: String {
        var last: TimeFormat.Part?
        let hasDayHalf = pieces.contains { piece, _ in
            if case .letters(let letter, _) = piece { "aAp".utf8.contains(letter) } else { false }
        }
        return pieces.map { piece, _ -> String in
            switch piece {
            case .literal(let bytes):
                let text = String(decoding: bytes, as: UTF8.self)
                if text == "Z", last?.isOfClock == true { return text }
                let hasLetter = bytes.contains {
                    (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                }
                return hasLetter ? "'\(text)'" : text
            case .letters(let letter, let count):
                let run = Self.corrected(letter, count, after: last, hasDayHalf: hasDayHalf)
                if let first = run.utf8.first,
                    let part = TimeFormat.part(letter: first, count: run.utf8.count)
                {
                    last = part
                }
                return run
            }
        }.joined()
    }

    private static func corrected(
        _ letter: UInt8,
        _ count: Int,
        after last: TimeFormat.Part?,
        hasDayHalf: Bool
    ) -> String {
        func run(_ letter: Character) -> String { String(repeating: letter, count: min(count, 2)) }
        let isAfterHour = last == .hour24 || last == .hour12
        switch UnicodeScalar(letter) {
        case "Y", "y", "u": return count == 2 ? "yy" : "yyyy"
        case "D": return count < 3 ? run("d") : "DDD"
        case "L", "M", "m":
            if count < 3 { return isAfterHour ? "mm" : run("M") }
            return count == 3 ? "MMM" : "MMMM"
        case "S", "s":
            if last == .minute { return "ss" }
            return last == .second ? String(repeating: "S", count: count) : run("s")
        case "f", "F", "n": return String(repeating: "S", count: count)
        case "H", "h", "k", "K": return run(hasDayHalf ? "h" : "H")
        case "A", "a", "p", "t": return "a"
        case "Z", "z", "X", "x", "V": return "Z"
        case "T": return count == 1 ? "'T'" : "TT"
        default: return String(repeating: Character(UnicodeScalar(letter)), count: count)
        }
    }
}
