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
        else { preconditionFailure("no memory for a digest") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes.
    ///
    /// - Parameter bytes: Any number of them.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let status = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "a digest that has begun takes bytes")
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
            precondition(status == 1, "a digest that has begun can end")
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
            guard status == 1 else { preconditionFailure("no memory for a digest") }
            count = digestSize
        }
    }
}
