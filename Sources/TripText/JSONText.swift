import TripDomain

/// Builds a JSON text: objects and arrays, with one member per line or all on one line.
public struct JSONText: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []
    private var depth = 0
    private var isFirst = true
    /// The nesting depth inside an object or array written on one line.
    private var lineDepth = 0

    /// The bytes around a name: a comma and a space before it, two quotes, a colon and a space.
    private static let frameSize = 6

    /// The finished text with a line end.
    public var text: [UInt8] { bytes + [0x0A] }

    /// Makes an empty text.
    ///
    /// - Parameter capacity: The bytes to reserve, so that a long text is not moved as it grows.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object.
    ///
    /// - Parameters:
    ///   - name: The member's name; nil inside an array and at the top.
    ///   - isLine: Whether it is written on one line.
    ///   - body: Writes the members.
    public mutating func object(
        _ name: JSONName? = nil,
        isLine: Bool = false,
        _ body: (inout JSONText) -> Void
    ) {
        enclosed(name, UInt8(ascii: "{"), UInt8(ascii: "}"), isLine: isLine, body)
    }

    /// Writes an array.
    ///
    /// - Parameters:
    ///   - name: The member's name; nil inside an array and at the top.
    ///   - isLine: Whether it is written on one line.
    ///   - body: Writes the elements.
    public mutating func array(
        _ name: JSONName? = nil,
        isLine: Bool = false,
        _ body: (inout JSONText) -> Void
    ) {
        enclosed(name, UInt8(ascii: "["), UInt8(ascii: "]"), isLine: isLine, body)
    }

    /// Writes an integer, alone or as a member.
    public mutating func value(_ name: JSONName? = nil, _ value: Int) {
        write(name, upTo: JSONNumber.byteCountMax) { JSONNumber.integer(Int64(value)).write(&$0) }
    }

    /// Writes a number with two decimals, alone or as a member.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - hundredths: The number times 100.
    public mutating func value(_ name: JSONName? = nil, hundredths: Int) {
        write(name, upTo: JSONNumber.byteCountMax) {
            JSONNumber.hundredths(Int64(hundredths)).write(&$0)
        }
    }

    /// Writes numbers as members, and checks the capacity once for all of them.
    ///
    /// - Parameter members: Their names and values, in their order.
    /// - Precondition: They are members of an object on one line.
    public mutating func numbers(_ members: KeyValuePairs<StaticString, JSONNumber>) {
        numbers(members.map { ($0.key, $0.value) })
    }

    /// Writes numbers as members whose names are those of a table.
    ///
    /// - Parameter members: Their names and values, in their order.
    /// - Precondition: They are members of an object on one line.
    public mutating func numbers(_ members: [(key: StaticString, value: JSONNumber)]) {
        precondition(lineDepth > 0, "several members stand on one line")
        var isSeparated = !isFirst
        isFirst = isFirst && members.isEmpty
        let names = members.reduce(0) { $0 + $1.key.utf8CodeUnitCount }
        let most = names + members.count * (Self.frameSize + JSONNumber.byteCountMax)
        bytes.append(upTo: most) { writer in
            for (name, number) in members {
                if isSeparated { writer.put(", ") }
                isSeparated = true
                writer.put(0x22)
                writer.put(name)
                writer.put("\": ")
                number.write(&writer)
            }
        }
    }

    /// Writes a boolean, alone or as a member.
    public mutating func value(_ name: JSONName? = nil, _ value: Bool) {
        word(name, value ? "true" : "false")
    }

    /// Writes a text, alone or as a member.
    public mutating func value(_ name: JSONName? = nil, _ value: String) {
        write(name, upTo: 0) { _ in }
        string(value)
    }

    /// Writes a value of a row, alone or as a member.
    public mutating func value(_ name: JSONName? = nil, _ value: RowValue) {
        switch value {
        case .text(let text?): self.value(name, text)
        case .number(.integer(let number?)): self.value(name, Int(number))
        case .number(.hundredths(let number?)): self.value(name, hundredths: Int(number))
        case .truth(let truth): self.value(name, truth)
        case .list(let texts):
            array(name) { json in
                for text in texts { json.value(nil, text) }
            }
        case .text(nil), .number(.integer(nil)), .number(.hundredths(nil)): null(name)
        }
    }

    /// Writes null, alone or as a member.
    public mutating func null(_ name: JSONName? = nil) {
        word(name, "null")
    }

    private mutating func enclosed(
        _ name: JSONName?,
        _ open: UInt8,
        _ close: UInt8,
        isLine: Bool,
        _ body: (inout JSONText) -> Void
    ) {
        write(name, upTo: 1) { $0.put(open) }
        if isLine || lineDepth > 0 { lineDepth += 1 }
        depth += 1
        isFirst = true
        body(&self)
        depth -= 1
        let wasEmpty = isFirst
        if lineDepth > 0 {
            lineDepth -= 1
        } else if !wasEmpty {
            newLine()
        }
        bytes.append(close)
        isFirst = false
    }

    private mutating func word(_ name: JSONName?, _ text: StaticString) {
        write(name, upTo: text.utf8CodeUnitCount) { $0.put(text) }
    }

    /// Writes a value together with the comma and the name before it.
    ///
    /// One append does it all, because an answer holds a thousand values.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - most: The maximum number of bytes of the value.
    ///   - value: Writes the value.
    private mutating func write(
        _ name: JSONName?,
        upTo most: Int,
        _ value: (inout ByteWriter) -> Void
    ) {
        let isSeparated = lineDepth > 0 && !isFirst
        if lineDepth == 0 { beginLine() }
        isFirst = false
        switch name {
        case .fixed(let name)?:
            bytes.append(upTo: name.utf8CodeUnitCount + Self.frameSize + most) { writer in
                if isSeparated { writer.put(", ") }
                writer.put(0x22)
                writer.put(name)
                writer.put("\": ")
                value(&writer)
            }
        case .made(let name)?:
            if isSeparated { bytes += ", ".utf8 }
            string(name)
            bytes += ": ".utf8
            bytes.append(upTo: most, value)
        case nil:
            bytes.append(upTo: Self.frameSize + most) { writer in
                if isSeparated { writer.put(", ") }
                value(&writer)
            }
        }
    }

    /// Begins the line of a value.
    private mutating func beginLine() {
        if !isFirst { bytes.append(0x2C) }
        if depth > 0 { newLine() }
    }

    private mutating func newLine() {
        bytes.append(0x0A)
        bytes += String(repeating: "  ", count: depth).utf8
    }

    /// Writes a text in quotes.
    private mutating func string(_ text: String) {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            if utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 >= 0x7F }) {
                return false
            }
            bytes.append(upTo: utf8.count + 2) { writer in
                writer.put(0x22)
                writer.put(utf8)
                writer.put(0x22)
            }
            return true
        }
        if isPlain != true { escaped(text) }
    }

    /// Writes a text in quotes whose characters may need an escape.
    ///
    /// RFC 8259 requires escapes below U+0020 alone. DEL, the controls U+0080 to U+009F and other
    /// unseen characters are escaped as well, so that a JSON text can be shown on a terminal as it
    /// is.
    private mutating func escaped(_ text: String) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [0x5C, UInt8(ascii: scalar)]
            case "\n": bytes += "\\n".utf8
            case "\r": bytes += "\\r".utf8
            case "\t": bytes += "\\t".utf8
            case " "..."~": bytes.append(UInt8(ascii: scalar))
            case _ where scalar.isUnseen:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    let zeros = String(repeating: "0", count: 4 - digits.count)
                    bytes += ("\\u" + zeros + digits).utf8
                }
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(0x22)
    }
}

/// The name of a member of a JSON object.
public enum JSONName: ExpressibleByStringLiteral, Sendable {
    /// A string literal, in which nothing has to be escaped.
    case fixed(StaticString)
    /// A name computed at run time.
    case made(String)

    /// A string literal.
    public init(stringLiteral value: StaticString) {
        self = .fixed(value)
    }
}

/// A number in a JSON text; nil is written as null.
public enum JSONNumber: Sendable {
    /// A whole number.
    case integer(Int64?)
    /// A number with two decimals, times 100.
    case hundredths(Int64?)

    /// The maximum number of bytes: a sign, the digits, a point, and a zero before the point.
    static let byteCountMax = ByteWriter.digitCountMax + 3

    func write(_ writer: inout ByteWriter) {
        switch self {
        case .integer(let value?): writer.put(decimal: Int(value))
        case .hundredths(let value?):
            let (whole, part) = value.magnitude.quotientAndRemainder(dividingBy: 100)
            if value < 0 { writer.put(0x2D) }
            writer.put(digitsOf: UInt(whole), width: 1)
            writer.put(0x2E)
            writer.put(digitsOf: UInt(part), width: 2)
        case .integer(nil), .hundredths(nil): writer.put("null")
        }
    }
}
