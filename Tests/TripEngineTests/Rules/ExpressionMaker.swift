/// Makes random expressions of known types, and counts what it has made.
///
/// Every operator goes through ``made(_:_:_:)``, which notes it with the types of its operands and
/// which of the first two are NULL, so that the table printed at the end shows what was covered.
struct ExpressionMaker {
    /// A piece of an expression.
    struct Piece {
        let text: String
        let type: Character
        /// Whether it is NULL for every trip, being a literal or a column without values.
        var isNull = false
        var depth = 1
    }

    var dice: ExpressionDice
    /// How often each operator was made: operator, operand types, NULL positions.
    private(set) var coverage: [String: [String: Int]] = [:]
    /// Conditions in SQL that hold where the expression's whole numbers leave 64 bits.
    private(set) var overflowTests: [String] = []
    /// The same for abs(), which SQLite ends with an error instead.
    private(set) var magnitudeTests: [String] = []
    private var isInMagnitude = false

    init(seed: UInt64) {
        dice = ExpressionDice(seed: seed)
    }

    /// Begins a new expression.
    mutating func begin() {
        overflowTests = []
        magnitudeTests = []
    }

    /// Notes an operator and puts a piece together.
    private mutating func made(
        _ name: String, _ type: Character, _ parts: [Piece], _ text: String
    ) -> Piece {
        let types = String(parts.prefix(2).map(\.type))
        let nulls = String(parts.prefix(2).map { $0.isNull ? "N" : "·" })
        coverage["\(name) \(types)", default: [:]][nulls, default: 0] += 1
        return Piece(text: text, type: type, depth: (parts.map(\.depth).max() ?? 0) + 1)
    }

    // MARK: Leaves

    private static let nullColumns: [Character: String] = [
        "T": "no_text", "I": "no_integer", "R": "no_real",
    ]

    /// A NULL of a type: a literal, or a column that is always NULL.
    mutating func null(_ type: Character) -> Piece {
        let text: String
        switch (type, dice.roll(3)) {
        case ("R", 0): text = "CAST(NULL AS REAL)"
        case ("C", 0): text = "NULL"
        case ("C", _): text = "(no_text = 'VA')"
        // A NULL that counts as INTEGER would change the type of sums meant to be REAL.
        case (_, 0) where type != "R": text = "NULL"
        default: text = Self.nullColumns[type] ?? "NULL"
        }
        return Piece(text: text, type: type, isNull: true)
    }

    private mutating func leaf(_ type: Character) -> Piece {
        if dice.oneIn(30) { return null(type) }
        let text: String
        switch type {
        case "T":
            text = dice.pick([
                "owner", "unit", "amount", "moment", "day", "stamp", "site.region", "site.opened",
                "'VA'", "'va'", "''", "'Ä'", "'it''s'", "'a'", "'x y'", "'2025-01-31'", "'12'",
                "'😀'", "owner", "unit", "\"owner\"",
            ])
        case "I":
            text = dice.pick([
                "cents", "count", "flag", "site.beds", "site.matched", "award.matched",
                "award.match_count", "site.match_count", "0", "1", "2", "-1", "7", "100", "count",
                "9223372036854775807", "-9223372036854775808", "9007199254740993", "cents",
            ])
        default:
            text = dice.pick([
                "rate", "share", "site.weight", "0.0", "1.5", "-2.5", "0.1", "1e10", "2.675",
                "9007199254740993.0", "9223372036854775807.0", "rate", "share", ".5", "1e308",
            ])
        }
        return Piece(text: text, type: type)
    }

    // MARK: Typed expressions

    /// An expression of a type, nested no deeper than so many levels.
    mutating func value(_ type: Character, _ depth: Int) -> Piece {
        guard depth > 0, !dice.oneIn(6) else { return leaf(type) }
        switch type {
        case "T": return text(depth - 1)
        case "I": return integer(depth - 1)
        case "R": return real(depth - 1)
        default: return condition(depth - 1)
        }
    }

    private mutating func text(_ depth: Int) -> Piece {
        switch dice.roll(12) {
        case 0, 1: return joined(dice.pick(["TT", "TI", "IT"]), depth)
        case 2: return call(dice.pick(["upper", "lower", "trim"]), "T", "T", depth)
        case 3: return call("trim", "TT", "T", depth)
        case 4: return call("substr", dice.oneIn(2) ? "TI" : "TII", "T", depth)
        case 5: return call("coalesce", dice.oneIn(3) ? "TTT" : "TT", "T", depth)
        case 6: return call("nullif", "TT", "T", depth)
        case 7: return choice("T", depth)
        case 8: return cast(dice.pick(["T", "I"]), "T", depth)
        case 9: return date(depth)
        default: return call("substr", "TII", "T", depth)
        }
    }

    private mutating func integer(_ depth: Int) -> Piece {
        switch dice.roll(12) {
        case 0, 1, 2, 3: return arithmetic("II", depth)
        case 4: return negative("I", depth)
        case 5: return isInMagnitude ? leaf("I") : magnitude("I", depth)
        case 6: return cast(dice.pick(["T", "R", "I"]), "I", depth)
        case 7: return call("length", "T", "I", depth)
        case 8: return call("instr", "TT", "I", depth)
        case 9: return call(dice.pick(["coalesce", "nullif"]), "II", "I", depth)
        case 10: return choice("I", depth)
        default:
            let inner = condition(depth)
            return Piece(text: "(\(inner.text))", type: "I", depth: inner.depth)
        }
    }

