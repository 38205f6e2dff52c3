import Crypto
import Glibc
import JWTKit

/// The keys that sign access tokens, as files of their folder: `<second made>-<id>.pem`.
///
/// The newest key signs. A replaced key verifies for as long as a token of it can be valid.
struct SigningKeys: Sendable {
    /// The id of the key that signs; nil where there is no key.
    let signingID: String?
    /// The keys that verify, by id, for other programs that check this server's tokens.
    let publicKeys: [TokenKey]
    /// The same keys for the library, which is only asked for ids among them.
    let collection: JWTKeyCollection
    /// The names of the files that the keys were read from.
    let fileNames: [String]

    /// How long a replaced key verifies, in seconds: longer than any access token lives.
    private static let overlap: Int64 = 3600

    /// Reads the keys of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - now: The time, in seconds of UTC.
    /// - Throws: ``IdentityFault`` of a file that is not a key.
    init(_ folder: IdentityFolder, now: Int64) async throws {
        fileNames = try Self.names(folder)
        collection = JWTKeyCollection()
        let files = fileNames.compactMap { KeyName($0) }.sorted { $0.madeAt > $1.madeAt }
        var keys: [TokenKey] = []
        for (index, file) in files.enumerated() {
            if index > 0, files[index - 1].madeAt + Self.overlap < now { break }
            let path = folder.signingKeysPath + "/" + file.text
            let key = try Self.key(path)
            let point = Array(key.publicKey.x963Representation)
            guard Self.id(of: key) == file.id else { throw IdentityFault.malformed(path) }
            keys.append(
                TokenKey(
                    id: file.id,
                    x: Base64URL.text(point[1..<33]),
                    y: Base64URL.text(point[33..<65])
                )
            )
            let library = try ES256PrivateKey(backing: key)
            await collection.add(ecdsa: library, kid: JWKIdentifier(string: file.id))
        }
        publicKeys = keys
        signingID = keys.first?.id
    }

    /// Makes a key that signs from now on, and deletes the keys that no longer verify.
    ///
    /// - Parameters:
    ///   - folder: The folder for the key.
    ///   - now: The time, in seconds of UTC.
    ///   - withdrawing: Whether the earlier keys verify nothing from now on.
    /// - Returns: Its id.
    /// - Throws: ``IdentityFault`` of the folder.
    @discardableResult
    static func rotate(
        _ folder: IdentityFolder,
        now: Int64,
        withdrawing: Bool = false
    ) throws(IdentityFault) -> String {
        try folder.prepare()
        let files = try names(folder).compactMap { KeyName($0) }.sorted { $0.madeAt > $1.madeAt }
        let key = P256.Signing.PrivateKey()
        let id = id(of: key)
        // It is later than the newest key, also where the clock was set back.
        let madeAt = max(now, (files.first?.madeAt ?? 0) + 1)
        let name = KeyName(madeAt: madeAt, id: id)
        let path = folder.signingKeysPath + "/" + name.text
        try IdentityFolder.write(Array((key.pemRepresentation + "\n").utf8), to: path)
        let replaced = zip(files, files.dropFirst()).filter { $0.0.madeAt + overlap < now }.map(\.1)
        for file in withdrawing ? files : replaced {
            unlink(folder.signingKeysPath + "/" + file.text)
        }
        return id
    }

    /// The names of the key files, in order.
    static func names(_ folder: IdentityFolder) throws(IdentityFault) -> [String] {
        guard let entries = opendir(folder.signingKeysPath) else {
            throw .folder(folder.signingKeysPath, errno: errno)
        }
        defer { closedir(entries) }
        var names: [String] = []
        while true {
            // Only the error number tells the end of the folder from a failure.
            errno = 0
            guard let entry = readdir(entries) else {
                guard errno == 0 else { throw .folder(folder.signingKeysPath, errno: errno) }
                return names.sorted()
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".pem") { names.append(name) }
        }
    }

    private static func key(_ path: String) throws(IdentityFault) -> P256.Signing.PrivateKey {
        let text = String(decoding: try IdentityFolder.read(path), as: UTF8.self)
        do {
            return try P256.Signing.PrivateKey(pemRepresentation: text)
        } catch {
            throw .malformed(path)
        }
    }

    /// The id of a key, derived from its public half.
    private static func id(of key: P256.Signing.PrivateKey) -> String {
        let hash = SHA256.hash(data: Array(key.publicKey.x963Representation))
        return Base64URL.text(Array(hash).prefix(12))
    }
}

/// The name of a key file.
private struct KeyName {
    let madeAt: Int64
    let id: String

    init(madeAt: Int64, id: String) { (self.madeAt, self.id) = (madeAt, id) }

    /// Reads a name; nil where it is not that of a key file.
    init?(_ text: String) {
        let parts = text.dropLast(".pem".count).split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let madeAt = Int64(parts[0]), (0..<1 << 40).contains(madeAt) else {
            return nil
        }
        self.init(madeAt: madeAt, id: String(parts[1]))
    }

    var text: String { "\(madeAt)-\(id).pem" }
}

/// A key that verifies tokens, as in a JWK (RFC 7518 §6.2.1): ES256, on the curve P-256.
public struct TokenKey: Sendable, Hashable {
    /// Its id.
    public let id: String
    /// The x coordinate of its point, as base64url.
    public let x: String
    /// The y coordinate of its point, as base64url.
    public let y: String
}
