/// LIKE and GLOB.
extension ExpressionSQL {
    /// A character that SQLite takes for the replacement character, and that character itself.
    private static let oddScalars: ClosedRange<UInt32> = 0xFFFD...0xFFFF

    /// The letters A to Z of a text made small, and no other.
    ///
    /// - Parameters:
    ///   - text: The text, as SQL.
    ///   - isOdd: Whether the characters that SQLite takes for U+FFFD become U+FFFD.
    /// - Returns: The SQL.
    private func folded(_ text: String, isOdd: Bool = false) -> String {
        let (odd, replaced) = isOdd ? ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}") : ("", "")
        return "translate(\(text), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ\(odd)', "
            + "'abcdefghijklmnopqrstuvwxyz\(replaced)')"
    }

    /// A text matched against a pattern.
    mutating func matched(
        _ kind: WildcardKind,
        _ inner: TextNode,
        _ pattern: TextNode
    ) throws(SQLRefusal) -> SQLPiece {
        let subject = try text(inner)
        if dialect == .sqlite {
            let (left, right) = (subject.at(.operation), try text(pattern).at(.operation))
            return SQLPiece("\(left) \(kind.rawValue) \(right)", .comparison)
        }
        guard case .constant(let bytes?) = pattern.operation else {
            return try matched(kind, subject, pattern: try text(pattern))
        }
        let letters = String(decoding: bytes, as: UTF8.self).unicodeScalars
        if letters.contains(where: { Self.oddScalars.contains($0.value) }) {
            throw SQLRefusal(
                what: "\(kind.rawValue) with the character U+FFFD, U+FFFE or U+FFFF, which SQLite "
                    + "does not tell apart",
                remedy: "write `_` or `?` in its place"
            )
        }
        if kind == .like {
            let escaped = escaping(letters.map { $0 }, any: "%", one: "_", isFolded: true)
            return like(folded(subject.text), escaped)
        }
        guard letters.contains("[") else {
            let escaped = escaping(letters.map { $0 }, any: "*", one: "?", isFolded: false)
            return like(subject.at(.operation), escaped)
        }
        return expression(subject, letters.map { $0 })
    }

    /// A text matched against a pattern that each trip has of its own.
    private func matched(
        _ kind: WildcardKind,
        _ subject: SQLPiece,
        pattern: SQLPiece
    ) throws(SQLRefusal) -> SQLPiece {
        guard kind == .like else {
            throw SQLRefusal(
                what: "GLOB with a pattern that is no literal: \(dialect.title) has no GLOB of "
                    + "SQLite's sets",
                remedy: "write the pattern as a literal, or compare with `instr`"
            )
        }
        let text = folded(subject.text, isOdd: true)
        let small = folded(pattern.text, isOdd: true)
        return dialect == .spark
            ? SQLPiece("\(text) LIKE replace(\(small), '!', '!!') ESCAPE '!'", .comparison)
            : SQLPiece("\(text) LIKE \(small)", .comparison)
    }

    private func like(_ text: String, _ pattern: (text: String, isEscaped: Bool)) -> SQLPiece {
        // Spark has an escape of its own, the backslash, where none is named.
        let ending = pattern.isEscaped || dialect == .spark ? " ESCAPE '!'" : ""
        return SQLPiece("\(text) LIKE \(dialect.literal(pattern.text))\(ending)", .comparison)
    }

    /// A pattern in the signs of LIKE, with `!` before signs that mean themselves.
    private func escaping(
        _ letters: [Unicode.Scalar],
        any: Unicode.Scalar,
        one: Unicode.Scalar,
        isFolded: Bool
    ) -> (text: String, isEscaped: Bool) {
        var (text, isEscaped) = ("", false)
        for letter in letters {
            if letter == any {
                text += "%"
            } else if letter == one {
                text += "_"
            } else if "%_!".unicodeScalars.contains(letter) {
                text += "!" + String(Character(letter))
                isEscaped = true
            } else {
                let isCapital = isFolded && (0x41...0x5A).contains(letter.value)
                let small = isCapital ? Unicode.Scalar(UInt8(letter.value + 0x20)) : letter
                text.unicodeScalars.append(small)
            }
        }
        return (text, isEscaped)
    }

    // MARK: GLOB with sets

    /// A GLOB pattern with sets, as a regular expression of the whole text.
    private mutating func expression(
        _ subject: SQLPiece,
        _ letters: [Unicode.Scalar]
    ) -> SQLPiece {
        var (result, index) = ("(?s)^", 0)
        while index < letters.count {
            let letter = letters[index]
            index += 1
            switch letter {
            case "*": result += ".*"
            case "?": result += "."
            case "[":
                guard let set = Self.set(letters, &index) else {
                    // A set that is never closed fits nothing.
                    return SQLPiece(
                        "CASE WHEN \(subject.at(.operation)) IS NOT NULL THEN FALSE END"
                    )
                }
                result += set
            default: result += Self.escaped(letter)
            }
        }
        let pattern = dialect.literal(result + "\\z")
        return SQLPiece(fits(subject.at(.atom), pattern), .comparison)
    }

    /// One letter of a regular expression that means itself.
    private static func escaped(_ letter: Unicode.Scalar) -> String {
        let isSign =
            letter.isASCII && !letter.properties.isAlphabetic && letter.value > 0x20
            && !(0x30...0x39).contains(letter.value) && letter != "_" && letter.value != 0x7F
        return (isSign ? "\\" : "") + String(Character(letter))
    }

    /// A set, read as SQLite reads it; nil where it is never closed.
    private static func set(_ letters: [Unicode.Scalar], _ index: inout Int) -> String? {
        func read() -> Unicode.Scalar? {
            defer { index += 1 }
            return index < letters.count ? letters[index] : nil
        }
        var items = ""
        var item = read()
        let isInverted = item == "^"
        if isInverted { item = read() }
        if item == "]" {
            items += "\\]"
            item = read()
        }
        var prior: Unicode.Scalar?
        while let letter = item, letter != "]" {
            let next = index < letters.count ? letters[index] : nil
            if letter == "-", let low = prior, let next, next != "]" {
                index += 1
                // A range that ends before it begins holds nothing.
                if low <= next { items += "\(escaped(low))-\(escaped(next))" }
                prior = nil
            } else {
                items += escaped(letter)
                prior = letter
            }
            item = read()
        }
        guard item != nil else { return nil }
        // An empty set cannot be written: its first `]` belongs to it.
        return "[\(isInverted ? "^" : "")\(items)]"
    }
}
