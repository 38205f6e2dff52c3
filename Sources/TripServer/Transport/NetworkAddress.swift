import Glibc

/// Where a connection comes from, as far as one client is told from another: an address of IPv4, or
/// the 64 bits of IPv6 that one household or one machine has.
enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt64)

    /// Reads an address; nil for what is none of the two.
    ///
    /// - Parameter text: The address, without a port.
    init?(_ text: String?) {
        guard let text, let bytes = Self.bytes(text) else { return nil }
        self =
            Self.isMapped(bytes)
            ? .v4(bytes[12...].reduce(0) { $0 << 8 | UInt32($1) })
            : .v6(bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Whether two texts are one address, to the last bit, however they are written.
    static func isSame(_ one: String?, _ other: String) -> Bool {
        guard let one, let bytes = bytes(one) else { return false }
        return bytes == Self.bytes(other)
    }

    /// The 16 bytes of an address; one of IPv4 as it is written as one of IPv6 (RFC 4291 §2.5.5.2).
    private static func bytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            return [UInt8](repeating: 0, count: 10) + [255, 255] + bytes[..<4]
        }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }

    private static func isMapped(_ bytes: [UInt8]) -> Bool {
        bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
    }
}
