import Glibc

/// The folder with accounts, sessions and signing keys, which its owner alone can read.
///
///     <folder>/accounts.sqlite     accounts, sessions, and hashes of codes and tokens
///     <folder>/secret              32 random bytes from which refresh tokens are derived
///     <folder>/signing-keys/       the keys that sign access tokens, one per file
///     <folder>/access-record       the access record; its head is in a file beside it
public struct IdentityFolder: Sendable {
    /// The folder.
    public let path: String

    /// Names a folder.
    public init(path: String) { self.path = path }

    var accountsPath: String { path + "/accounts.sqlite" }
    var secretPath: String { path + "/secret" }
    var signingKeysPath: String { path + "/signing-keys" }
    var recordPath: String { path + "/access-record" }

    /// Whether the accounts' file exists.
    public var hasAccounts: Bool { access(accountsPath, F_OK) == 0 }

    /// Removes the folder and its files, where it held temporary accounts.
    public func remove() {
        // A folder that cannot be listed is treated as missing.
        for name in (try? SigningKeys.names(self)) ?? [] { unlink(signingKeysPath + "/" + name) }
        let record = [recordPath, recordPath + ".head"]
        for file in [secretPath, accountsPath, accountsPath + "-journal"] + record { unlink(file) }
        for folder in [signingKeysPath, path] { rmdir(folder) }
    }

    /// Creates the folder where it does not exist, and refuses one that others can read.
    ///
    /// - Throws: ``IdentityFault`` of the folder; also where there are accounts without their
    ///   secret.
    func prepare() throws(IdentityFault) {
        for folder in [path, signingKeysPath] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw .folder(folder, errno: errno)
            }
            try Self.requireOwn(folder)
        }
        if access(secretPath, F_OK) == 0 { return }
        // With another secret every failure count would be lost, and the record would count as
        // forged.
        guard !hasAccounts else { throw .folder(secretPath, errno: ENOENT) }
        try Self.write(RandomText.bytes(32), to: secretPath)
    }

    /// The 32 bytes from which refresh tokens are derived.
    func secret() throws(IdentityFault) -> [UInt8] {
        let bytes = try Self.read(secretPath)
        guard bytes.count == 32 else { throw .malformed(secretPath) }
        return bytes
    }

    /// Refuses a path that others than its owner can read, or that is not a file or folder: reading
    /// a pipe could wait without end.
    static func requireOwn(_ path: String) throws(IdentityFault) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .folder(path, errno: errno) }
        guard status.st_mode & 0o077 == 0 else { throw .openToOthers(path) }
        guard status.st_uid == geteuid() else { throw .notOurs(path) }
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { throw .malformed(path) }
    }

    /// Removes the permissions of other users on a file.
    static func restrict(_ path: String) throws(IdentityFault) {
        guard chmod(path, 0o600) == 0 else { throw .folder(path, errno: errno) }
    }

    /// Writes a file completely or not at all; it must not exist.
    static func write(_ bytes: [UInt8], to path: String) throws(IdentityFault) {
        let temporary = path + "." + RandomText.identifier() + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .folder(path, errno: errno) }
        defer { close(file) }
        let count = Glibc.write(file, bytes, bytes.count)
        guard count == bytes.count, fsync(file) == 0,
            link(temporary, path) == 0 || errno == EEXIST, unlink(temporary) == 0
        else {
            let number = Self.number(ofWritten: count, of: bytes.count)
            unlink(temporary)
            throw .folder(path, errno: number)
        }
        try syncFolder(of: path)
    }

    /// The system's error number after a failed write.
    ///
    /// A write that ended early was no error yet, and has none: no more bytes had room.
    static func number(ofWritten count: Int, of whole: Int) -> Int32 {
        (0..<whole).contains(count) ? ENOSPC : errno
    }

    /// Makes a file's name durable on the disk, as well as its bytes.
    static func syncFolder(of path: String) throws(IdentityFault) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let file = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .folder(folder, errno: errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .folder(folder, errno: errno) }
    }

    /// The bytes of a file that its owner alone can read.
    static func read(_ path: String) throws(IdentityFault) -> [UInt8] {
        try requireOwn(path)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .folder(path, errno: errno) }
        defer { close(file) }
        var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 64 * 1024))
        while true {
            let count = Glibc.read(file, &block, block.count)
            guard count >= 0 else { throw .folder(path, errno: errno) }
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }
}

/// A check of a folder of accounts: it opens what the server opens, and changes nothing.
public struct IdentityCheck: Sendable {
    /// The number of accounts that are not disabled; 0 where the folder does not exist yet.
    public let accountCount: Int

    /// Checks a folder as the user who will run the server.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - now: The time, in seconds of UTC.
    /// - Throws: ``IdentityFault`` where the server could not start.
    public init(_ folder: IdentityFolder, now: Int64) async throws(IdentityFault) {
        guard try Self.isThere(folder.path) else {
            accountCount = 0
            return
        }
        let hasKeys = try Self.isThere(folder.signingKeysPath)
        if access(folder.secretPath, F_OK) == 0 {
            _ = try folder.secret()
        } else if folder.hasAccounts {
            throw .folder(folder.secretPath, errno: ENOENT)
        }
        accountCount = try folder.hasAccounts ? IdentityStore.accountCount(folder) : 0
        for path in [folder.accountsPath, folder.recordPath] where access(path, F_OK) == 0 {
            guard access(path, R_OK | W_OK) == 0 else { throw .folder(path, errno: errno) }
        }
        if hasKeys { try await Self.openKeys(folder, now) }
    }

    /// Whether a folder exists and its owner alone can read it; where it does not exist, it must be
    /// possible to create it.
    private static func isThere(_ path: String) throws(IdentityFault) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .folder(path, errno: errno) }
            let above = path.split(separator: "/").dropLast().joined(separator: "/")
            let parent = path.hasPrefix("/") ? "/" + above : above.isEmpty ? "." : above
            guard access(parent, W_OK | X_OK) == 0 else { throw .folder(path, errno: errno) }
            return false
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .folder(path, errno: ENOTDIR) }
        try IdentityFolder.requireOwn(path)
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw .folder(path, errno: errno) }
        return true
    }

    private static func openKeys(_ folder: IdentityFolder, _ now: Int64) async throws(IdentityFault)
    {
        do {
            _ = try await SigningKeys(folder, now: now)
        } catch let fault as IdentityFault {
            throw fault
        } catch {
            // The library's message may quote what it read.
            throw .malformed(folder.signingKeysPath)
        }
    }
}
