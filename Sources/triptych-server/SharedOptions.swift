import ArgumentParser
import Glibc
import TripIdentity

/// Where the numbers and the accounts lie.
struct PlaceOptions: ParsableArguments {
    @Option(help: "The mart's folder. [env: TRIPTYCH_MART] (default: data/mart)")
    var mart: String?

    @Option(
        help:
            "The folder of accounts and keys. [env: TRIPTYCH_IDENTITY] (default: the mart's path + .identity)"
    )
    var identity: String?

    var martPath: String { mart ?? Environment.text("MART") ?? "data/mart" }

    var identityFolder: IdentityFolder {
        IdentityFolder(path: identity ?? Environment.text("IDENTITY") ?? martPath + ".identity")
    }

    /// The accounts, for commands that read or change them.
    ///
    /// - Parameter isMaking: Whether a folder is made where there is none.
    /// - Returns: The accounts.
    /// - Throws: ``IdentityFault``; where there are none, unless some are to be made.
    func authority(isMaking: Bool = false) async throws -> Authority {
        guard isMaking || identityFolder.isMade else {
            throw IdentityFault.noAccounts(identityFolder.path)
        }
        // No token is made by a command, so none names the address.
        return try await Authority(identityFolder, issuer: "", now: { Int64(time(nil)) })
    }
}

/// What an account may do.
struct AccessOptions: ParsableArguments {
    @Option(
        name: .customLong("role"),
        help: "viewer, administrator, analyst or privacy_officer; may be repeated."
    )
    var roles: [String]

    @Option(
        name: .customLong("region"),
        help: "A region whose trips the account may see; may be repeated. (default: all)"
    )
    var regions: [String] = []

    @Flag(help: "See totals over all regions beside those of its own.")
    var nationalTotals = false

    func access() throws -> Access {
        let known = try roles.map { word throws(IdentityFault) in
            guard let role = Role(rawValue: word) else { throw .noSuchRole(word) }
            return role
        }
        return Access(
            roles: Set(known),
            regions: regions.isEmpty ? nil : Set(regions),
            seesNationalTotals: nationalTotals || regions.isEmpty
        )
    }
}

/// Variables of the program's own.
enum Environment {
    /// The value of `TRIPTYCH_<name>`; nil where it is not set or empty.
    static func text(_ name: String) -> String? {
        guard let value = getenv("TRIPTYCH_" + name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

/// How a command ends that could not do what it was asked.
enum CommandFailure {
    static func end(_ text: String, status: Int32) throws -> Never {
        _ = "triptych-server: \(text)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
        throw ExitCode(status)
    }

    /// Runs a command's work; what is wrong with accounts ends it with a sentence.
    static func reporting(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let fault as IdentityFault {
            try end("\(fault)", status: fault.isAboutInput ? 65 : 74)
        }
    }
}

/// What a command says of its work.
enum Output {
    /// One line on standard output.
    static func line(_ text: String) {
        _ = (text + "\n").withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    }
}

/// Rows under each other.
enum TextTable {
    /// Columns as wide as their widest text, and nothing behind the last one.
    static func lines(_ rows: [[String]]) -> [String] {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
