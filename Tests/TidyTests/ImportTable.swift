/// What each target may import beside the standard library: the table of `docs/STYLE.md`.
///
/// A target exists because it forbids something. An import that is not in the table is a change of
/// the architecture, and belongs into a review of that table.
enum ImportTable {
    /// Modules of the toolchain that any target may use.
    static let everywhere: Set = ["Swift", "Glibc", "Synchronization"]

    static let allowed: [String: Set<String>] = [
        "TripCrypto": ["CLibcrypto"],
        "TripDomain": ["Dispatch"],
        "TripText": ["TripDomain"],
        "TripRules": ["TripDomain"],
        "TripEngine": ["TripDomain", "TripRules", "TripCrypto", "CZlib", "CLibdeflate"],
        "TripSynthetic": ["TripDomain", "TripText", "CZlib"],
        "TripDisclosure": ["TripDomain"],
        "TripMart": ["TripDomain", "TripDisclosure", "TripCrypto", "CSQLite", "Dispatch"],
        "TripPipeline": ["TripDomain", "TripRules", "TripEngine", "Yams"],
        "TripRuns": [
            "TripDomain", "TripText", "TripRules", "TripEngine", "TripSynthetic", "TripMart",
            "TripPipeline",
        ],
        "TripReports": [
            "TripDomain", "TripText", "TripRules", "TripMart", "TripPipeline", "TripRuns",
            "Mustache",
        ],
        "TripIdentity": [
            "GRDB", "GRDBSQLite", "Crypto", "CryptoExtras", "JWTKit", "FoundationEssentials",
            "Dispatch",
        ],
        "TripServer": [
            "TripDomain", "TripText", "TripMart", "TripIdentity", "Mustache", "Hummingbird",
            "HummingbirdCore",
            "HTTPTypes", "NIOCore", "NIOHTTP1", "NIOHTTPTypes",
            "NIOPosix", "NIOSSL", "ServiceLifecycle", "UnixSignals", "Crypto", "CZlib", "CMalloc",
            "Logging",
        ],
        "embed-files": ["Foundation"],
        "EmbedFilesPlugin": ["Foundation", "PackagePlugin"],
        "triptych-server": [
            "TripDomain", "TripText", "TripCrypto", "TripServer", "TripIdentity",
            "ArgumentParser", "Logging",
        ],
        "triptych": [
            "TripDomain", "TripText", "TripCrypto", "TripMart", "TripRuns", "TripReports",
            "ArgumentParser", "CMalloc",
        ],
    ]

    static func breaches(_ path: String, _ text: SwiftText) -> [Breach] {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count > 2, parts[0] == "Sources" else { return [] }
        guard let modules = allowed[parts[1]] else {
            return [Breach(path, "the target \(parts[1]) is not in the import table")]
        }
        return imports(text).filter { module, _ in
            !modules.contains(module) && !everywhere.contains(module)
        }.map { Breach(path, line: $1, "\(parts[1]) may not import \($0)") }
    }

    /// The modules a file imports, with their lines.
    static func imports(_ text: SwiftText) -> [(module: String, line: Int)] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
        return text.code.enumerated().compactMap { index, line in
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.levels.contains($0) })
            else { return nil }
            let rest = words[(place + 1)...].drop { kinds.contains($0) }
            let name = rest.first?.split(separator: ".").first
            return name.map { (String($0), index + 1) }
        }
    }

    private static let levels: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate",
    ]
}
