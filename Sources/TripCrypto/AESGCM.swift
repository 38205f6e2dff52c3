internal import CLibcrypto

/// AES-256-GCM (NIST SP 800-38D) with nonces of 12 bytes and tags of 16.
///
///     nonce (12) ─ cipher text (as long as the plain text) ─ tag (16)
public enum AESGCM {
    /// The size of a nonce in bytes.
    public static let nonceSize = 12
    /// The size of a tag in bytes.
    public static let tagSize = 16

    /// Seals one text after the other under one key, whose schedule is computed once.
    ///
    /// Used by one thread at a time.
    public struct Sealer: ~Copyable {
        private let context: OpaquePointer

        /// Sets the key.
        ///
        /// - Parameter key: 32 bytes.
        public init(key: SecretKey) {
            context = AESGCM.context(key, EVP_EncryptInit_ex2)
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        /// Seals a text.
        ///
        /// - Parameters:
        ///   - plain: The text; below 2 GiB.
        ///   - nonce: 12 bytes that were never used with this key.
        ///   - authenticated: What must be the same when it is opened; below 2 GiB.
        /// - Returns: Nonce, cipher text and tag.
        /// - Throws: ``CryptoFault`` with code `operationFailed`.
        public mutating func seal(
            _ plain: UnsafeRawBufferPointer,
            nonce: UnsafeRawBufferPointer,
            authenticating authenticated: [UInt8]
        ) throws(CryptoFault) -> [UInt8] {
            precondition(nonce.count == nonceSize, "a nonce has 12 bytes")
            let size = nonceSize + plain.count + tagSize
            // All bytes are written where every call succeeds; else none counts.
            let sealed = [UInt8](unsafeUninitializedCapacity: size) { sealed, count in
                _ = sealed.update(fromContentsOf: nonce)
                let start = sealed.baseAddress
                var written: Int32 = 0
                let isSealed =
                    EVP_EncryptInit_ex2(context, nil, nil, nonce.bytes, nil) == 1
                    && EVP_EncryptUpdate(
                        context,
                        nil,
                        &written,
                        authenticated,
                        Int32(authenticated.count)
                    ) == 1
                    && EVP_EncryptUpdate(
                        context,
                        start?.advanced(by: nonceSize),
                        &written,
                        plain.bytes,
                        Int32(plain.count)
                    ) == 1
                    && EVP_EncryptFinal_ex(
                        context,
                        start?.advanced(by: nonceSize + plain.count),
                        &written
                    ) == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context,
                        EVP_CTRL_AEAD_GET_TAG,
                        Int32(tagSize),
                        start?.advanced(by: nonceSize + plain.count)
                    ) == 1
                count = isSealed ? size : 0
            }
            guard sealed.count == size else {
                throw CryptoFault(
                    .operationFailed,
                    remedy: "The system's OpenSSL sealed nothing. Check its configuration, then "
                        + "run again."
                )
            }
            return sealed
        }
    }

    /// Opens a sealed text.
    ///
    /// - Parameters:
    ///   - sealed: Nonce, cipher text and tag.
    ///   - key: The 32 bytes it was sealed under.
    ///   - authenticated: What was authenticated with it.
    /// - Returns: The plain text; nil where anything differs from what was sealed.
    public static func open(
        _ sealed: [UInt8],
        key: SecretKey,
        authenticating authenticated: [UInt8]
    ) -> [UInt8]? {
        let size = sealed.count - nonceSize - tagSize
        guard size >= 0 else { return nil }
        let context = context(key, EVP_DecryptInit_ex2)
        defer { EVP_CIPHER_CTX_free(context) }
        var isAuthentic = false
        // All bytes are written where the tag is right; else none counts.
        let plain = [UInt8](unsafeUninitializedCapacity: size) { plain, count in
            sealed.withUnsafeBytes { sealed in
                let text = UnsafeRawBufferPointer(rebasing: sealed[nonceSize..<nonceSize + size])
                // The library takes the tag through a pointer that it does not write to.
                let tag = UnsafeMutableRawPointer(mutating: sealed.baseAddress)?
                    .advanced(by: nonceSize + size)
                var written: Int32 = 0
                var rest: UInt8 = 0
                guard EVP_DecryptInit_ex2(context, nil, nil, sealed.bytes, nil) == 1 else {
                    Libcrypto.refused("a cipher")
                }
                isAuthentic =
                    EVP_DecryptUpdate(
                        context,
                        nil,
                        &written,
                        authenticated,
                        Int32(authenticated.count)
                    ) == 1
                    && EVP_DecryptUpdate(
                        context,
                        plain.baseAddress,
                        &written,
                        text.bytes,
                        Int32(size)
                    ) == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context,
                        EVP_CTRL_AEAD_SET_TAG,
                        Int32(tagSize),
                        tag
                    ) == 1
                    && EVP_DecryptFinal_ex(context, &rest, &written) == 1
            }
            count = isAuthentic ? size : 0
        }
        return isAuthentic ? plain : nil
    }

    private typealias Initialization = (
        OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?,
        UnsafePointer<OSSL_PARAM>?
    ) -> Int32

    /// A context with its key and without a nonce.
    private static func context(_ key: SecretKey, _ initialize: Initialization) -> OpaquePointer {
        precondition(key.byteCount == 32, "AES-256 has keys of 32 bytes")
        let cipher = Algorithm.aesGCM.required
        guard let context = EVP_CIPHER_CTX_new(),
            key.withPointer({ initialize(context, cipher, $0, nil, nil) }) == 1
        else { Libcrypto.refused("a cipher") }
        return context
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as the library's functions take them.
    fileprivate var bytes: UnsafePointer<UInt8>? {
        assumingMemoryBound(to: UInt8.self).baseAddress
    }
}
