import Glibc

/// A look at a folder of accounts, which opens all that serving opens and changes nothing.
public struct IdentityLook: Sendable {
    /// The accounts that are not disabled; none where the folder is still to be made.
    public let accountCount: Int

    /// Looks at a folder as the account that will serve it.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - now: The time, in seconds of UTC.
    /// - Throws: ``IdentityFault`` of what serving could not begin with.
    public init(_ folder: IdentityFolder, now: Int64) async throws(IdentityFault) {
        guard try Self.isThere(folder.path) else {
            accountCount = 0
            return
        }
        let hasKeys = try Self.isThere(folder.signingKeysPath)
        if access(folder.secretPath, F_OK) == 0 {
            _ = try folder.secret()
        } else if folder.isMade {
            throw .folder(folder.secretPath, errno: ENOENT)
        }
        accountCount = try folder.isMade ? IdentityStore.accountCount(folder) : 0
        for path in [folder.accountsPath, folder.recordPath] where access(path, F_OK) == 0 {
            guard access(path, R_OK | W_OK) == 0 else { throw .folder(path, errno: errno) }
        }
        if hasKeys { try await Self.openKeys(folder, now) }
    }

    /// Whether a folder is there that its owner alone can read; where it is not, it must be one that can be made.
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
            // A library's words may quote what it read.
            throw .malformed(folder.signingKeysPath)
        }
    }
}
