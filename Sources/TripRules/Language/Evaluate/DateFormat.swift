/// The format of strftime(), parsed once.
struct DateFormat: Sendable, Hashable {
    /// One piece of the result.
    enum Piece: Sendable, Hashable {
        case literal([UInt8])
        /// The letter after `%`.
        case part(UInt8)
    }

    /// The letters that may follow `%`.
    static let letters = Array("dHjmMsSwWY%".utf8)

    /// Marks the year as date() writes it; no letter of a format means that.
    private static let signedYear: UInt8 = 0

    let pieces: [Piece]

    /// Reads a format; nil where a letter after `%` is not one of ``letters``.
    init?(_ text: [UInt8]) {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var offset = 0
        while offset < text.count {
            if text[offset] == UInt8(ascii: "%") {
                guard offset + 1 < text.count, Self.letters.contains(text[offset + 1]) else {
                    return nil
                }
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                pieces.append(.part(text[offset + 1]))
                offset += 2
            } else {
                literal.append(text[offset])
                offset += 1
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
    }

    /// The format of date(): `%Y-%m-%d`, except that years before 0 keep four digits after the
    /// sign.
    static let date = DateFormat(pieces: [
        .part(signedYear), .literal([0x2D]), .part(UInt8(ascii: "m")), .literal([0x2D]),
        .part(UInt8(ascii: "d")),
    ])

    private init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// Appends a moment's text to a run of bytes.
    ///
    /// - Parameters:
    ///   - text: The moment as text.
    ///   - modifiers: The steps to take from it.
    ///   - result: Where the text is appended.
    /// - Returns: False, with nothing appended, where the text is no moment or a step leaves the
    ///   years that can be written.
    func append(
        _ text: Span<UInt8>,
        _ modifiers: [DateModifier],
        to result: inout [UInt8]
    ) -> Bool {
        guard var moment = DateReading.moment(text) else { return false }
        for modifier in modifiers {
            guard modifier.apply(to: &moment) else { return false }
        }
        guard moment.computeJulian(), moment.isInRange, moment.computeParts() else { return false }
        for piece in pieces {
            switch piece {
            case .literal(let bytes): result += bytes
            case .part(let letter): Self.append(letter, of: moment, to: &result)
            }
        }
        return true
    }

    private static func append(_ letter: UInt8, of moment: DateMoment, to result: inout [UInt8]) {
        switch letter {
        case UInt8(ascii: "d"): append(moment.day, 2, to: &result)
        case UInt8(ascii: "H"): append(moment.hour, 2, to: &result)
        case UInt8(ascii: "j"): append(moment.dayOfYear + 1, 3, to: &result)
        case UInt8(ascii: "m"): append(moment.month, 2, to: &result)
        case UInt8(ascii: "M"): append(moment.minute, 2, to: &result)
        case UInt8(ascii: "s"): result += String(moment.unixSeconds).utf8
        case UInt8(ascii: "S"): append(Int(moment.second), 2, to: &result)
        case UInt8(ascii: "w"): append(moment.weekday, 1, to: &result)
        case UInt8(ascii: "W"):
            append((moment.dayOfYear + 7 - moment.weekdayFromMonday) / 7, 2, to: &result)
        case UInt8(ascii: "Y"): append(moment.year, moment.year < 0 ? 3 : 4, to: &result)
        case signedYear: append(moment.year, 4, to: &result)
        default: result.append(letter)
        }
    }

    /// Appends a number filled with zeros to a width, its sign before it.
    private static func append(_ value: Int, _ width: Int, to result: inout [UInt8]) {
        if value < 0 { result.append(UInt8(ascii: "-")) }
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        var rest = abs(value)
        while rest / divisor > 9 { divisor *= 10 }
        while divisor > 0 {
            result.append(UInt8(0x30 + rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }
}
