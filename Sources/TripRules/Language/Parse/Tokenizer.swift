/// Cuts the text of an expression into tokens.
struct Tokenizer {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// All tokens of a text; the last is the end.
    ///
    /// - Throws: ``ExpressionFault`` at the first character that begins no token.
    static func tokens(of text: String) throws(ExpressionFault) -> [Token] {
        var tokenizer = Tokenizer(text)
        var tokens: [Token] = []
        while true {
            let token = try tokenizer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private mutating func next() throws(ExpressionFault) -> Token {
        while isSpace(peek()) { offset += 1 }
        let start = offset
        guard let byte = peek() else { return Token(kind: .end, range: start..<start) }
        let kind: Token.Kind =
            switch byte {
            case UInt8(ascii: "'"): .text(try quoted(byte))
            case UInt8(ascii: "\""):
                .name(String(decoding: try quoted(byte), as: UTF8.self), isQuoted: true)
            case _ where isDigit(byte) || (byte == UInt8(ascii: ".") && isDigit(peek(1))):
                try number()
            case _ where isNameStart(byte): word()
            default: .sign(try sign())
            }
        return Token(kind: kind, range: start..<offset)
    }

    private func peek(_ ahead: Int = 0) -> UInt8? {
        offset + ahead < bytes.count ? bytes[offset + ahead] : nil
    }

    private mutating func quoted(_ quote: UInt8) throws(ExpressionFault) -> [UInt8] {
        let start = offset
        offset += 1
        var content: [UInt8] = []
        while let byte = peek() {
            offset += 1
            if byte == quote {
                guard peek() == quote else { return content }
                offset += 1
            }
            guard byte != 0 else {
                throw ExpressionFault(
                    .unexpectedText,
                    at: offset - 1..<offset,
                    "the text contains a NUL byte"
                )
            }
            content.append(byte)
        }
        let what = quote == UInt8(ascii: "'") ? "the text" : "the quoted name"
        throw ExpressionFault(
            .syntax,
            at: start..<bytes.count,
            "\(what) that begins here is never closed",
            suggestion: "a quote inside it is written twice"
        )
    }

    /// Reads digits with an optional fraction and exponent.
    private mutating func number() throws(ExpressionFault) -> Token.Kind {
        let start = offset
        var isReal = false
        skipDigits()
        if peek() == UInt8(ascii: ".") {
            isReal = true
            offset += 1
            skipDigits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if isDigit(peek(hasSign ? 2 : 1)) {
                isReal = true
                offset += hasSign ? 2 : 1
                skipDigits()
            }
        }
        if let byte = peek(), isNameStart(byte) || isDigit(byte) {
            while let byte = peek(), isNameStart(byte) || isDigit(byte) { offset += 1 }
            throw ExpressionFault(
                .unexpectedText,
                at: start..<offset,
                "a number cannot run into letters; texts stand in single quotes",
                suggestion:
                    "did you mean '\(String(decoding: bytes[start..<offset], as: UTF8.self))'?"
            )
        }
        let digits = bytes[start..<offset]
        if isReal { return .real(NumberReading.real(digits.span).value) }
        var value: UInt64? = 0
        for digit in digits {
            value = value.flatMap { value in
                let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
                let (sum, carry) = tens.addingReportingOverflow(UInt64(digit - 0x30))
                return overflow || carry ? nil : sum
            }
        }
        return .integer(value)
    }

    private mutating func skipDigits() {
        while isDigit(peek()) { offset += 1 }
    }

    private mutating func word() -> Token.Kind {
        let start = offset
        while let byte = peek(), isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "$") {
            offset += 1
        }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self)
        return Keyword(rawValue: word.uppercased()).map { .keyword($0) }
            ?? .name(word, isQuoted: false)
    }

