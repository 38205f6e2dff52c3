import Glibc

/// Where a connection comes from, as far as one neighbour is told from another: an address of IPv4, or the 64 bits
/// of IPv6 that one household or one machine has.
enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt64)

    /// Reads an address; nil for what is none of the two.
    ///
    /// - Parameter text: The address, without a port.
    init?(_ text: String?) {
        guard let text else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self = .v4(bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) })
            return
        }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        // An address of IPv4, written as one of IPv6 (RFC 4291 §2.5.5.2).
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        self =
            isMapped
            ? .v4(bytes[12...].reduce(0) { $0 << 8 | UInt32($1) })
            : .v6(bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
    }
}
