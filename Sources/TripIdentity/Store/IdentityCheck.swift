import Glibc

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
