import TripDomain
import TripRules

/// Checks the column names of a reference file: each must be usable in rules and in tables.
enum ReferenceHeader {
    /// The greatest number of columns of a reference file: half the limit of the mart's tables.
    static let columnLimit = 1000

    /// Names that a lookup and its table use already.
    static let reservedNames = [
        ScopeLookup.matched, ScopeLookup.matchCount, "reference_row", "reference_line",
        "keyed_trip",
    ]

    /// Refuses names that are missing, reserved, or equal except for the case of ASCII letters,
    /// which SQL ignores.
    ///
    /// - Parameters:
    ///   - names: The header's names, in order.
    ///   - file: The file, for the message.
    /// - Throws: ``ReferenceFaults`` naming each column.
    static func check(_ names: [String], file: String) throws(ReferenceFaults) {
        guard names.count <= columnLimit else {
            throw ReferenceFaults([
                fault(
                    file,
                    "the header has \(names.count) columns; at most \(columnLimit) are read"
                )
            ])
        }
        var faults: [ReferenceFault] = []
        var seen: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            let folded = String(decoding: name.utf8.map(lowered), as: UTF8.self)
            if let problem = problem(folded, name, index, names, &seen) {
                faults.append(fault(file, problem))
            }
        }
        guard faults.isEmpty else { throw ReferenceFaults(faults) }
    }

    /// What is wrong with one name.
    private static func problem(
        _ folded: String,
        _ name: String,
        _ index: Int,
        _ names: [String],
        _ seen: inout [String: Int]
    ) -> String? {
        guard !folded.isEmpty else {
            return "column \(index + 1) of the header has no name; name it, or remove its comma"
        }
        guard !reservedNames.contains(folded) else {
            return "the column '\(name)' has a name that every lookup uses already; rename it"
        }
        guard let first = seen.updateValue(index, forKey: folded) else { return nil }
        let other = names[first]
        return other == name
            ? "the column '\(name)' occurs twice in the header; rename one of them"
            : "the columns '\(other)' and '\(name)' differ only by case, which SQL ignores; "
                + "rename one of them"
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
    }

    private static func fault(_ file: String, _ problem: String) -> ReferenceFault {
        ReferenceFault(
            position: SourcePosition(file: file, lineNumber: 1),
            remedy: "In this file \(problem)."
        )
    }
}
