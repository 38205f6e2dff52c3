import Glibc
import TripIdentity
import TripServer

/// The accounts of a demo.
///
/// They exist while the server runs, and their password is in the manual. What they may see are
/// generated trips.
struct DemoStay {
    let folder: IdentityFolder
    /// Held open while the server runs; the system lets go of it however that ends.
    private let lock: Int32

    private static let above = "/tmp"
    private static let prefix = "triptych-demo-"

    /// Makes a folder of its own, and removes those of servers that were killed.
    init() throws(IdentityFault) {
        Self.removeAbandoned()
        var template = Array("\(Self.above)/\(Self.prefix)XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw .folder(Self.above, errno: errno) }
        let path = String(cString: made)
        guard let lock = Self.hold(path) else { throw .folder(path, errno: errno) }
        (folder, self.lock) = (IdentityFolder(path: path), lock)
    }

    /// Adds the accounts.
    func fill(_ authentication: AuthenticationService) async throws {
        for account in DemoAccounts.all {
            let access = Access(roles: [account.role], seesNationalTotals: true)
            try await authentication.add(
                try AccountName(account.name),
                password: DemoAccounts.password,
                access: access
            )
        }
    }

    /// Removes all of it.
    func end() {
        folder.remove()
        close(lock)
    }

    /// Removes the folders whose servers are gone; one that is just being made has no accounts yet.
    private static func removeAbandoned() {
        guard let entries = opendir(above) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let folder = IdentityFolder(path: above + "/" + name)
            guard name.hasPrefix(prefix), folder.hasAccounts, let lock = hold(folder.path) else {
                continue
            }
            folder.remove()
            close(lock)
        }
    }

    /// Takes a folder of ours for this process; nil where it is another account's or another
    /// process has it.
    private static func hold(_ path: String) -> Int32? {
        let file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_uid == geteuid(),
            flock(file, LOCK_EX | LOCK_NB) == 0
        else {
            close(file)
            return nil
        }
        return file
    }
}
