@testable import TripRules

/// The operators, each with chosen operand types and, where wanted, chosen NULLs.
///
/// `nulls` has a mark per operand: `N` for NULL, `·` for anything else. Operands beyond its end may
/// be either.
extension ExpressionGenerator {
    static let comparisons = ["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"]
    static let pairs = ["TT", "II", "RR", "IR", "RI"]
    static let patternWords = ["LIKE", "NOT LIKE", "GLOB", "NOT GLOB"]
    static let patterns = [
        "'%'", "'V%'", "'%a%'", "'_'", "'__%'", "'va'", "'Ä%'", "'%ß%'", "'a!%%'", "'%x%y%'", "''",
        "'*'", "'V*'", "'?'", "'[A-Z]*'", "'[^a-z]*'", "'*[]]*'", "'[]^-]*'", "'*[a-'",
        "'VAMC [*]'",
        "'*a*'", "'[Ä-Ö]*'", "'??*'", "'*?b'", "'%_c'", "'[[]a-c]'",
    ]

    private mutating func operands(_ types: String, _ depth: Int, nulls: String?) -> [Piece] {
        zip(types, (nulls ?? "").padded(to: types.count)).map { type, mark in
            mark == "N" ? null(type) : mark == "·" ? known(type, depth) : value(type, depth)
        }
    }

    /// A piece that is not NULL for every trip.
    private mutating func known(_ type: Character, _ depth: Int) -> Piece {
        while true {
            let piece = value(type, depth)
            if !piece.isNull { return piece }
        }
    }

    mutating func arithmetic(_ types: String, _ depth: Int, nulls: String? = nil) -> Piece {
        arithmetic(dice.pick(["+", "-", "*", "/", "%"]), types, depth, nulls: nulls)
    }

    mutating func arithmetic(
        _ sign: String,
        _ types: String,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        let parts = operands(types, depth, nulls: nulls)
        let text = "(\(parts[0].text) \(sign) \(parts[1].text))"
        if types == "II" { overflowTests.append("typeof(\(text)) = 'real'") }
        return made(sign, types == "II" ? "I" : "R", parts, text)
    }

    mutating func negative(_ type: Character, _ depth: Int, nulls: String? = nil) -> Piece {
        let parts = operands(String(type), depth, nulls: nulls)
        let text = "(- \(parts[0].text))"
        if type == "I" { overflowTests.append("typeof(\(text)) = 'real'") }
        return made("minus", type, parts, text)
    }

    mutating func magnitude(_ type: Character, _ depth: Int, nulls: String? = nil) -> Piece {
        let wasInMagnitude = isInMagnitude
        isInMagnitude = true
        let parts = operands(String(type), depth, nulls: nulls)
        isInMagnitude = wasInMagnitude
        if type == "I" {
            magnitudeTests.append("(\(parts[0].text)) IS (-9223372036854775807 - 1)")
        }
        return made("abs", type, parts, "abs(\(parts[0].text))")
    }

    mutating func joined(_ types: String, _ depth: Int, nulls: String? = nil) -> Piece {
        let parts = operands(types, depth, nulls: nulls)
        return made("||", "T", parts, "(\(parts[0].text) || \(parts[1].text))")
    }

    mutating func call(
        _ name: String,
        _ types: String,
        _ type: Character,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        let parts = operands(types, depth, nulls: nulls)
        let list = parts.map(\.text).joined(separator: ", ")
        return made("\(name)/\(types.count)", type, parts, "\(name)(\(list))")
    }

    mutating func cast(
        _ from: Character,
        _ type: Character,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        // Casting texts that look like numbers shows more than casting any text.
        let parts =
            from == "T" && nulls != "N" && dice.oneIn(2)
            ? [Piece(text: "amount", type: "T")] : operands(String(from), depth, nulls: nulls)
        let name = ["T": "TEXT", "I": "INTEGER", "R": "REAL"][type] ?? ""
        return made("CAST \(type)", type, parts, "CAST(\(parts[0].text) AS \(name))")
    }

    mutating func rounded(
        _ type: Character,
        hasDigits: Bool,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        let parts = operands(String(type), depth, nulls: nulls)
        let digits = hasDigits ? ", \(dice.roll(16))" : ""
        return made(
            hasDigits ? "round/2" : "round/1",
            "R",
            parts,
            "round(\(parts[0].text)\(digits))"
        )
    }

    static let steps = [
        "'start of month'", "'start of year'", "'start of day'", "'+1 month'", "'-1 months'",
        "'+30 days'", "'-1 day'", "'+1 year'", "'-50 years'", "'weekday 0'", "'weekday 5'",
        "'+90 minutes'", "'-7 hours'", "'+86399 seconds'", "'+9000 years'", "'13 months'",
    ]

