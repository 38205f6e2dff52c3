/// A value of a dimension by its bytes: texts that Unicode calls equal are two values in SQL.
struct ValueBytes: Hashable, Comparable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    static func < (left: ValueBytes, right: ValueBytes) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
