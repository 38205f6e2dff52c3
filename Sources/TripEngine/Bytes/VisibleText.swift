internal import TripDomain
import TripRules

/// Shows bytes of an export as text: control characters are escaped, and no byte is lost.
public enum VisibleText {
    /// Shows bytes in the encoding of their file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - encoding: The encoding their source declares.
    /// - Returns: The text, with control characters as `\t`, `\n` or `\u{1B}`, and bytes that are
    ///   no text as `\xE9`.
    /// - Complexity: O(*n*) in the bytes.
    public static func of(_ bytes: [UInt8], encoding: CSVDialect.Encoding) -> String {
        var text = ""
        var index = 0
        while index < bytes.count {
            let (scalar, size) = scalar(at: index, of: bytes, encoding)
            text += scalar.map(escaped) ?? "\\x" + hex(bytes[index])
            index += size
        }
        return text
    }

    /// The character at a byte, nil where the byte begins none, and how many bytes it takes.
    private static func scalar(
        at index: Int,
        of bytes: [UInt8],
        _ encoding: CSVDialect.Encoding
    ) -> (Unicode.Scalar?, size: Int) {
        let byte = bytes[index]
        switch encoding {
        case .utf8:
            for size in 1...4 where index + size <= bytes.count {
                let text = String(validating: bytes[index..<index + size], as: UTF8.self)
                if let scalar = text?.unicodeScalars.first { return (scalar, size) }
            }
            return (nil, 1)
        case .latin1:
            return (Unicode.Scalar(byte), 1)
        case .windows1252:
            guard (0x80..<0xA0).contains(byte) else { return (Unicode.Scalar(byte), 1) }
            let value = FieldDecoder.windows1252[Int(byte) - 0x80]
            return (value == 0 ? nil : Unicode.Scalar(value), 1)
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        scalar.isUnseen ? scalar.escaped(asASCII: true) : String(scalar)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
