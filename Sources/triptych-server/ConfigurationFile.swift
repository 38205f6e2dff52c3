import Glibc
import TripDomain

/// Settings of a server as lines `TRIPTYCH_NAME=value`, as systemd reads them from an
/// `EnvironmentFile`.
///
/// Blank lines and lines that begin with `#` say nothing. A value may stand in double quotes.
struct ConfigurationFile {
    private let values: [String: Setting]

    /// The settings there are, without the prefix.
    static let names = [
        "MART", "KEY_FILE", "IDENTITY", "HOST", "PORT", "CERTIFICATE", "CERTIFICATE_KEY", "ISSUER",
        "REDIRECT_URIS", "WITH_WORKER", "REFERENCE", "MAIL_COMMAND", "MAIL_FROM", "PASSKEYS",
        "CONNECTIONS_PER_ADDRESS", "SIGN_INS_PER_ADDRESS", "TRUSTED_PROXY", "FOREIGN_ISSUER",
        "FOREIGN_AUDIENCE", "FOREIGN_KEYS", "FOREIGN_NAME_CLAIM", "LOG_FORMAT", "LOG_REQUESTS",
        "BREACHED_PASSWORDS", "PASSWORD_WORDS",
    ]

    /// The error of a setting or of a file of settings, in one sentence.
    struct Fault: Error, CustomStringConvertible {
        let description: String

        init(description: String) { self.description = description }

        /// The error of a setting, after where it stands; a default stands nowhere.
        init(_ setting: Setting?, _ sentence: String) {
            description = (setting.map { $0.origin + ": " } ?? "") + sentence
        }
    }

    /// No settings.
    init() { values = [:] }

    /// Reads a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``Fault`` that names the line.
    init(path: String) throws(Fault) {
        guard let file = fopen(path, "r") else {
            throw Self.unreadable(path, errno)
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= Self.byteCountMax {
            let count = fread(&block, 1, block.count, file)
            if count == 0 { break }
            bytes += block[..<count]
        }
        guard ferror(file) == 0 else {
            throw Self.unreadable(path, errno)
        }
        guard bytes.count <= Self.byteCountMax, let text = String(validating: bytes, as: UTF8.self)
        else { throw Fault(description: "\(path) is no text of at most 64 KiB.") }
        try self.init(text: text, path: path)
    }

    private static let byteCountMax = 64 * 1024

    private static func unreadable(_ path: String, _ number: Int32) -> Fault {
        Fault(description: "\(path) cannot be read: \(String(cString: strerror(number))).")
    }

    /// Reads the text of a file.
    init(text: String, path: String) throws(Fault) {
        var values: [String: Setting] = [:]
        // A line end of two bytes is one character.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let position = "\(path) line \(index + 1)"
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, sides[0].hasPrefix("TRIPTYCH_") else {
                throw Fault(description: "\(position) is no TRIPTYCH_NAME=value.")
            }
            let name = String(sides[0].dropFirst("TRIPTYCH_".count))
            guard Self.names.contains(name) else {
                let known = Self.names.map { "TRIPTYCH_" + $0 }.joined(separator: ", ")
                throw Fault(
                    description: "\(position): there is no setting \(sides[0]); there are \(known)."
                )
            }
            let written = Self.trimmed(sides[1])
            guard written.first != "'" else {
                throw Fault(description: "\(position): a value stands in double quotes or in none.")
            }
            let value = Setting(text: Self.unquoted(written), origin: "\(position), \(sides[0])")
            guard values.updateValue(value, forKey: name) == nil else {
                throw Fault(description: "\(position): \(sides[0]) is there twice.")
            }
        }
        self.values = values
    }

    /// A setting: from its flag, else from the environment, else from the file.
    ///
    /// - Parameters:
    ///   - name: The setting, without the prefix.
    ///   - flag: The value of its flag; nil where it is not given.
    /// - Returns: The value; nil where there is none, or an empty one.
    func setting(_ name: String, flag: String?) -> Setting? {
        precondition(
            Self.names.contains(name),
            "every setting that is read is a known one"
        )
        if let flag { return Setting(text: flag, origin: Self.flag(name)) }
        if let text = Environment.text(name) {
            return Setting(text: text, origin: "TRIPTYCH_\(name) of the environment")
        }
        return values[name].flatMap { $0.text.isEmpty ? nil : $0 }
    }

    /// The flag of a setting; the one that may be repeated is named for one of its values.
    private static func flag(_ name: String) -> String {
        if name == "REDIRECT_URIS" { return "--redirect-uri" }
        return "--" + name.lowercased().replacing("_", with: "-")
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" && $0 != "\r" }) else {
            return ""
        }
        return start[...end]
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

/// A value as it was written, and where: its error message begins with where to mend it.
struct Setting {
    /// The value.
    let text: String
    /// A flag, a variable of the environment, or a line of a file.
    let origin: String

    /// The value of `yes` or `no`.
    ///
    /// - Throws: ``ConfigurationFile/Fault`` where it is neither.
    func truth() throws(ConfigurationFile.Fault) -> Bool {
        switch text {
        case "yes": return true
        case "no": return false
        default: throw .init(self, "it is yes or no; it is '\(text)'.")
        }
    }

    /// A number that counts something.
    ///
    /// - Parameters:
    ///   - name: What it counts.
    ///   - max: The greatest there may be.
    /// - Returns: The number.
    /// - Throws: ``ConfigurationFile/Fault`` where it is none of them.
    func count(_ name: String, max: Int = 60_000) throws(ConfigurationFile.Fault) -> Int {
        guard let number = Int(text), (0...max).contains(number) else {
            throw .init(self, "the \(name) must lie between 0 and \(max); it is '\(text)'.")
        }
        return number
    }
}
