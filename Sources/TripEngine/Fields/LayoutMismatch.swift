import TripDomain

/// How a header differs from a layout.
///
/// The line of the header may be one of data, or a cell of it may, and data can name a patient. So
/// its columns are named by their numbers; a text of the header is printed only where it is so near
/// to a declared name that it can be nothing else.
public struct LayoutMismatch: Error, Sendable, Hashable {
    /// The layout compared with; empty where the source has one layout alone.
    public let layout: String
    /// Columns the layout reads and the header lacks.
    public var missing: [String] = []
    /// The indexes of columns that no field uses.
    public var unknown: [Int] = []
    /// The indexes of columns whose name an earlier column has.
    public var duplicate: [Int] = []
    /// Layouts that all fit, where more than one does.
    public var ambiguous: [String] = []
    /// The columns the layout reads.
    var expected: Set<String> = []
    /// The columns the layout reads or ignores by name.
    var declared: Set<String> = []
    /// The header's names.
    var header: [String] = []
    /// What divides the cells of the file, as the source declares it.
    var delimiter: UInt8?

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
        if let delimiter = betterDelimiter {
            if delimiter.byte == self.delimiter {
                return
                    "the first line stands in quotes as a whole, so that it is one cell: have the "
                    + "export written with quotes around single cells, or without any"
            }
            return "the first line has one column; divided by \(delimiter.name) it has "
                + "\(delimiter.count) of the \(expected.count) that are expected: declare "
                + "`dialect: {delimiter: \(delimiter.word)}`"
        }
        let others = missing.filter { twin($0) == nil }
        var parts = others.isEmpty ? [] : ["missing " + Self.list(others.map { "'\($0)'" })]
        parts += missing.compactMap { name in
            twin(name).map { "missing '\(name)', which the header writes '\($0)'" }
        }
        guard others.count * 2 <= expected.count else {
            return "the first line is not the expected header: " + parts.joined(separator: "; ")
        }
        parts += nearest(others)
        let nameless = (unknown + duplicate).filter { header[$0].isEmpty }
        // Of two columns without a name, the first is no duplicate and yet as nameless.
        let isNameless = { (index: Int) in header[index].isEmpty && !nameless.isEmpty }
        parts += Self.columns(header.indices.filter(isNameless)) {
            ($0 == 1 ? "has no name" : "have no name")
                + ", as where the header ends with delimiters: name them, or take those away"
        }
        parts += Self.columns(unknown.filter { !header[$0].isEmpty }) {
            $0 == 1 ? "is unknown" : "are unknown"
        }
        parts += repeated
        let against = layout.isEmpty ? "" : " (nearest layout: \(layout))"
        return "the header's columns differ: " + parts.joined(separator: "; ") + against
    }

    /// Whether the first line is no header of the layout at all, as where the file has none, or
    /// other lines stand before it.
    public var isOfOtherLine: Bool {
        ambiguous.isEmpty && betterDelimiter == nil
            && missing.count(where: { twin($0) == nil }) * 2 > expected.count
    }

    /// Whether only the case of letters keeps the header from being that of the layout.
    public var isOfCaseAlone: Bool {
        func folded(_ name: String) -> String { name.lowercased() }
        let names = Set(header.map(folded))
        return !missing.isEmpty && size == missing.count && ambiguous.isEmpty
            && missing.allSatisfy { names.contains(folded($0)) }
    }

    /// The header's name that differs from a missing one only by case and blanks.
    ///
    /// Such a name is never data, so it may be printed.
    private func twin(_ name: String) -> String? {
        func folded(_ text: String) -> [Unicode.Scalar] {
            text.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace && !$0.isUnseen }
        }
        return header.first { !expected.contains($0) && folded($0) == folded(name) }
            .map(UnseenCharacters.namedInCell)
    }

    /// A sentence for each missing name that a column's name comes near to.
    private func nearest(_ missing: [String]) -> [String] {
        let unused = header.indices.filter { !declared.contains(header[$0]) }
        let names = unused.map { header[$0] }
        return missing.compactMap { name in
            guard Self.hasForm(name), let found = NearestName.find(name, among: names),
                let place = names.firstIndex(of: found)
            else { return nil }
            let column = "column \(unused[place] + 1)"
            return "nearest to '\(name)' is "
                + (Self.isMistyped(found, of: name)
                    ? "'\(UnseenCharacters.namedInCell(found))' (\(column))" : column)
        }
    }

    /// Whether a name is long enough for a text to be like it by more than chance: a patient may be
    /// called Ed where a column is called `id`.
    private static func hasForm(_ name: String) -> Bool { name.count >= 4 }

    /// Whether a text is a name with a mistake in it.
    ///
    /// It has the digits of the name, since other digits could be those of a number, and at most
    /// one letter in four is another.
    private static func isMistyped(_ text: String, of name: String) -> Bool {
        func digits(_ text: String) -> [Character] { text.filter(\.isNumber).map(\.self) }
        return digits(text) == digits(name)
            && NearestName.distance(text, name) <= max(1, name.count / 4)
    }

    /// Sentences about names that several columns have.
    private var repeated: [String] {
        var places: [String: [Int]] = [:]
        let names = Set(duplicate.map { header[$0] }).subtracting([""])
        for (index, name) in header.enumerated() where names.contains(name) {
            places[name, default: []].append(index)
        }
        // By the first column of each, so that the order does not depend on hashes.
        return places.sorted { $0.value[0] < $1.value[0] }.flatMap { name, indexes in
            Self.columns(indexes) { _ in
                "have one name" + (declared.contains(name) ? ", '\(name)'" : "")
            }
        }
    }

    /// A sentence about columns by their numbers, such as `columns 7, 8 and 9 have no name`.
    private static func columns(_ indexes: [Int], _ words: (Int) -> String) -> [String] {
        guard !indexes.isEmpty else { return [] }
        let numbers = indexes.map { "\($0 + 1)" }
        let rest = numbers.count > 8 ? "\(numbers.count - 7) more" : numbers[numbers.count - 1]
        let first = numbers.prefix(min(7, numbers.count - 1)).joined(separator: ", ")
        let noun = first.isEmpty ? "column \(rest)" : "columns \(first) and \(rest)"
        return ["\(noun) \(words(indexes.count))"]
    }

    private static func list(_ words: [String]) -> String {
        words.count > 8
            ? words.prefix(8).joined(separator: ", ") + " and \(words.count - 8) more"
            : words.joined(separator: ", ")
    }

    /// The delimiter that divides a header of one column into the expected ones.
    private var betterDelimiter: (byte: UInt8?, name: String, word: String, count: Int)? {
        guard header.count == 1, expected.count > 1, let line = header.first else { return nil }
        let marks: [(mark: Character, name: String, word: String)] = [
            (",", "commas", "\",\""), (";", "semicolons", "\";\""), ("\t", "tabs", "tab"),
            ("|", "vertical bars", "\"|\""),
        ]
        let found = marks.map { mark in
            (
                mark.mark.asciiValue, mark.name, mark.word,
                Set(line.split(separator: mark.mark).map(String.init))
            )
        }
        let counted = found.map { ($0.0, $0.1, $0.2, $0.3.intersection(expected).count) }
        return counted.max { $0.3 < $1.3 }.flatMap { $0.3 * 2 >= expected.count ? $0 : nil }
    }
}
