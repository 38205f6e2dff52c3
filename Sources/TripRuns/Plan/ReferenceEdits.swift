import TripDomain
import TripEngine
import TripPipeline
import TripRules

/// The rows of a reference file that were added, removed or changed.
///
/// A removed row and an added row with the same key are one changed row; of several, those with the
/// same first day.
struct ReferenceEdits {
    /// The number of rows of a file that are listed; further ones are only counted.
    private static let shownCount = 5

    /// One row; its cells are compared byte by byte.
    private struct Row: Hashable {
        let number: Int
        let cells: [ByteText]

        init(_ line: ReferenceLoader.Line) {
            number = line.number
            cells = line.cells.map { ByteText($0) }
        }
    }

    /// One row that was added, removed or changed.
    private struct Change {
        /// The edit in words, with its position.
        let clause: String
        /// The line of the removed row, or of the changed row before the change.
        let oldLine: Int?
        /// The cells of the added row, or of the changed row now.
        let cells: [ByteText]?
    }

    /// The kind of rows of a file.
    enum Rows {
        /// Rows of a reference file, which are named by their key.
        case rows
        /// Decisions made by hand: their key is a trip, which is never shown.
        case overrides
    }

    private let name: String
    private let rowsAre: Rows
    private var columns: [String] = []
    private var oldRows: [Row] = []
    private var changes: [Change] = []
    /// Edits that do not concern rows.
    private var others: [String] = []

    /// Every edit, in the order of the rows; those that removed a row last.
    var all: [String] { others + changes.map(\.clause) }

    /// The number of rows that were added, removed or changed.
    var rowCount: Int { changes.count }

    /// The file with some of the edits of its rows.
    ///
    /// - Parameter indexes: The edits, by their index among those of rows.
    /// - Returns: A file with the same columns: the old rows in their order, then the added ones.
    func content(with indexes: Set<Int>) -> [UInt8] {
        let made = changes.indices.filter(indexes.contains).map { changes[$0] }
        var replaced: [Int: [ByteText]?] = [:]
        for change in made {
            if let line = change.oldLine { replaced[line] = .some(change.cells) }
        }
        var rows = [columns.map { ByteText($0) }]
        for row in oldRows {
            if let cells = replaced[row.number] ?? row.cells { rows.append(cells) }
        }
        rows += made.filter { $0.oldLine == nil }.compactMap(\.cells)
        return rows.flatMap { row in
            Array(row.map { Self.quoted($0.text) }.joined(separator: [UInt8(ascii: ",")]))
                + [UInt8(ascii: "\n")]
        }
    }

    /// Quotes a text byte by byte: a quote may be followed by a combining mark.
    private static func quoted(_ text: String) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        return [quote] + text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// The edits that are shown: some, and a count of the rest.
    var clauses: [String] {
        let rest = all.count - Self.shownCount
        guard rest > 0 else { return all }
        let noun = rowsAre == .overrides ? "more override" : "more row"
        return all.prefix(Self.shownCount) + ["\(name): \(Counted.text(rest, noun))"]
    }

    /// Compares two versions of a file.
    ///
    /// - Parameters:
    ///   - name: Its path below the reference folder.
    ///   - before: Its bytes as the generation stores them; nil where it stores none.
    ///   - now: Its bytes in the folder; nil where the folder no longer names it.
    ///   - keys: The columns that identify its rows, the first day last.
    ///   - rowsAre: The kind of its rows.
    /// - Throws: `ReferenceFaults` where one of them is no table.
    /// - Complexity: O(*n*) in the rows.
    init(
        _ name: String,
        _ before: [UInt8]?,
        _ now: [UInt8]?,
        keys: [String],
        rowsAre: Rows = .rows
    ) throws {
        self.name = name
        self.rowsAre = rowsAre
        guard before != now else { return }
        guard let before else {
            others = ["\(name): added"]
            return
        }
        guard let now else {
            others = ["\(name): no longer used"]
            return
        }
        let old = try Self.lines(name, before, rowsAre)
        let new = try Self.lines(name, now, rowsAre)
        guard old.names.map({ ByteText($0) }) == new.names.map({ ByteText($0) }) else {
            others = ["\(name):1: other columns"]
            return
        }
        let indexes = keys.compactMap { new.names.firstIndex(of: $0) }
        compare(
            old.lines.map { Row($0) },
            new.lines.map { Row($0) },
            columns: new.names,
            keys: indexes.isEmpty ? [0] : indexes
        )
        // The order of rows, blanks, quotes or line ends alone make no difference to a look-up.
        if all.isEmpty { others = ["\(name): the same rows, written differently"] }
    }

