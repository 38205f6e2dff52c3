import Crypto
import FoundationEssentials
import Glibc
import JWTKit

/// The public keys of an external issuer, as read from its file.
struct ExternalKeys: Sendable {
    let collection: JWTKeyCollection
    /// The ids of the keys; the collection is asked for no others.
    let ids: Set<String>
    /// The state of the file when it was read.
    let mark: Mark

    /// No keys: no token is accepted.
    static let none = ExternalKeys(collection: JWTKeyCollection(), ids: [], mark: .none)

    /// The properties of a file by which a replaced file is noticed.
    struct Mark: Sendable, Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        /// The mark of a missing file.
        static let none = Mark(inode: 0, size: 0, seconds: 0, nanoseconds: 0)

        private init(inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64) {
            (self.inode, self.size) = (inode, size)
            (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
        }

        /// The mark of a file.
        ///
        /// - Parameter path: The file.
        /// - Throws: ``IdentityFault/folder(_:errno:)`` where its status cannot be read, or
        ///   ``IdentityFault/externalKeys(_:)`` where others than its owner may write it.
        init(_ path: String) throws(IdentityFault) {
            var status = stat()
            guard stat(path, &status) == 0 else { throw .folder(path, errno: errno) }
            guard status.st_mode & 0o022 == 0 else { throw .externalKeys(path) }
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        }
    }

    private struct KeySet: Decodable {
        let keys: [Key]
    }

    private struct Key: Decodable {
        let kty: String
        let crv: String?
        let use: String?
        let alg: String?
        let kid: String?
        let x: String?
        let y: String?

        /// The key with its id; nil where it is of another type, which RFC 7517 §5 says to ignore.
        func named() -> (id: String, key: ES256PublicKey)? {
            guard kty == "EC", crv == "P-256", use ?? "sig" == "sig", alg ?? "ES256" == "ES256",
                let kid, !kid.isEmpty, let x = x.flatMap({ Base64URL.bytes($0) }), x.count == 32,
                let y = y.flatMap({ Base64URL.bytes($0) }), y.count == 32,
                // A point that is not on the curve is no key.
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
                let library = try? ES256PublicKey(backing: key)
            else { return nil }
            return (kid, library)
        }
    }

    private static let sizeMax = 256 * 1024

    private init(collection: JWTKeyCollection, ids: Set<String>, mark: Mark) {
        (self.collection, self.ids, self.mark) = (collection, ids, mark)
    }

    /// Reads the keys.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``IdentityFault/externalKeys(_:)`` where it is not a key set, an id occurs twice,
    ///   or it has keys but none for ES256. A set without keys is valid.
    init(_ path: String) async throws {
        mark = try Mark(path)
        guard mark.size <= Self.sizeMax,
            // The library's error is not passed on, because it may quote the file.
            let data = try? Data(contentsOf: URL(filePath: path)),
            let set = try? JSONDecoder().decode(KeySet.self, from: data)
        else { throw IdentityFault.externalKeys(path) }
        let keys = set.keys.compactMap { $0.named() }
        ids = Set(keys.map(\.id))
        guard keys.isEmpty == set.keys.isEmpty, ids.count == keys.count else {
            throw IdentityFault.externalKeys(path)
        }
        collection = JWTKeyCollection()
        for (id, key) in keys { await collection.add(ecdsa: key, kid: JWKIdentifier(string: id)) }
    }
}
