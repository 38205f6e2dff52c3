internal import CLibcrypto

/// AES-256 key wrap with padding (KWP, NIST SP 800-38F; RFC 5649): deterministic authenticated
/// encryption without a nonce.
///
/// Equal texts under one key have equal cipher texts, which is what a stable reference needs. A
/// cipher text made without the key passes with a chance of about one in 2^64.
public enum AESKeyWrap {
    /// The size of what a text of so many bytes is wrapped into: whole blocks of 8, and one more.
    public static func wrappedSize(_ size: Int) -> Int { (size + 7) / 8 * 8 + 8 }

    /// Wraps a text.
    ///
    /// - Parameters:
    ///   - plain: The text; 1 byte to 2 GiB.
    ///   - key: 32 bytes.
    /// - Returns: ``wrappedSize(_:)`` bytes, the same for the same text and key.
    public static func wrap(_ plain: [UInt8], key: SecretKey) -> [UInt8] {
        precondition(!plain.isEmpty, "key wrap is defined from one byte on")
        let context = context()
        defer { EVP_CIPHER_CTX_free(context) }
        let size = wrappedSize(plain.count)
        // All bytes are written, as the size that the library returns shows.
        return [UInt8](unsafeUninitializedCapacity: size) { wrapped, count in
            let cipher = Algorithm.aesKeyWrap.required
            var written: Int32 = 0
            let isWrapped =
                key.withPointer { EVP_EncryptInit_ex2(context, cipher, $0, nil, nil) } == 1
                && EVP_EncryptUpdate(
                    context,
                    wrapped.baseAddress,
                    &written,
                    plain,
                    Int32(plain.count)
                ) == 1
            guard isWrapped, written == size else { Libcrypto.refused("a cipher") }
            count = size
        }
    }

    /// Unwraps a text.
    ///
    /// - Parameters:
    ///   - wrapped: The text as wrapped.
    ///   - key: The 32 bytes it was wrapped under.
    /// - Returns: The plain text; nil where it was not wrapped under this key.
    public static func unwrap(_ wrapped: [UInt8], key: SecretKey) -> [UInt8]? {
        guard wrapped.count >= 16, wrapped.count.isMultiple(of: 8) else { return nil }
        let context = context()
        defer { EVP_CIPHER_CTX_free(context) }
        var isAuthentic = false
        // The library writes no more than it is given, and returns how much that was.
        let plain = [UInt8](unsafeUninitializedCapacity: wrapped.count) { plain, count in
            let cipher = Algorithm.aesKeyWrap.required
            var written: Int32 = 0
            guard key.withPointer({ EVP_DecryptInit_ex2(context, cipher, $0, nil, nil) }) == 1
            else { Libcrypto.refused("a cipher") }
            isAuthentic =
                EVP_DecryptUpdate(
                    context,
                    plain.baseAddress,
                    &written,
                    wrapped,
                    Int32(wrapped.count)
                ) == 1
                && written > 0
            count = isAuthentic ? Int(written) : 0
        }
        return isAuthentic ? plain : nil
    }

    private static func context() -> OpaquePointer {
        guard let context = EVP_CIPHER_CTX_new() else {
            Libcrypto.refused("a cipher")
        }
        // Key wrap is refused without it, so that no caller takes it for a cipher of streams.
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        return context
    }
}

extension AESKeyWrap {
    /// Wraps one text after the other under one key, whose schedule is computed once.
    ///
    /// Used by one thread at a time. It is a class so that closures can capture it.
    public final class Wrapper {
        private let context: OpaquePointer

        /// Sets the key.
        ///
        /// - Parameter key: 32 bytes.
        public init(key: SecretKey) {
            context = AESKeyWrap.context()
            let cipher = Algorithm.aesKeyWrap.required
            guard key.withPointer({ EVP_EncryptInit_ex2(context, cipher, $0, nil, nil) }) == 1
            else { Libcrypto.refused("a cipher") }
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        /// Wraps a text.
        ///
        /// - Parameters:
        ///   - plain: The text; 1 byte to 2 GiB.
        ///   - wrapped: Where the result goes: ``AESKeyWrap/wrappedSize(_:)`` bytes.
        public func wrap(
            _ plain: UnsafeRawBufferPointer,
            into wrapped: UnsafeMutableRawBufferPointer
        ) {
            precondition(!plain.isEmpty, "key wrap is defined from one byte on")
            precondition(
                wrapped.count == AESKeyWrap.wrappedSize(plain.count),
                "the result has a size that follows from the text's"
            )
            var written: Int32 = 0
            // Without a key, the context returns to its state after the key was set.
            let isWrapped =
                EVP_EncryptInit_ex2(context, nil, nil, nil, nil) == 1
                && EVP_EncryptUpdate(
                    context,
                    wrapped.assumingMemoryBound(to: UInt8.self).baseAddress,
                    &written,
                    plain.assumingMemoryBound(to: UInt8.self).baseAddress,
                    Int32(plain.count)
                ) == 1
            guard isWrapped, written == wrapped.count else { Libcrypto.refused("a cipher") }
        }
    }
}