    private mutating func sign() throws(ExpressionFault) -> Sign {
        for length in [2, 1] where offset + length <= bytes.count {
            let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self)
            if let fault = refusal(of: text) { throw fault }
            if let sign = Sign(rawValue: text) {
                offset += length
                return sign
            }
        }
        let scalar = String(decoding: bytes[offset...], as: UTF8.self).unicodeScalars.first
        throw ExpressionFault(
            .unexpectedText,
            at: offset..<offset + 1,
            "the character '\(scalar.map(String.init) ?? "")' has no meaning here"
        )
    }

    /// Signs that SQL knows, or that people type for others, each with what to write instead.
    private func refusal(of sign: String) -> ExpressionFault? {
        let range = offset..<offset + sign.utf8.count
        return switch sign {
        case "==":
            ExpressionFault(
                .unexpectedText,
                at: range,
                "equality is written with one sign",
                suggestion: "did you mean `=`?"
            )
        case "!=":
            ExpressionFault(
                .unexpectedText,
                at: range,
                "`!=` is not used here",
                suggestion: "did you mean `<>`?"
            )
        case "&&", "&":
            ExpressionFault(
                .unexpectedText,
                at: range,
                "`\(sign)` is not used here",
                suggestion: "did you mean AND?"
            )
        case "--", "/*":
            ExpressionFault(
                .notSupported,
                at: range,
                "`\(sign)` begins a comment in SQL, which is not used here",
                suggestion: "for two minus signs, put a space between them"
            )
        case "|":
            ExpressionFault(
                .unexpectedText,
                at: range,
                "`|` is not used here",
                suggestion: "did you mean OR, or `||` to join texts?"
            )
        case "->", "<<", ">>", "~":
            ExpressionFault(.notSupported, at: range, "the operator `\(sign)` is not supported")
        case "[", "`":
            ExpressionFault(
                .notSupported,
                at: range,
                "`\(sign)` does not quote names here",
                suggestion: "write the name in double quotes"
            )
        default: nil
        }
    }

    private func isSpace(_ byte: UInt8?) -> Bool {
        byte.map { $0 == 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B } ?? false
    }

    private func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (0x30...0x39).contains($0) } ?? false
    }

    private func isNameStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte >= 0x80
    }
}

/// One word, number, text or sign of an expression.
struct Token {
    /// What a token is.
    enum Kind: Equatable {
        /// A word of the language, in upper case.
        case keyword(Keyword)
        /// A name, without its quotes.
        case name(String, isQuoted: Bool)
        /// A text literal, its doubled quotes undone.
        case text([UInt8])
        /// Decimal digits without point or exponent; nil where they exceed 64 bits unsigned.
        case integer(UInt64?)
        /// A number with point or exponent.
        case real(Double)
        /// An operator or other sign.
        case sign(Sign)
        /// The end of the text.
        case end
    }

    let kind: Kind
    /// The bytes of the text the token covers.
    let range: Range<Int>
}

/// The words that have a meaning of their own; case does not matter in them.
enum Keyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case `is` = "IS"
    case null = "NULL"
    case `in` = "IN"
    case between = "BETWEEN"
    case like = "LIKE"
    case glob = "GLOB"
    case `case` = "CASE"
    case when = "WHEN"
    case then = "THEN"
    case `else` = "ELSE"
    case end = "END"
    case cast = "CAST"
    case `as` = "AS"

    /// Words that SQL keeps for itself and this language has no use for: a name spelled so must be
    /// quoted, or the text could not be pasted into the sqlite3 shell.
    static let reservedElsewhere: Set<String> = [
        "ADD", "ALL", "ALTER", "CHECK", "COLLATE", "COMMIT", "CONSTRAINT", "CREATE", "DEFAULT",
        "DEFERRABLE", "DELETE", "DISTINCT", "DROP", "ESCAPE", "EXISTS", "FOREIGN", "FROM", "GROUP",
        "HAVING", "INDEX", "INSERT", "INTERSECT", "INTO", "ISNULL", "JOIN", "LIMIT", "NOTHING",
        "NOTNULL", "ON", "ORDER", "PRIMARY", "REFERENCES", "RETURNING", "SELECT", "SET", "TABLE",
        "TO", "TRANSACTION", "UNION", "UNIQUE", "UPDATE", "USING", "VALUES", "WHERE",
    ]
}

/// Operators and punctuation.
enum Sign: String {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case bars = "||"
    case open = "("
    case close = ")"
    case comma = ","
    case dot = "."
}
