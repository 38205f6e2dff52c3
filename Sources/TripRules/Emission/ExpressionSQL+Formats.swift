/// Moments written in a format.
extension ExpressionSQL {
    /// A part of what a format gives.
    private enum Part {
        /// Characters of the moment's own text, counted from 1.
        case slice(ClosedRange<Int>)
        case literal(String)
        case computed(String)
    }

    /// The text of a moment in a format, of the moment's own text.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - base: The text, `YYYY-MM-DD`, or `YYYY-MM-DD HH:MM:SS` where `shape` says so.
    ///   - shape: Which of the two it is.
    /// - Returns: The SQL.
    /// - Throws: ``SQLRefusal`` where the format shows what the dialect cannot say.
    mutating func written(
        _ format: DateFormat,
        _ base: SQLPiece,
        _ shape: TextShape
    ) throws(SQLRefusal) -> SQLPiece {
        let parts = Self.merged(try parts(format, shape, base))
        let pieces = parts.count { if case .literal = $0 { false } else { true } }
        if pieces > 1, !base.isRepeatable {
            return try naming(base) { (writer, text) throws(SQLRefusal) in
                try writer.written(format, SQLPiece(text), shape)
            }
        }
        let length = shape == .day ? 10 : 19
        let texts = parts.map { part in
            switch part {
            case .slice(1...length): base.at(.atom)
            case .slice(let range): "substr(\(base.text), \(range.lowerBound), \(range.count))"
            case .literal(let text): dialect.literal(text)
            case .computed(let text): text
            }
        }
        let isNever = pieces == 0
        guard !isNever else {
            // NULL where there is no moment, whatever the format says.
            let text = dialect.literal(literals(parts))
            return SQLPiece("CASE WHEN \(base.at(.operation)) IS NOT NULL THEN \(text) END")
        }
        return SQLPiece(texts.joined(separator: " || "), texts.count > 1 ? .operation : .atom)
    }

    private func literals(_ parts: [Part]) -> String {
        parts.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
    }

    private func parts(
        _ format: DateFormat,
        _ shape: TextShape,
        _ base: SQLPiece
    ) throws(SQLRefusal) -> [Part] {
        var parts: [Part] = []
        for piece in format.pieces {
            switch piece {
            case .literal(let bytes): parts.append(.literal(String(decoding: bytes, as: UTF8.self)))
            case .part(let letter): parts.append(try part(letter, shape, base))
            }
        }
        return parts
    }

    private func part(
        _ letter: UInt8,
        _ shape: TextShape,
        _ base: SQLPiece
    ) throws(SQLRefusal) -> Part {
        let isDay = shape == .day
        let day = "CAST(\(isDay ? base.text : "substr(\(base.text), 1, 10)") AS DATE)"
        let isSpark = dialect == .spark
        switch letter {
        case UInt8(ascii: "m"): return .slice(6...7)
        case UInt8(ascii: "d"): return .slice(9...10)
        case UInt8(ascii: "H"): return isDay ? .literal("00") : .slice(12...13)
        case UInt8(ascii: "M"): return isDay ? .literal("00") : .slice(15...16)
        case UInt8(ascii: "S"): return isDay ? .literal("00") : .slice(18...19)
        case UInt8(ascii: "%"): return .literal("%")
        case UInt8(ascii: "j"):
            return .computed(
                isSpark
                    ? "lpad(CAST(dayofyear(\(day)) AS STRING), 3, '0')" : "strftime(\(day), '%j')"
            )
        case UInt8(ascii: "w"):
            return .computed(
                isSpark ? "CAST(dayofweek(\(day)) - 1 AS STRING)" : "strftime(\(day), '%w')"
            )
        case UInt8(ascii: "W"):
            let week = "(dayofyear(\(day)) + 6 - weekday(\(day))) div 7"
            return .computed(
                isSpark ? "lpad(CAST(\(week) AS STRING), 2, '0')" : "strftime(\(day), '%W')"
            )
        case UInt8(ascii: "s"):
            throw SQLRefusal(
                what: "strftime with %s, the seconds since 1970",
                remedy: "compare days and time stamps as texts"
            )
        default: return .slice(1...4)
        }
    }

    /// The same parts, neighbours joined that stand so in the moment's own text.
    private static func merged(_ parts: [Part]) -> [Part] {
        let separators: [Int: String] = [5: "-", 8: "-", 11: " ", 14: ":", 17: ":"]
        var result: [Part] = []
        for part in parts {
            if case .slice(let next) = part, result.count >= 2,
                case .literal(let text) = result[result.count - 1],
                case .slice(let last) = result[result.count - 2],
                next.lowerBound == last.upperBound + 2,
                separators[last.upperBound + 1] == text
            {
                result.removeLast(2)
                result.append(.slice(last.lowerBound...next.upperBound))
            } else if case .literal(let text) = part, case .literal(let last)? = result.last {
                result[result.count - 1] = .literal(last + text)
            } else {
                result.append(part)
            }
        }
        return result
    }
}

extension DateFormat {
    /// Whether the format shows hours, minutes or seconds.
    var readsClock: Bool {
        pieces.contains { piece in
            if case .part(let letter) = piece { Array("HMSs".utf8).contains(letter) } else { false }
        }
    }
}
