import TripDomain

/// How a header differs from a layout.
public struct LayoutMismatch: Error, Sendable, Hashable {
    /// The layout compared with; empty where the source has one layout alone.
    public let layout: String
    /// Columns the layout reads and the header lacks.
    public var missing: [String] = []
    /// Columns the header has and no field uses.
    public var unknown: [String] = []
    /// Names the header has more than once.
    public var duplicate: [String] = []
    /// Layouts that all fit, where more than one does.
    public var ambiguous: [String] = []
    /// The columns the layout reads.
    var expected: Set<String> = []
    /// The header's names.
    var header: [String] = []

    init(layout: String) {
        self.layout = layout
    }

    /// Whether there is no difference.
    public var isEmpty: Bool { size == 0 && ambiguous.isEmpty }

    /// The number of differences.
    public var size: Int { missing.count + unknown.count + duplicate.count }

    /// The differences as a sentence for people.
    public var text: String {
        if !ambiguous.isEmpty {
            return "the header fits several layouts: \(ambiguous.joined(separator: ", "))"
        }
        var parts: [String] = []
        func add(_ names: [String], _ label: String) {
            guard !names.isEmpty else { return }
            let shown = names.prefix(8).map(Self.printable).joined(separator: ", ")
            let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
            parts.append("\(label) \(shown)\(rest)")
        }
        if let delimiter = betterDelimiter {
            return "the first line has one column; divided by \(delimiter.name) it has "
                + "\(delimiter.count) of the \(expected.count) that are expected: declare "
                + "`dialect: {delimiter: \(delimiter.word)}`"
        }
        add(missing.filter { twin($0) == nil }, "missing")
        parts += missing.compactMap { name in
            twin(name).map { "missing '\(name)', which the header writes '\($0)'" }
        }
        guard missing.count(where: { twin($0) == nil }) * 2 <= expected.count else {
            // The first line may be data, and its texts could name a patient: they are not printed.
            return "the first line is not the expected header: " + parts.joined(separator: "; ")
        }
        parts += missing.filter { twin($0) == nil }.compactMap(nearest)
        add(unknown, "unknown")
        add(duplicate, "twice")
        let against = layout.isEmpty ? "" : " (nearest layout: \(layout))"
        return "the header's columns differ: " + parts.joined(separator: "; ") + against
    }

    /// The header's name that differs from a missing one only by case and blanks.
    ///
    /// Such a name is never data, so it may be printed.
    private func twin(_ name: String) -> String? {
        func folded(_ text: String) -> String {
            text.lowercased().filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
        }
        return header.first { !expected.contains($0) && folded($0) == folded(name) }
    }

    /// A sentence with the unused name of the header that is nearest to a missing one.
    private func nearest(_ name: String) -> String? {
        let unused = header.filter { !expected.contains($0) }
        return NearestName.find(name, among: unused).map {
            "nearest to '\(name)' is \(Self.printable($0))"
        }
    }

    /// The delimiter that divides a header of one column into the expected ones.
    private var betterDelimiter: (name: String, word: String, count: Int)? {
        guard header.count == 1, expected.count > 1, let line = header.first else { return nil }
        let marks: [(mark: Character, name: String, word: String)] = [
            (",", "commas", "\",\""), (";", "semicolons", "\";\""), ("\t", "tabs", "tab"),
            ("|", "vertical bars", "\"|\""),
        ]
        let found = marks.map { mark in
            (mark.name, mark.word, Set(line.split(separator: mark.mark).map(String.init)))
        }
        let counted = found.map { ($0.0, $0.1, $0.2.intersection(expected).count) }
        return counted.max { $0.2 < $1.2 }.flatMap { $0.2 * 2 >= expected.count ? $0 : nil }
    }

    /// A name for printing.
    ///
    /// Long names and names with many digits could be data in the line of the header; only their
    /// length is printed.
    private static func printable(_ name: String) -> String {
        let digits = name.utf8.count { (0x30...0x39).contains($0) }
        return name.count <= 32 && digits <= 3 ? "'\(name)'" : "(\(name.count) characters)"
    }
}
