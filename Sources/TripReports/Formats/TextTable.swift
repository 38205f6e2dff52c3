/// A table of aligned columns, two spaces apart.
struct TextTable {
    /// The side that a column is aligned to.
    enum Alignment {
        case left
        case right
    }

    private let header: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Makes a table by its column titles.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        header = columns.map(\.title)
        alignments = columns.map(\.alignment)
    }

    mutating func add(_ cells: [String]) {
        precondition(cells.count == header.count, "a row has one cell per column")
        rows.append(cells)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The lines of the table, without spaces at their ends.
    var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in
            all.map { $0[column].count }.max() ?? 0
        }
        return all.map { cells in
            var line = ""
            for (column, cell) in cells.enumerated() {
                let fill = String(repeating: " ", count: widths[column] - cell.count)
                if column > 0 { line += "  " }
                line += alignments[column] == .left ? cell + fill : fill + cell
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
