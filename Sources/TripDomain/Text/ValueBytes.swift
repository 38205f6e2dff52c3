/// A value of a dimension by its bytes: texts that are equal in Unicode are two values in SQL.
public struct ValueBytes: Sendable, Hashable, Comparable {
    private let bytes: [UInt8]

    /// Takes the bytes of a text.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Orders values as SQL does: byte by byte.
    public static func < (left: ValueBytes, right: ValueBytes) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
