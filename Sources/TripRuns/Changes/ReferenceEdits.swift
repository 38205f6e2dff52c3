import TripDomain
import TripEngine

/// The rows of a reference file that were added, removed or changed.
///
/// A row that is gone and one that came with the same key are one row that changed; of several, that with
/// the same first day.
struct ReferenceEdits {
    /// At most so many rows are named of a file; the rest is counted.
    private static let shownCount = 5

    /// One row; its cells are told apart byte for byte.
    private struct Row: Hashable {
        let number: Int
        let cells: [ByteText]

        init(_ line: ReferenceLoader.Line) {
            number = line.number
            cells = line.cells.map { ByteText($0) }
        }
    }

    private let name: String
    private(set) var clauses: [String] = []
    /// How many edits there are, those beyond the named ones too.
    private(set) var count = 0

    /// Compares two versions of a file.
    ///
    /// - Parameters:
    ///   - name: Its path below the reference folder.
    ///   - before: Its bytes as the generation keeps them; nil where it keeps none.
    ///   - now: Its bytes in the folder; nil where it is not named any more.
    ///   - keys: The columns that tell its rows apart, the first day last.
    /// - Throws: `EngineError` where one of them is no table.
    /// - Complexity: O(*n*) in the rows.
    init(_ name: String, _ before: [UInt8]?, _ now: [UInt8]?, keys: [String]) throws {
        self.name = name
        guard before != now else { return }
        count = 1
        guard let before else {
            clauses = ["\(name): added"]
            return
        }
        guard let now else {
            clauses = ["\(name): no longer used"]
            return
        }
        let old = try ReferenceLoader.lines(file: name, bytes: before)
        let new = try ReferenceLoader.lines(file: name, bytes: now)
        guard old.names.map({ ByteText($0) }) == new.names.map({ ByteText($0) }) else {
            clauses = ["\(name):1: other columns"]
            return
        }
        let places = keys.compactMap { new.names.firstIndex(of: $0) }
        compare(
            old.lines.map { Row($0) },
            new.lines.map { Row($0) },
            columns: new.names,
            keys: places.isEmpty ? [0] : places
        )
        // The order of rows, blanks, quotes or line ends alone: nothing a look-up could tell.
        if clauses.isEmpty { clauses = ["\(name): the same rows, written otherwise"] }
    }

    private mutating func compare(
        _ old: [Row],
        _ new: [Row],
        columns: [String],
        keys: [Int]
    ) {
        var removed = Self.without(old, those: new)
        let added = Self.without(new, those: old)
        var partners = Self.paired(added, &removed, by: keys)
        // What is left of a key may have another first day.
        let rest = added.filter { partners[$0.number] == nil }
        let others = Self.paired(rest, &removed, by: Array(keys.prefix(max(1, keys.count - 1))))
        partners.merge(others) { first, _ in first }
        var texts = added.map { row in
            let place = "\(name):\(row.number): row \(Self.shown(row.cells[keys[0]]))"
            guard let before = partners[row.number] else { return "\(place) added" }
            let parts = zip(columns, zip(before.cells, row.cells)).filter { $0.1.0 != $0.1.1 }
                .map { "\($0.0) \(Self.shown($0.1.0)) is now \(Self.shown($0.1.1))" }
            return "\(place): \(parts.joined(separator: ", "))"
        }
        texts += removed.map { row in
            "\(name): row \(Self.shown(row.cells[keys[0]])) removed, before in line \(row.number)"
        }
        clauses = Array(texts.prefix(Self.shownCount))
        count = max(1, texts.count)
        if texts.count > Self.shownCount {
            let rest = texts.count - Self.shownCount
            clauses.append("\(name): \(Counted.text(rest, "more row"))")
        }
    }

    /// Finds for each row that came one that went and has the same cells in some columns.
    ///
    /// - Parameters:
    ///   - added: The rows that came.
    ///   - removed: Those that went; the ones that are found are taken out.
    ///   - keys: The columns.
    /// - Returns: What a row was before, by its line.
    private static func paired(
        _ added: [Row],
        _ removed: inout [Row],
        by keys: [Int]
    ) -> [Int: Row] {
        var waiting: [[ByteText]: [Row]] = [:]
        // The first that went is the last of its list, and so the first to be found.
        for row in removed.reversed() {
            waiting[keys.map { row.cells[$0] }, default: []].append(row)
        }
        var partners: [Int: Row] = [:]
        for row in added {
            partners[row.number] = waiting[keys.map { row.cells[$0] }]?.popLast()
        }
        let taken = Set(partners.values.map(\.number))
        removed.removeAll { taken.contains($0.number) }
        return partners
    }

    /// The rows that the other file lacks, each as often as it stands more often here.
    private static func without(_ rows: [Row], those others: [Row]) -> [Row] {
        var counts: [[ByteText]: Int] = [:]
        for row in others { counts[row.cells, default: 0] += 1 }
        return rows.filter { row in
            guard let count = counts[row.cells], count > 0 else { return true }
            counts[row.cells] = count - 1
            return false
        }
    }

    /// A cell as a person reads it: nothing in it breaks the line.
    private static func shown(_ cell: ByteText) -> String {
        cell.text.isEmpty
            ? "(blank)" : VisibleText.of(Array(cell.text.utf8), encoding: .utf8)
    }
}