    /// The rows of a file; the columns of a list of overrides always in the standard order.
    private static func lines(
        _ name: String,
        _ bytes: [UInt8],
        _ rowsAre: Rows
    ) throws -> (names: [String], lines: [ReferenceLoader.Line]) {
        let (names, lines) = try ReferenceLoader.lines(file: name, bytes: bytes)
        let indexes = OverrideList.columns.compactMap { names.firstIndex(of: $0) }
        guard rowsAre == .overrides, indexes.count == OverrideList.columns.count else {
            return (names, lines)
        }
        return (
            OverrideList.columns,
            lines.map { line in
                ReferenceLoader.Line(
                    number: line.number,
                    cells: indexes.map { line.cells[$0] }
                )
            }
        )
    }

    private mutating func compare(
        _ old: [Row],
        _ new: [Row],
        columns: [String],
        keys: [Int]
    ) {
        self.columns = columns
        oldRows = old
        var removed = Self.without(old, those: new)
        let added = Self.without(new, those: old)
        var partners = Self.paired(added, &removed, by: keys)
        // The remaining rows of a key may have another first day.
        let rest = added.filter { partners[$0.number] == nil }
        let others = Self.paired(rest, &removed, by: Array(keys.prefix(max(1, keys.count - 1))))
        partners.merge(others) { first, _ in first }
        changes = added.map { row in
            let position = "\(name):\(row.number): \(title(row, keys))"
            guard let before = partners[row.number] else {
                return Change(clause: "\(position) added", oldLine: nil, cells: row.cells)
            }
            let parts = zip(columns, zip(before.cells, row.cells)).filter { $0.1.0 != $0.1.1 }
                .map { change(of: $0, from: $1.0, to: $1.1) }
            return Change(
                clause: "\(position): \(parts.joined(separator: ", "))",
                oldLine: before.number,
                cells: row.cells
            )
        }
        changes += removed.map { row in
            Change(
                clause: "\(name): \(title(row, keys)) removed, before in line \(row.number)",
                oldLine: row.number,
                cells: nil
            )
        }
    }

    /// The name of a row.
    private func title(_ row: Row, _ keys: [Int]) -> String {
        guard rowsAre == .overrides else { return "row \(Self.shown(row.cells[keys[0]]))" }
        func cell(_ column: String) -> String {
            columns.firstIndex(of: column).map { Self.shown(row.cells[$0]) } ?? ""
        }
        let basis = columns.firstIndex(of: "basis").map { row.cells[$0].text } ?? ""
        let classAndBasis = basis.isEmpty ? cell("class") : "\(cell("class"))/\(cell("basis"))"
        return "override to \(classAndBasis) until \(cell("expires"))"
    }

    /// The change of a cell; the reason of an override may mention a patient, and is not shown.
    private func change(of column: String, from before: ByteText, to now: ByteText) -> String {
        rowsAre == .overrides && ["author", "reason"].contains(column)
            ? "another \(column)"
            : "\(column) \(Self.shown(before)) is now \(Self.shown(now))"
    }

    /// Finds, for each added row, a removed row with the same cells in some columns.
    ///
    /// - Parameters:
    ///   - added: The added rows.
    ///   - removed: The removed rows; those that are found are taken out.
    ///   - keys: The columns.
    /// - Returns: The removed row of each added one, by the line of the latter.
    private static func paired(
        _ added: [Row],
        _ removed: inout [Row],
        by keys: [Int]
    ) -> [Int: Row] {
        var waiting: [[ByteText]: [Row]] = [:]
        // The first removed row is the last of its list, and so the first to be found.
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

    /// The rows that the other file lacks, each as often as it occurs more often here.
    private static func without(_ rows: [Row], those others: [Row]) -> [Row] {
        var counts: [[ByteText]: Int] = [:]
        for row in others { counts[row.cells, default: 0] += 1 }
        return rows.filter { row in
            guard let count = counts[row.cells], count > 0 else { return true }
            counts[row.cells] = count - 1
            return false
        }
    }

    /// A cell as it is shown, without characters that break the line.
    private static func shown(_ cell: ByteText) -> String {
        cell.text.isEmpty ? "(blank)" : UnseenCharacters.namedInCell(cell.text)
    }
}
