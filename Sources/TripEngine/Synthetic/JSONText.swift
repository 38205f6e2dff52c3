/// A JSON text in the making: objects and arrays with their members one per line where asked.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    private var isFirst = true
    /// Inside an object or array written on one line.
    private var lineDepth = 0

    /// The finished text with a line end.
    var text: [UInt8] { bytes + [0x0A] }

    /// Writes an object.
    ///
    /// - Parameters:
    ///   - name: The member's name; nil inside an array and at the top.
    ///   - isLine: Whether it is written on one line.
    ///   - body: Writes the members.
    mutating func object(
        _ name: String? = nil,
        isLine: Bool = false,
        _ body: (inout JSONText) -> Void
    ) {
        enclosed(name, "{", "}", isLine: isLine, body)
    }

    /// Writes an array; parameters as for an object.
    mutating func array(
        _ name: String? = nil,
        isLine: Bool = false,
        _ body: (inout JSONText) -> Void
    ) {
        enclosed(name, "[", "]", isLine: isLine, body)
    }

    mutating func value(_ name: String? = nil, _ value: Int) {
        begin(name)
        bytes += String(value).utf8
    }

    mutating func value(_ name: String? = nil, _ value: Bool) {
        begin(name)
        bytes += (value ? "true" : "false").utf8
    }

    mutating func value(_ name: String? = nil, _ value: String) {
        begin(name)
        string(value)
    }

    private mutating func enclosed(
        _ name: String?,
        _ open: String,
        _ close: String,
        isLine: Bool,
        _ body: (inout JSONText) -> Void
    ) {
        begin(name)
        bytes += open.utf8
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
        bytes += close.utf8
        isFirst = false
    }

    private mutating func begin(_ name: String?) {
        if !isFirst { bytes.append(0x2C) }
        if lineDepth > 0 {
            if !isFirst { bytes.append(0x20) }
        } else if depth > 0 {
            newLine()
        }
        isFirst = false
        guard let name else { return }
        string(name)
        bytes += ": ".utf8
    }

    private mutating func newLine() {
        bytes.append(0x0A)
        bytes += String(repeating: "  ", count: depth).utf8
    }

    /// Writes a text in quotes; the generator's texts hold no control characters.
    private mutating func string(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            if byte == 0x22 || byte == 0x5C { bytes.append(0x5C) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}
