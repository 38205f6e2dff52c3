import TripDomain
import TripEngine
import TripText

/// The parts that plans and reports have in common.
extension JSONText {
    /// A whole number or null.
    mutating func optional(_ name: JSONName, _ value: Int64?) {
        if let value { self.value(name, Int(value)) } else { null(name) }
    }

    /// A text or null.
    mutating func optional(_ name: JSONName, _ value: String?) {
        if let value { self.value(name, value) } else { null(name) }
    }

    /// An object or null.
    mutating func optionalObject<Value>(
        _ name: JSONName,
        _ value: Value?,
        _ body: (Value, inout JSONText) -> Void
    ) {
        if let value { object(name) { body(value, &$0) } } else { null(name) }
    }

    /// An array of texts.
    mutating func texts(_ name: JSONName, _ texts: [String]) {
        array(name, isLine: true) { json in
            for text in texts { json.value(nil, text) }
        }
    }

    /// An amount of the ledger.
    mutating func amount(_ name: JSONName, _ amount: LedgerAmount) {
        object(name, isLine: true) { json in
            json.value("items", Int(amount.items))
            json.value("cents", Int(amount.cents))
            json.value("unpriced", Int(amount.unpriced))
        }
    }
}

extension JSONObject {
    /// An amount of the ledger.
    func amount(_ name: String) throws(JSONFault) -> LedgerAmount {
        let found = try object(name)
        return LedgerAmount(
            items: try found.quantity("items"),
            cents: try found.sum("cents"),
            unpriced: try found.quantity("unpriced")
        )
    }

    /// The greatest sum that a report may have, 9 quadrillion: one that is greater is published
    /// nowhere (`SumLimit`), and a thousand of them still fit 64 bits.
    private static let sumMax = Int64.max / 1_000

    /// A number of something that is added up, which is never negative.
    func quantity(_ name: String) throws(JSONFault) -> Int64 {
        let value = try sum(name)
        guard value >= 0 else { throw fault(name, "is negative, expected 0 or more") }
        return value
    }

    /// A sum, of any sign.
    func sum(_ name: String) throws(JSONFault) -> Int64 {
        let value = try integer(name)
        guard value.magnitude <= Self.sumMax.magnitude else {
            throw fault(name, "is \(value), and no true sum is as large")
        }
        return value
    }

    /// A text that can stand in a cell: none that a reader gives has the character NUL.
    func cellText(_ name: String) throws(JSONFault) -> String {
        let text = try text(name)
        guard !text.utf8.contains(0) else { throw fault(name, "holds the character NUL") }
        return text
    }

    /// Texts that can stand in cells.
    func cellTexts(_ name: String) throws(JSONFault) -> [String] {
        let texts = try texts(name)
        guard texts.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw fault(name, "holds the character NUL")
        }
        return texts
    }

    /// A SHA-256 in lower-case hexadecimal digits.
    func hash(_ name: String) throws(JSONFault) -> String {
        guard let hash = try optionalHash(name) else { throw fault(name, "is missing") }
        return hash
    }

    /// A day, `YYYY-MM-DD`.
    func day(_ name: String) throws(JSONFault) -> CivilDate {
        guard let day = CivilDate(text: try text(name)) else {
            throw fault(name, "is no day, expected YYYY-MM-DD")
        }
        return day
    }

    /// A SHA-256 in lower-case hexadecimal digits; nil where there is none.
    func optionalHash(_ name: String) throws(JSONFault) -> String? {
        guard let text = try optionalText(name) else { return nil }
        guard text.utf8.count == 64, HexText.bytes(text) != nil else {
            throw fault(name, "is no SHA-256, expected 64 digits 0 to 9 and a to f")
        }
        return text
    }

    /// A day, or nil where there is none.
    func optionalDay(_ name: String) throws(JSONFault) -> CivilDate? {
        try optionalText(name) == nil ? nil : day(name)
    }

    /// Requires the form and version that this program reads.
    func requireForm(_ name: String, _ form: String) throws(JSONFault) {
        guard try text(name) == form else {
            throw fault(name, "is of another form or version, expected `\(form)`")
        }
    }
}

/// Bytes as lower-case hexadecimal text, and back.
enum HexText {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil where it is no such text.
    static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.map { byte -> UInt8? in
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x61...0x66: byte - 0x61 + 10
            default: nil
            }
        }
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.count / 2)
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
