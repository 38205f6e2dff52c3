internal import CLibcrypto

/// Random bytes of the library's generator, which the operating system seeds.
public enum RandomBytes {
    /// Makes random bytes.
    ///
    /// - Parameter count: How many; many in one call cost far less than many calls.
    /// - Returns: The bytes.
    /// - Throws: ``CryptoFault`` with code `noRandomBytes`.
    public static func make(_ count: Int) throws(CryptoFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes_ex(nil, &bytes, count, 0) == 1 else {
            throw CryptoFault(
                .noRandomBytes,
                remedy: "The system's OpenSSL gives no random bytes. Allow the program getrandom, "
                    + "and check OpenSSL's configuration, then run again."
            )
        }
        return bytes
    }
}
