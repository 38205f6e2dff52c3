import Crypto
import FoundationEssentials
import Glibc
import JWTKit

/// The public keys of another issuer, as its file has them.
struct ForeignKeys: Sendable {
    let collection: JWTKeyCollection
    /// Their names; the collection is asked for no other.
    let ids: Set<String>
    /// What the file was when it was read.
    let mark: Mark

    /// No keys: nobody is trusted.
    static let none = ForeignKeys(collection: JWTKeyCollection(), ids: [], mark: .none)

    /// What tells a file from the one that was there before.
    struct Mark: Sendable, Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        /// The mark of no file.
        static let none = Mark(inode: 0, size: 0, seconds: 0, nanoseconds: 0)

        private init(inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64) {
            (self.inode, self.size) = (inode, size)
            (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
        }

        /// The mark of a file.
        ///
        /// - Parameter path: The file.
        /// - Throws: ``IdentityFault/folder(_:errno:)`` where it cannot be looked at, or ``IdentityFault/foreignKeys(_:)``
        ///   where others than its owner may write it.
        init(_ path: String) throws(IdentityFault) {
            var status = stat()
            guard stat(path, &status) == 0 else { throw .folder(path, errno: errno) }
            guard status.st_mode & 0o022 == 0 else { throw .foreignKeys(path) }
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

        /// The key's name and itself; nil where it is of another kind, which RFC 7517 §5 has us leave out.
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
    /// - Throws: ``IdentityFault/foreignKeys(_:)`` where it is no set of keys, has one name twice, or none of its keys signs
    ///   by ES256. A set without keys is one.
    init(_ path: String) async throws {
        mark = try Mark(path)
        guard mark.size <= Self.sizeMax,
            // Why it is none is said by nobody: the words may quote what is in it.
            let data = try? Data(contentsOf: URL(filePath: path)),
            let set = try? JSONDecoder().decode(KeySet.self, from: data)
        else { throw IdentityFault.foreignKeys(path) }
        let keys = set.keys.compactMap { $0.named() }
        ids = Set(keys.map(\.id))
        guard keys.isEmpty == set.keys.isEmpty, ids.count == keys.count else {
            throw IdentityFault.foreignKeys(path)
        }
        collection = JWTKeyCollection()
        for (id, key) in keys { await collection.add(ecdsa: key, kid: JWKIdentifier(string: id)) }
    }
}
