public import TripIdentity

/// The accounts of a demo, whose password is public: it stands in the manual, on the sign-in page
/// and in what the server prints when it begins.
///
/// They see generated trips and no others.
public enum DemoAccounts {
    /// An account of a demo.
    public struct Account: Sendable {
        /// Its name.
        public let name: String
        /// Its one role.
        public let role: Role
        /// What the role is for, in a few words.
        let purpose: String
    }

    /// The password of all of them.
    public static let password = "synthetic trips only"

    /// The accounts.
    public static let all = [
        Account(name: "demo", role: .administrator, purpose: "every number, and single trips"),
        Account(name: "demo-viewer", role: .viewer, purpose: "numbers, small counts hidden"),
        Account(name: "demo-analyst", role: .analyst, purpose: "the same as demo, and runs"),
        Account(name: "demo-privacy", role: .privacyOfficer, purpose: "the same as demo-viewer"),
    ]

    /// What readers of generated trips must know.
    static let notice = "Its trips are synthetic: generated, and of no patient."

    /// The accounts as a table.
    static var rows: [String] {
        let names = all.map(\.name)
        let roles = all.map(\.role.rawValue)
        return zip(zip(padded(names), padded(roles)), all).map { columns, account in
            "\(columns.0)  \(columns.1)  \(account.purpose)"
        }
    }

    private static func padded(_ texts: [String]) -> [String] {
        let width = texts.map(\.count).max() ?? 0
        return texts.map { $0 + String(repeating: " ", count: width - $0.count) }
    }
}
