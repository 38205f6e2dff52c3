import TripDomain
import TripEngine

/// The rows of a reference file that were added, removed or changed.
///
/// A row that is gone and one that came with the same first cell are one row that changed.
struct ReferenceEdits {
    /// At most so many rows are named of a file; the rest is counted.
    private static let shownCount = 5

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
    /// - Throws: `EngineError` where one of them is no table.
    init(_ name: String, _ before: [UInt8]?, _ now: [UInt8]?) throws {
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
        guard old.names == new.names else {
            clauses = ["\(name): other columns"]
            return
        }
        compare(old.lines, new.lines, columns: new.names)
        // Blanks, quotes or line ends alone: nothing a look-up could tell.
        if clauses.isEmpty { clauses = ["\(name): the same rows, written otherwise"] }
    }

    private mutating func compare(
        _ old: [ReferenceLoader.Line],
        _ new: [ReferenceLoader.Line],
        columns: [String]
    ) {
        var removed = Self.without(old, those: new)
        let added = Self.without(new, those: old)
        var texts: [String] = []
        for line in added {
            let key = line.cells.first ?? ""
            let place = removed.firstIndex { $0.cells.first == line.cells.first }
            guard let place else {
                texts.append("\(name):\(line.number): row \(key) added")
                continue
            }
            let before = removed.remove(at: place)
            let parts = zip(columns, zip(before.cells, line.cells))
                .filter { $0.1.0 != $0.1.1 }
                .map { "\($0.0) \(Self.shown($0.1.0)) is now \(Self.shown($0.1.1))" }
            texts.append("\(name):\(line.number): row \(key): \(parts.joined(separator: ", "))")
        }
        for line in removed {
            texts.append(
                "\(name): row \(line.cells.first ?? "") removed, before in line \(line.number)"
            )
        }
        clauses = Array(texts.prefix(Self.shownCount))
        count = max(1, texts.count)
        if texts.count > Self.shownCount {
            let rest = texts.count - Self.shownCount
            clauses.append("\(name): \(Counted.text(rest, "more row"))")
        }
    }

    /// The lines that the other file lacks, each as often as it stands more often here.
    private static func without(
        _ lines: [ReferenceLoader.Line],
        those others: [ReferenceLoader.Line]
    ) -> [ReferenceLoader.Line] {
        var counts: [[String]: Int] = [:]
        for line in others { counts[line.cells, default: 0] += 1 }
        return lines.filter { line in
            guard let count = counts[line.cells], count > 0 else { return true }
            counts[line.cells] = count - 1
            return false
        }
    }

    private static func shown(_ cell: String) -> String { cell.isEmpty ? "(blank)" : cell }
}
