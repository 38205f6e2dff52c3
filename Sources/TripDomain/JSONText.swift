/// A JSON text in the making: objects and arrays with their members one per line where asked.
public struct JSONText: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    private var depth = 0
    private var isFirst = true
    /// Inside an object or array written on one line.
    private var lineDepth = 0

    /// The finished text with a line end.
    public var text: [UInt8] { bytes + [0x0A] }

    /// Begins with nothing.
    ///
    /// - Parameter capacity: For how many bytes there is room at first, so that a long text is not moved as it grows.
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
        enclosed(name, "{", "}", isLine: isLine, body)
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
        enclosed(name, "[", "]", isLine: isLine, body)
    }

    /// Writes an integer, alone or as a member.
    public mutating func value(_ name: JSONName? = nil, _ value: Int) {
        begin(name)
        if value < 0 { bytes.append(0x2D) }
        digits(value.magnitude)
    }

    /// Writes a number with two decimals, alone or as a member.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - hundredths: The number times 100.
    public mutating func value(_ name: JSONName? = nil, hundredths: Int) {
        begin(name)
        let (whole, part) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        if hundredths < 0 { bytes.append(0x2D) }
        digits(whole)
        bytes.append(0x2E)
        digits(part / 10)
        digits(part % 10)
    }

    /// Writes a truth, alone or as a member.
    public mutating func value(_ name: JSONName? = nil, _ value: Bool) {
        begin(name)
        fixed(value ? "true" : "false")
    }

    /// Writes a text, alone or as a member.
    public mutating func value(_ name: JSONName? = nil, _ value: String) {
        begin(name)
        string(value)
    }

    /// Writes that there is no value, alone or as a member.
    public mutating func null(_ name: JSONName? = nil) {
        begin(name)
        fixed("null")
    }

    private mutating func enclosed(
        _ name: JSONName?,
        _ open: StaticString,
        _ close: StaticString,
        isLine: Bool,
        _ body: (inout JSONText) -> Void
    ) {
        begin(name)
        fixed(open)
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
        fixed(close)
        isFirst = false
    }

    private mutating func begin(_ name: JSONName?) {
        if lineDepth > 0 {
            if !isFirst { fixed(", ") }
        } else {
            if !isFirst { bytes.append(0x2C) }
            if depth > 0 { newLine() }
        }
        isFirst = false
        switch name {
        case .fixed(let text)?:
            bytes.append(0x22)
            fixed(text)
            fixed("\": ")
        case .made(let text)?:
            string(text)
            fixed(": ")
        case nil: break
        }
    }

    /// Writes what needs no look at each byte.
    private mutating func fixed(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Writes an integer's digits; no text is made for each, as an answer has hundreds of them.
    private mutating func digits(_ magnitude: UInt) {
        let most = 20
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { digits in
            var (start, rest) = (most, magnitude)
            repeat {
                start -= 1
                digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    private mutating func newLine() {
        bytes.append(0x0A)
        bytes += String(repeating: "  ", count: depth).utf8
    }

    /// Writes a text in quotes.
    private mutating func string(_ text: String) {
        bytes.append(0x22)
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            if utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if isPlain != true { escaped(text) }
        bytes.append(0x22)
    }

    private mutating func escaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: bytes.append(byte)
            }
        }
    }
}
