import TripDomain

/// A JSON text that was read: what another part of Triptych wrote, or what a program hands over.
///
/// Numbers are whole; members keep their order, and a name occurs once in an object.
public indirect enum JSONDocument: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case truth(Bool)
    /// A whole number.
    case integer(Int64)
    /// A text.
    case text(String)
    /// An array.
    case list([JSONDocument])
    /// An object.
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: JSONDocument
    }

    /// Reads a JSON text.
    ///
    /// - Parameter bytes: The text, in UTF-8, with nothing after it but blanks and line ends.
    /// - Throws: ``JSONFault`` with the place of the first byte that does not fit.
    /// - Complexity: O(*n*) in the bytes, and O(*m*²) in the members of an object.
    public init(_ bytes: [UInt8]) throws(JSONFault) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }

    /// The kind of the value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .truth: "a truth"
        case .integer: "a number"
        case .text: "a text"
        case .list: "an array"
        case .object: "an object"
        }
    }
}

/// What is wrong with a JSON text, and where.
public struct JSONFault: Error, Sendable, Hashable {
    /// The place: `byte 17`, or the names that lead to a value, such as `files[3].size`.
    public let place: String
    /// What was found and what was expected; never a value.
    public let finding: String

    /// Describes a fault.
    public init(place: String, finding: String) {
        self.place = place
        self.finding = finding
    }
}

/// Reads one JSON text from its first byte to its last.
private struct JSONParser {
    /// Plans and reports nest six deep.
    private static let depthMax = 32

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONFault) -> JSONDocument {
        let value = try value(depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw fault("more text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONDocument {
        guard depth < Self.depthMax else { throw fault("nested more than \(Self.depthMax) deep") }
        skipBlanks()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .truth(true))
        case UInt8(ascii: "f"): return try word("false", .truth(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            return try number()
        case nil: throw fault("the text ends, expected a value")
        default: throw fault("expected a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONDocument {
        var members: [JSONDocument.Member] = []
        index += 1
        skipBlanks()
        if take("}") { return .object([]) }
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw fault("expected a name in quotes") }
            let name = try text()
            guard !members.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw fault("a name occurs twice in one object")
            }
            skipBlanks()
            guard take(":") else { throw fault("expected `:` after a name") }
            members.append(JSONDocument.Member(name: name, value: try value(depth: depth + 1)))
            skipBlanks()
        } while take(",")
        guard take("}") else { throw fault("expected `,` or `}`") }
        return .object(members)
    }

    private mutating func list(depth: Int) throws(JSONFault) -> JSONDocument {
        var values: [JSONDocument] = []
        index += 1
        skipBlanks()
        if take("]") { return .list([]) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipBlanks()
        } while take(",")
        guard take("]") else { throw fault("expected `,` or `]`") }
        return .list(values)
    }

    private mutating func number() throws(JSONFault) -> JSONDocument {
        let start = index
        if peek == UInt8(ascii: "-") { index += 1 }
        let digits = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        let isPlain = peek.map { ![0x2E, 0x65, 0x45].contains($0) } ?? true
        let leadsWithZero = index - digits > 1 && bytes[digits] == 0x30
        guard isPlain, !leadsWithZero,
            let value = Int64(String(decoding: bytes[start..<index], as: UTF8.self))
        else {
            index = start
            throw fault("expected a whole number of 64 bits")
        }
        return .integer(value)
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONDocument
    ) throws(JSONFault) -> JSONDocument {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[index..<end]) })
        else { throw fault("expected a value") }
        index = end
        return value
    }

    private mutating func text() throws(JSONFault) -> String {
        index += 1
        var found: [UInt8] = []
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: found, as: UTF8.self) else {
                    throw fault("a text that is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): try escape(into: &found)
            case ..<0x20: throw fault("a control character within a text")
            default: found.append(byte)
            }
        }
        throw fault("a text without its closing quote")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        guard let byte = peek else { throw fault("a text without its closing quote") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += try scalar().utf8
        default: throw fault("an unknown escape")
        }
    }

    /// The character of `\uXXXX`, or of two of them that are one character together.
    private mutating func scalar() throws(JSONFault) -> String {
        var units = [try unit()]
        if (0xD800...0xDBFF).contains(units[0]) {
            guard take("\\"), take("u") else { throw fault("half a character") }
            units.append(try unit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw fault("half a character")
        }
        return text
    }

    private mutating func unit() throws(JSONFault) -> UInt16 {
        let end = index + 4
        guard end <= bytes.count,
            bytes[index..<end].allSatisfy(Self.isHexadecimal),
            let unit = UInt16(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16)
        else { throw fault("expected four hexadecimal digits") }
        index = end
        return unit
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private func fault(_ finding: String) -> JSONFault {
        JSONFault(place: "byte \(index)", finding: finding)
    }
}
