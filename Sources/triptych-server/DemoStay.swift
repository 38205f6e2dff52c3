import Glibc
import Logging
import TripIdentity

/// Accounts for whoever wants to have a look.
///
/// They exist while the server runs, and their password is in the manual. What they may see are generated trips.
struct DemoStay {
    let folder: IdentityFolder
    private let logger: Logger

    static let password = "synthetic trips only"

    private static let accounts: KeyValuePairs<String, Role> = [
        "demo": .administrator, "demo-viewer": .viewer, "demo-analyst": .analyst,
        "demo-privacy": .privacyOfficer,
    ]

    /// Makes a folder of its own.
    init(logger: Logger) throws(IdentityFault) {
        self.logger = logger
        var template = Array("/tmp/triptych-demo-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw .folder("/tmp", errno: errno) }
        folder = IdentityFolder(path: String(cString: path))
    }

    /// Adds the accounts.
    func fill(_ authority: Authority) async throws {
        for (name, role) in Self.accounts {
            let access = Access(roles: [role], seesNationalTotals: true)
            try await authority.add(try AccountName(name), password: Self.password, access: access)
        }
        let names = Self.accounts.map(\.key).joined(separator: ", ")
        logger.notice("demo accounts: \(names); password: \(Self.password)")
    }

    /// Removes all of it.
    func end() { folder.remove() }
}
