import TripDomain

/// Checks the column names of a reference file: each must be usable in rules and in tables.
enum ReferenceHeader {
    /// The most columns a reference file can have: the tables of the mart stop at twice as many.
    static let columnLimit = 1000

    /// Names that a look-up and its table have already.
    static let reservedNames = [
        ScopeLookup.matched, ScopeLookup.matchCount, "reference_row", "reference_line",
        "keyed_trip",
    ]

    /// Refuses names that are missing, taken, or equal but for the case of ASCII letters, as SQL
    /// sees them.
    ///
    /// - Parameters:
    ///   - names: The header's names, in order.
    ///   - file: The file, for the message.
    /// - Throws: ``EngineError`` with code `badReference` naming the column.
    static func check(_ names: [String], file: String) throws(EngineError) {
        guard names.count <= columnLimit else {
            throw fault(
                file,
                "the header has \(names.count) columns; at most \(columnLimit) are read"
            )
        }
        var seen: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            let folded = String(decoding: name.utf8.map(lowered), as: UTF8.self)
            guard !folded.isEmpty else {
                throw fault(
                    file,
                    "column \(index + 1) of the header has no name; name it, or take its comma away"
                )
            }
            guard !reservedNames.contains(folded) else {
                throw fault(
                    file,
                    "the column '\(name)' has a name that every look-up has already; rename it"
                )
            }
            if let first = seen.updateValue(index, forKey: folded) {
                let other = names[first]
                throw fault(
                    file,
                    other == name
                        ? "the column '\(name)' stands twice in the header; rename one of them"
                        : "the columns '\(other)' and '\(name)' differ by case alone, which SQL "
                            + "does not tell apart; rename one of them"
                )
            }
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
    }

    private static func fault(_ file: String, _ what: String) -> EngineError {
        EngineError(
            code: .badReference,
            place: SourcePlace(file: file, lineNumber: 1),
            remedy: "In this file \(what)."
        )
    }
}
