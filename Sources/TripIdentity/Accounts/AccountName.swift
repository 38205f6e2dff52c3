/// The name of an account: short, in small letters, safe to print anywhere.
public struct AccountName: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Reads a name; capital letters count as small ones.
    ///
    /// - Parameter text: The text as typed.
    /// - Throws: ``IdentityFault/badName(_:)`` where it has characters that a name may not have.
    public init(_ text: String) throws(IdentityFault) {
        let text = text.lowercased()
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count), Self.isAlphanumeric(bytes[0]),
            bytes.allSatisfy({ Self.isAlphanumeric($0) || Self.marks.contains($0) })
        else { throw .badName(String(text.prefix(80))) }
        self.text = text
    }

    /// The name.
    public var description: String { text }

    private static let marks = Array("._-@".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