    mutating func date(_ depth: Int, nulls: String? = nil) -> Piece {
        let parts =
            nulls == nil && dice.oneIn(2)
            ? [Piece(text: "moment", type: "T")] : operands("T", depth, nulls: nulls)
        let steps = (0..<dice.roll(4)).map { _ in ", \(dice.pick(Self.steps))" }.joined()
        if dice.oneIn(2) { return made("date", "T", parts, "date(\(parts[0].text)\(steps))") }
        let format = dice.pick([
            "%Y-%m", "%d", "%H:%M:%S", "%j", "%s", "%w %W", "%%", "%Y%%", "x", "%Y-%m-%dT%H",
        ])
        return made("strftime", "T", parts, "strftime('\(format)', \(parts[0].text)\(steps))")
    }

    mutating func choice(_ type: Character, _ depth: Int, nulls: String? = nil) -> Piece {
        var parts = operands("\(type)\(type)", depth, nulls: nulls)
        let otherwise = dice.oneIn(3) ? "" : " ELSE \(parts[1].text)"
        let name: String
        var text: String
        if dice.oneIn(2) {
            let first = condition(depth)
            let second = condition(depth)
            name = "CASE"
            text = "CASE WHEN \(first.text) THEN \(parts[0].text) WHEN \(second.text) THEN "
            text += value(type, depth).text + otherwise + " END"
            parts.append(first)
        } else {
            let types = dice.pick(Self.pairs)
            let subject = operands(types, depth, nulls: nil)
            name = "CASE of"
            text = "CASE \(subject[0].text) WHEN \(subject[1].text) THEN \(parts[0].text)"
            text += otherwise + " END"
            parts += subject
        }
        return made(name, type, parts, text)
    }

    mutating func compared(
        _ sign: String,
        _ types: String,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        let parts = operands(types, depth, nulls: nulls)
        return made(sign, "C", parts, "(\(parts[0].text) \(sign) \(parts[1].text))")
    }

    mutating func tested(
        _ test: String,
        _ type: Character,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        let parts = operands(String(type), depth, nulls: nulls)
        return made(test, "C", parts, "(\(parts[0].text) \(test))")
    }

    mutating func between(
        isNegated: Bool,
        _ types: String,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        let parts = operands(types, depth, nulls: nulls) + [value(types.last ?? "T", depth)]
        let word = isNegated ? "NOT BETWEEN" : "BETWEEN"
        return made(
            word,
            "C",
            parts,
            "(\(parts[0].text) \(word) \(parts[1].text) AND \(parts[2].text))"
        )
    }

    mutating func listed(
        isNegated: Bool,
        _ type: Character,
        _ depth: Int,
        nulls: String? = nil
    ) -> Piece {
        var parts = operands("\(type)\(type)", depth, nulls: nulls)
        for _ in 0..<dice.roll(4) { parts.append(value(type, depth)) }
        let list = parts.dropFirst().map(\.text).joined(separator: ", ")
        let word = isNegated ? "NOT IN" : "IN"
        return made(word, "C", parts, "(\(parts[0].text) \(word) (\(list)))")
    }

    mutating func matched(_ word: String, _ depth: Int, nulls: String? = nil) -> Piece {
        var parts = operands("TT", depth, nulls: nulls)
        if !parts[1].isNull, !dice.oneIn(5) {
            parts[1] = Piece(text: dice.pick(Self.patterns), type: "T")
        }
        return made(word, "C", parts, "(\(parts[0].text) \(word) \(parts[1].text))")
    }

    mutating func connected(_ word: String, _ depth: Int, nulls: String? = nil) -> Piece {
        var parts = operands("CC", depth, nulls: nulls)
        if dice.oneIn(4) { parts.append(value("C", depth)) }
        return made(
            word,
            "C",
            parts,
            "(\(parts.map(\.text).joined(separator: " \(word) ")))"
        )
    }

    mutating func inverted(_ depth: Int, nulls: String? = nil) -> Piece {
        let parts = operands("C", depth, nulls: nulls)
        return made("NOT", "C", parts, "(NOT \(parts[0].text))")
    }

    mutating func numeric(_ type: Character, _ depth: Int, nulls: String? = nil) -> Piece {
        let parts = operands(String(type), depth, nulls: nulls)
        return made("as condition", "C", parts, "(\(parts[0].text) AND 1)")
    }
}

extension String {
    /// The text filled with question marks, which allow any operand.
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: "?", count: Swift.max(0, count - self.count))
    }
}
