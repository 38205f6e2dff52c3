internal import CLibcrypto

/// The bytes of a key, which are overwritten when the object is freed.
///
/// Its descriptions and mirrors reveal no byte.
public final class SecretKey: Sendable, CustomStringConvertible, CustomReflectable {
    // Only the initializers write the bytes, before any other thread can have the object.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// Copies the bytes of a key.
    ///
    /// - Parameter bytes: The key; at least one byte.
    public convenience init(_ bytes: [UInt8]) {
        self.init(byteCount: bytes.count)
        self.bytes.copyBytes(from: bytes)
    }

    /// Derives a key by HKDF with SHA-256 (RFC 5869), extract and expand.
    ///
    /// - Parameters:
    ///   - input: The key it is derived from.
    ///   - salt: The same for all keys of one use.
    ///   - info: What the key is for: another text gives an independent key.
    ///   - byteCount: The size of the key, 1 to 8,160 bytes.
    public convenience init(
        derivedFrom input: SecretKey,
        salt: [UInt8],
        info: [UInt8],
        byteCount: Int
    ) {
        self.init(byteCount: byteCount)
        let context = EVP_KDF_CTX_new(Algorithm.hkdf.required)
        defer { EVP_KDF_CTX_free(context) }
        let output = bytes.assumingMemoryBound(to: UInt8.self)
        let status = salt.withUnsafeBytes { salt in
            info.withUnsafeBytes { info in
                let parameters = [
                    .text("digest", "SHA2-256"),
                    .bytes("key", UnsafeRawBufferPointer(input.bytes)),
                    .bytes("salt", salt),
                    .bytes("info", info),
                    OSSL_PARAM_construct_end(),
                ]
                return EVP_KDF_derive(context, output.baseAddress, output.count, parameters)
            }
        }
        guard status == 1 else { Libcrypto.refused("to derive a key") }
    }

    private init(byteCount: Int) {
        precondition(byteCount > 0, "a key has bytes")
        bytes = .allocate(byteCount: byteCount, alignment: 16)
    }

    deinit {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }

    /// The size of the key in bytes.
    public var byteCount: Int { bytes.count }

    /// Calls a function with the bytes.
    ///
    /// - Parameter body: The function; must not keep the pointer.
    /// - Returns: What the call returns.
    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        body(UnsafeRawBufferPointer(bytes))
    }

    /// A mask.
    public var description: String { "SecretKey(••••••••)" }
    /// An empty mirror, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecretKey {
    /// The bytes as the library's functions take them.
    func withPointer<Value>(_ body: (UnsafePointer<UInt8>?) -> Value) -> Value {
        withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self).baseAddress) }
    }
}