    private mutating func real(_ depth: Int) -> Piece {
        switch dice.roll(10) {
        case 0, 1, 2: return arithmetic(dice.pick(["IR", "RI", "RR"]), depth)
        case 3: return negative("R", depth)
        case 4: return magnitude("R", depth)
        case 5: return cast(dice.pick(["T", "I", "R"]), "R", depth)
        case 6, 7: return rounded(dice.pick(["I", "R"]), hasDigits: dice.oneIn(2), depth)
        case 8: return call(dice.pick(["coalesce", "nullif"]), "RR", "R", depth)
        default: return choice("R", depth)
        }
    }

    /// A condition.
    mutating func condition(_ depth: Int) -> Piece {
        switch dice.roll(14) {
        case 0, 1, 2: return compared(dice.pick(Self.comparisons), dice.pick(Self.pairs), depth)
        case 3: return tested(dice.pick(["IS NULL", "IS NOT NULL"]), dice.pick(["T", "I", "R"]), depth)
        case 4: return between(isNegated: dice.oneIn(2), dice.pick(Self.pairs), depth)
        case 5: return listed(isNegated: dice.oneIn(2), dice.pick(["T", "I", "R"]), depth)
        case 6, 7: return matched(dice.pick(Self.patternWords), depth)
        case 8, 9, 10: return connected(dice.oneIn(2) ? "AND" : "OR", depth)
        case 11: return inverted(depth)
        default: return numeric(dice.pick(["I", "R"]), depth)
        }
    }

    // MARK: Operators

    static let comparisons = ["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"]
    static let pairs = ["TT", "II", "RR", "IR", "RI"]
    static let patternWords = ["LIKE", "NOT LIKE", "GLOB", "NOT GLOB"]
    static let patterns = [
        "'%'", "'V%'", "'%a%'", "'_'", "'__%'", "'va'", "'Ä%'", "'%ß%'", "'a!%%'", "'%x%y%'", "''",
        "'*'", "'V*'", "'?'", "'[A-Z]*'", "'[^a-z]*'", "'*[]]*'", "'[]^-]*'", "'*[a-'", "'VAMC [*]'",
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
        _ sign: String, _ types: String, _ depth: Int, nulls: String? = nil
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
        _ name: String, _ types: String, _ type: Character, _ depth: Int, nulls: String? = nil
    ) -> Piece {
        let parts = operands(types, depth, nulls: nulls)
        let list = parts.map(\.text).joined(separator: ", ")
        return made("\(name)/\(types.count)", type, parts, "\(name)(\(list))")
    }

    mutating func cast(
        _ from: Character, _ type: Character, _ depth: Int, nulls: String? = nil
    ) -> Piece {
        // Casting the texts that look like numbers shows more than casting any text.
        let parts =
            from == "T" && nulls != "N" && dice.oneIn(2)
            ? [Piece(text: "amount", type: "T")] : operands(String(from), depth, nulls: nulls)
        let name = ["T": "TEXT", "I": "INTEGER", "R": "REAL"][type] ?? ""
        return made("CAST \(type)", type, parts, "CAST(\(parts[0].text) AS \(name))")
    }

    mutating func rounded(
        _ type: Character, hasDigits: Bool, _ depth: Int, nulls: String? = nil
    ) -> Piece {
        let parts = operands(String(type), depth, nulls: nulls)
        let digits = hasDigits ? ", \(dice.roll(16))" : ""
        return made(
            hasDigits ? "round/2" : "round/1", "R", parts, "round(\(parts[0].text)\(digits))")
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
        _ sign: String, _ types: String, _ depth: Int, nulls: String? = nil
    ) -> Piece {
        let parts = operands(types, depth, nulls: nulls)
        return made(sign, "C", parts, "(\(parts[0].text) \(sign) \(parts[1].text))")
    }

    mutating func tested(
        _ test: String, _ type: Character, _ depth: Int, nulls: String? = nil
    ) -> Piece {
        let parts = operands(String(type), depth, nulls: nulls)
        return made(test, "C", parts, "(\(parts[0].text) \(test))")
    }

    mutating func between(
        isNegated: Bool, _ types: String, _ depth: Int, nulls: String? = nil
    ) -> Piece {
        let parts = operands(types, depth, nulls: nulls) + [value(types.last ?? "T", depth)]
        let word = isNegated ? "NOT BETWEEN" : "BETWEEN"
        return made(
            word, "C", parts,
            "(\(parts[0].text) \(word) \(parts[1].text) AND \(parts[2].text))")
    }

    mutating func listed(
        isNegated: Bool, _ type: Character, _ depth: Int, nulls: String? = nil
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
            word, "C", parts, "(\(parts.map(\.text).joined(separator: " \(word) ")))")
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
    /// The text filled with question marks: any piece may stand there.
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: "?", count: Swift.max(0, count - self.count))
    }
}
