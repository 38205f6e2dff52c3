internal import CLibcrypto

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
///
/// Used by one thread at a time.
public struct SHA256: ~Copyable {
    /// The size of a digest in bytes.
    public static let digestSize = 32

    private let context: OpaquePointer

    /// Begins with no bytes.
    public init() {
        guard let context = EVP_MD_CTX_new(),
            EVP_DigestInit_ex2(context, Algorithm.sha256.required, nil) == 1
        else { Libcrypto.refused("a digest") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes.
    ///
    /// - Parameter bytes: Any number of them.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let status = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        if status != 1 { Libcrypto.refused("a digest") }
    }

    /// Takes the next bytes.
    ///
    /// - Parameter bytes: Any number of them.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all bytes taken.
    ///
    /// - Returns: 32 bytes.
    public consuming func finish() -> [UInt8] {
        // SHA-256 always writes 32 bytes.
        [UInt8](unsafeUninitializedCapacity: Self.digestSize) { digest, count in
            let status = EVP_DigestFinal_ex(context, digest.baseAddress, nil)
            if status != 1 { Libcrypto.refused("a digest") }
            count = Self.digestSize
        }
    }

    /// The digest of bytes in memory.
    ///
    /// - Parameter bytes: Any number of them.
    /// - Returns: 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        // SHA-256 always writes 32 bytes.
        [UInt8](unsafeUninitializedCapacity: digestSize) { digest, count in
            let status = bytes.withUnsafeBytes { bytes in
                EVP_Digest(
                    bytes.baseAddress,
                    bytes.count,
                    digest.baseAddress,
                    nil,
                    Algorithm.sha256.required,
                    nil
                )
            }
            guard status == 1 else { Libcrypto.refused("a digest") }
            count = digestSize
        }
    }
}

/// HMAC with SHA-256 (FIPS 198-1) under one key, of one message after the other.
///
/// The key is set once; each message then costs the hashing of its own bytes. Used by one thread at
/// a time. It is a class so that closures can capture it.
public final class HMACSHA256 {
    /// The size of a code in bytes.
    public static let codeSize = 32

    private let context: OpaquePointer

    /// Sets the key.
    ///
    /// - Parameter key: Of any size.
    public init(key: SecretKey) {
        guard let context = EVP_MAC_CTX_new(Algorithm.hmac.required) else {
            Libcrypto.refused("a code")
        }
        let parameters = [.text("digest", "SHA2-256"), OSSL_PARAM_construct_end()]
        let status = key.withPointer { EVP_MAC_init(context, $0, key.byteCount, parameters) }
        guard status == 1 else { Libcrypto.refused("a code") }
        self.context = context
    }

    deinit { EVP_MAC_CTX_free(context) }

    /// Computes the code of a message.
    ///
    /// - Parameters:
    ///   - message: Any number of bytes.
    ///   - body: Is given the 32 bytes of the code, for the time of the call.
    /// - Returns: What the call returns.
    public func withCode<Value>(
        of message: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value {
        withUnsafeTemporaryAllocation(byteCount: Self.codeSize, alignment: 8) { code in
            var size = 0
            // Without a key, the context returns to its state after the key was set.
            let isComputed =
                EVP_MAC_init(context, nil, 0, nil) == 1
                && EVP_MAC_update(
                    context,
                    message.assumingMemoryBound(to: UInt8.self).baseAddress,
                    message.count
                ) == 1
                && EVP_MAC_final(
                    context,
                    code.assumingMemoryBound(to: UInt8.self).baseAddress,
                    &size,
                    code.count
                ) == 1
            guard isComputed, size == code.count else {
                Libcrypto.refused("a code")
            }
            return body(UnsafeRawBufferPointer(code))
        }
    }
}
