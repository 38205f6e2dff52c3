public import TripEngine

/// The time zones of the system.
public enum ZoneFiles {
    /// Where compiled zone files lie.
    static let folder = "/usr/share/zoneinfo"

    /// Loads a zone by its name.
    ///
    /// - Parameters:
    ///   - name: Such as `America/New_York`.
    ///   - file: The file that names it, for the message.
    ///   - line: The line that names it, from 1; 0 where it is not known.
    /// - Returns: Its offsets through time.
    /// - Throws: ``PipelineFault`` where the system has no such zone.
    public static func load(
        _ name: String,
        namedBy file: String,
        line: Int = 0
    ) throws(PipelineFault) -> TimeZoneRules {
        if name == "UTC" { return TimeZoneRules(name: name, fixedOffset: 0) }
        let isPlain = name.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || (0x30...0x39).contains(byte) || "/_-+".utf8.contains(byte)
        }
        let isInside = isPlain && !name.hasPrefix("/") && !name.isEmpty
        guard isInside, let bytes = try? FileText.read(folder + "/" + name, shown: name),
            // The remedy is the same for every reason why the file cannot be read.
            let rules = TimeZoneRules(name: name, bytes: bytes)
        else {
            throw PipelineFault(
                file: file,
                line: line,
                message: "the time zone '\(name)' is not known to this system",
                suggestion: "Use a name such as America/New_York; zones come with the package "
                    + "tzdata."
            )
        }
        return rules
    }
}
