internal import CLibcrypto
import Glibc

/// The operating system's cryptography library: OpenSSL's libcrypto, 3.0 or newer.
///
/// Which provider carries the algorithms out is a matter of the library's configuration
/// (`openssl.cnf`, or the file that `OPENSSL_CONF` names), not of this program.
public enum Libcrypto {
    /// Checks that every algorithm the program uses is there.
    ///
    /// To be called once when a program starts. The other types of this target end the process
    /// where an algorithm is missing.
    ///
    /// - Throws: ``CryptoFault`` with code `algorithmMissing`, naming the first that is missing.
    public static func check() throws(CryptoFault) {
        for algorithm in Algorithm.all where algorithm.pointer == nil {
            throw CryptoFault(
                .algorithmMissing,
                remedy:
                    "The system's OpenSSL offers no \(algorithm.name). Check the providers that "
                    + "its configuration activates: openssl list -providers"
            )
        }
    }

    /// Ends the process with a sentence, where the library refuses what cannot fail with memory to
    /// spare: no caller may take that for a forged ref or a damaged file.
    @inline(never)
    static func refused(_ what: String) -> Never {
        // A precondition of an optimized program prints nothing.
        let line = "The system's OpenSSL refused \(what). Check its memory and configuration.\n"
        _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        preconditionFailure("the system's OpenSSL works")
    }

    /// Whether the library has read its configuration.
    ///
    /// Without `NO_ATEXIT` the library would free its tables when the process ends, while threads
    /// that still hash may use them.
    fileprivate static let isReady =
        OPENSSL_init_crypto(
            UInt64(OPENSSL_INIT_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT),
            nil
        ) == 1
}

/// An algorithm of the library, fetched once for the whole process and never freed.
///
/// A fetch searches the tables of all providers under a lock, so no loop fetches.
///
/// `@unchecked Sendable`: what a fetch returns never changes, and the library allows any thread to
/// use it at any time.
struct Algorithm: @unchecked Sendable {
    let name: String
    fileprivate let pointer: OpaquePointer?

    /// What the library's functions take.
    var required: OpaquePointer {
        guard let pointer else { Libcrypto.refused(name) }
        return pointer
    }

    private init(_ name: String, _ fetch: (String) -> OpaquePointer?) {
        self.name = name
        pointer = Libcrypto.isReady ? fetch(name) : nil
    }

    static let sha256 = Algorithm("SHA2-256") { EVP_MD_fetch(nil, $0, nil) }
    static let hmac = Algorithm("HMAC") { EVP_MAC_fetch(nil, $0, nil) }
    static let hkdf = Algorithm("HKDF") { EVP_KDF_fetch(nil, $0, nil) }
    static let aesGCM = Algorithm("AES-256-GCM") { EVP_CIPHER_fetch(nil, $0, nil) }
    static let aesKeyWrap = Algorithm("AES-256-WRAP-PAD") { EVP_CIPHER_fetch(nil, $0, nil) }

    fileprivate static var all: [Algorithm] { [sha256, hmac, hkdf, aesGCM, aesKeyWrap] }
}

extension OSSL_PARAM {
    /// A parameter that is a name, such as that of a digest.
    static func text(_ name: StaticString, _ value: StaticString) -> OSSL_PARAM {
        OSSL_PARAM_construct_utf8_string(name.characters, .init(mutating: value.characters), 0)
    }

    /// A parameter of bytes, which must stay where they are until the library has taken them.
    static func bytes(_ name: StaticString, _ value: UnsafeRawBufferPointer) -> OSSL_PARAM {
        OSSL_PARAM_construct_octet_string(
            name.characters,
            .init(mutating: value.baseAddress),
            value.count
        )
    }
}

extension StaticString {
    /// The text with a zero byte behind it, for C.
    fileprivate var characters: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

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
