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
            items: try found.integer("items"),
            cents: try found.integer("cents"),
            unpriced: try found.integer("unpriced")
        )
    }

    /// A day, `YYYY-MM-DD`.
    func day(_ name: String) throws(JSONFault) -> CivilDate {
        guard let day = CivilDate(text: try text(name)) else {
            throw fault(name, "is no day, expected YYYY-MM-DD")
        }
        return day
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
