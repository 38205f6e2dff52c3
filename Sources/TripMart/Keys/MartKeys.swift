import Glibc
import TripCrypto
import TripDomain

/// The keys of a mart, all derived from the 32 random bytes of its key file.
///
///     key file ─ HKDF-SHA256 ─┬─ "look-up"   HMAC of patient identifiers
///                             ├─ "sealing"   AES-256-GCM of identifiers and raw records
///                             ├─ "trip-ref"  AES-256 key wrap of trip ids
///                             ├─ "version-digest"  HMAC of the values of a trip
///                             ├─ "page-cursor"  a key per list: AES-256 key wrap of positions
///                             └─ "check"     kept in `meta` in clear: identifies the key file
///
/// The check value comes from the same one-way derivation as the keys, and reveals nothing about
/// them. The type's descriptions and mirrors reveal no key.
public struct MartKeys: Sendable, CustomStringConvertible, CustomReflectable {
    let lookUp: SecretKey
    let sealing: SecretKey
    let tripRef: SecretKey
    let pageCursor: SecretKey
    let versionDigest: SecretKey
    /// The value in `meta` that identifies the mart's key file: 32 hexadecimal digits.
    public let checkValue: String

    /// Derives the keys.
    ///
    /// - Precondition: the secret is 32 bytes.
    init(secret: [UInt8]) {
        precondition(secret.count == 32, "a key file holds 32 bytes")
        let input = SecretKey(secret)
        func derive(_ purpose: String, _ size: Int) -> SecretKey {
            Self.derive(from: input, info: Array(purpose.utf8), size: size)
        }
        lookUp = derive("look-up", 32)
        sealing = derive("sealing", 32)
        tripRef = derive("trip-ref", 32)
        pageCursor = derive("page-cursor", 32)
        versionDigest = derive("version-digest", 32)
        checkValue = derive("check", 16).withUnsafeBytes { Hex.text($0) }
    }

    /// Derives a key for one purpose.
    static func derive(from input: SecretKey, info: [UInt8], size: Int) -> SecretKey {
        SecretKey(
            derivedFrom: input,
            salt: Array("triptych key 1".utf8),
            info: info,
            byteCount: size
        )
    }

    /// A mask.
    public var description: String { "MartKeys(••••••••)" }
    /// An empty mirror, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MartKeys {
    private static let header = "triptych key 1"

    /// Opens the keys of a mart, and refuses any key file but the mart's own.
    ///
    /// A mart that has generations needs the key file it was made with: a missing key file, one
    /// that other users can read, or another one is refused before any work. A mart without
    /// generations uses an existing key file, and this call creates none.
    ///
    /// - Parameters:
    ///   - keyFile: The path of the key file; outside the mart.
    ///   - folder: The mart.
    /// - Returns: The keys; nil where there is no key file and the mart has no generations yet.
    /// - Throws: ``MartError`` with code `keyMissing`, `keyWrong`, `keyPermissions`,
    ///   `keyUnreadable` or `keyMalformed`, or of the mart.
    public static func open(
        keyFile: String,
        for folder: MartFolder
    ) throws(MartError) -> MartKeys? {
        let expected = try MartKeyCheck.value(of: folder)
        guard try isThere(keyFile) else {
            if expected == nil, try !folder.hasGenerations() { return nil }
            throw MartError(
                .keyMissing,
                file: keyFile,
                remedy: "This mart was made with a key file that is missing. Restore it from "
                    + "its safe copy, or give it with --key-file. No new key is created."
            )
        }
        let keys = try read(keyFile)
        if let expected, expected != keys.checkValue {
            throw MartError(
                .keyWrong,
                file: keyFile,
                remedy: "This mart was made with another key file. Give that one with --key-file."
            )
        }
        return keys
    }

    /// Creates a new key file of 32 random bytes, readable by its owner alone.
    ///
    /// Only to be called when generation 1 is about to be written.
    ///
    /// - Parameter keyFile: The path; no file may exist there.
    /// - Returns: The keys.
    /// - Throws: ``MartError`` with code `keyExists`, `sealBroken` where the system gives no random
    ///   bytes, or of the file.
    public static func create(keyFile: String) throws(MartError) -> MartKeys {
        guard try !isThere(keyFile) else {
            throw MartError(
                .keyExists,
                file: keyFile,
                remedy: "A key file already exists, and is never overwritten."
            )
        }
        let folder = parent(of: keyFile)
        try FileSystem.makeFolder(folder, mode: 0o700)
        let secret: [UInt8]
        do throws(CryptoFault) {
            secret = try RandomBytes.make(32)
        } catch {
            throw MartError(.sealBroken, remedy: error.remedy, cause: error)
        }
        let text = header + "\n" + Hex.text(secret) + "\n"
        // A file truncated by a crash must not pass for a key: it gets its name when it is
        // complete. Until then it has one that no other file has: beside the key may lie others.
        let unique = UInt64.random(in: 0...UInt64.max)
        let temporary = keyFile + ".building-" + String(unique, radix: 16)
        do throws(MartError) {
            try FileSystem.writeNew(Array(text.utf8), to: temporary, mode: 0o600)
            try FileSystem.moveToNewName(temporary, keyFile)
        } catch {
            // A partial key file has no use: nothing was sealed with it.
            try? FileSystem.remove(temporary)
            throw error
        }
        try FileSystem.sync(folder)
        return MartKeys(secret: secret)
    }

    /// Whether a key file, or a link to one, has this path.
    static func isThere(_ path: String) throws(MartError) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw unreadable(path, errno) }
        return false
    }

    static func read(_ path: String) throws(MartError) -> MartKeys {
        var status = stat()
        guard stat(path, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw malformed(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw MartError(
                .keyPermissions,
                file: path,
                remedy: "Users other than its owner can read the key file. Run chmod 600 on it, "
                    + "and find out who may have read it."
            )
        }
        // The error of the mart's reading has no number: to name the accounts in it, the system is
        // asked more questions.
        guard access(path, R_OK) == 0 else { throw unreadable(path, errno) }
        let bytes: [UInt8]
        do throws(MartError) {
            bytes = try FileSystem.readAll(path)
        } catch {
            throw unreadable(path, EIO)
        }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0] == header, lines[2].isEmpty,
            let secret = Hex.bytes(lines[1]), secret.count == 32
        else { throw malformed(path) }
        return MartKeys(secret: secret)
    }

    private static func malformed(_ path: String) -> MartError {
        MartError(
            .keyMalformed,
            file: path,
            remedy: "This is not a key file: it has a header line and one line of 64 "
                + "hexadecimal digits. Restore it from its safe copy."
        )
    }

    private static func unreadable(_ path: String, _ number: Int32) -> MartError {
        MartError(
            .keyUnreadable,
            file: path,
            remedy: "The key file cannot be read: \(String(cString: strerror(number))). Let the "
                + "account of this command, and it alone, read the file and its folder; or name "
                + "the mart's key file with --key-file."
        )
    }

    private static func parent(of path: String) -> String {
        guard let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return cut == path.startIndex ? "/" : String(path[..<cut])
    }
}
