import TripDomain

/// A table of aligned columns, two spaces apart, that fits into a width.
///
/// Where it is too wide, titles are broken at words first, then labels are cut and prose is broken
/// at words, then columns are left out, the least important first, and named in a line below. A
/// table of which no column may be left out is written row by row instead. Numbers are never
/// broken.
struct TextTable {
    /// How the cells of a column stand, and what may be done to make them fit.
    enum Alignment {
        /// Names, codes, dates: to the left, never broken.
        case left
        /// Numbers: to the right, never broken.
        case right
        /// Sentences and conditions: to the left, broken at words.
        case prose
        /// Names beside a code that says the same: to the left, cut where room is short.
        case label
    }

    /// One column.
    struct Column {
        let title: String
        let alignment: Alignment
        /// The order in which columns are left out, the highest first; none of rank 0 ever is.
        var rank = 0
    }

    /// A column of a sentence is never narrower, so that it does not become a column of words.
    private static let leastProse = 24
    private static let leastLabel = 12
    private static let gap = 2

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Makes a table.
    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Makes a table of which no column is ever left out.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        self.init(columns.map { Column(title: $0.title, alignment: $0.alignment) })
    }

    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has one cell per column")
        // A name or id that breaks a line would break the table.
        rows.append(cells.map(UnseenCharacters.namedInCell))
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The lines of the table, without spaces at their ends.
    ///
    /// - Parameter screen: What they are shown on.
    /// - Returns: The lines; one below them names columns that are left out.
    func lines(on screen: Screen) -> [String] {
        guard let (shown, widths) = layout(on: screen) else { return stacked(all) }
        return drawn(shown, widths) + hint(all.filter { !shown.contains($0) }, screen)
    }

    /// Whether the screen has room for a column, so that a line below may speak of it.
    ///
    /// - Parameters:
    ///   - title: The column's title.
    ///   - screen: What the table is shown on.
    /// - Returns: Whether the column is shown.
    func shows(_ title: String, on screen: Screen) -> Bool {
        (layout(on: screen)?.shown ?? all).contains { columns[$0].title == title }
    }

    /// The columns that say something; one without a title and without any text does not.
    private var all: [Int] {
        columns.indices.filter { column in
            !columns[column].title.isEmpty || rows.contains { !$0[column].isEmpty }
        }
    }

    /// The columns that are drawn, with their widths; nil where even those of rank 0 do not fit.
    private func layout(on screen: Screen) -> (shown: [Int], widths: [Int])? {
        var shown = all
        while true {
            if let widths = widths(of: shown, in: screen.width) { return (shown, widths) }
            let last = shown.filter { columns[$0].rank > 0 }
                .max { columns[$0].rank < columns[$1].rank }
            guard let last else { return nil }
            shown.removeAll { $0 == last }
        }
    }

    /// Names the columns that are left out; labels by the column of codes before them.
    private func hint(_ rest: [Int], _ screen: Screen) -> [String] {
        let titles = rest.map { column in
            let title = columns[column].title
            return title.isEmpty && column > 0 ? "\(columns[column - 1].title) names" : title
        }
        guard !titles.isEmpty else { return [] }
        return [
            "not shown for want of width: \(titles.joined(separator: ", "))"
                + (screen.hasWideFlag ? "   --wide shows all" : "")
        ]
    }

    // MARK: - Widths

    private func cells(_ column: Int) -> [String] { rows.map { $0[column] } }

    private static func longestWord(_ text: String) -> Int {
        text.split(separator: " ").map { DisplayWidth.of($0) }.max() ?? 0
    }

    /// The widths of some columns; nil where they do not fit.
    private func widths(of shown: [Int], in width: Int) -> [Int]? {
        func excess(_ widths: [Int]) -> Int {
            widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
        }
        let content = shown.map { cells($0).map { DisplayWidth.of($0) }.max() ?? 0 }
        let titles = shown.map { columns[$0].title }
        var widths = zip(content, titles).map { max($0, DisplayWidth.of($1)) }
        guard excess(widths) > 0 else { return widths }
        widths = zip(content, titles).map { max($0, Self.longestWord($1)) }
        // Labels first, since the code beside them says the same.
        for alignment in [Alignment.label, .prose] {
            let least = shown.indices.map { index in
                let column = columns[shown[index]]
                guard column.alignment == alignment else { return widths[index] }
                let floor = alignment == .label ? Self.leastLabel : proseFloor(shown[index])
                return min(widths[index], floor)
            }
            while excess(widths) > 0 {
                let index = widths.indices.filter { widths[$0] > least[$0] }
                    .max { widths[$0] < widths[$1] }
                guard let index else { break }
                widths[index] -= 1
            }
        }
        return excess(widths) > 0 ? nil : widths
    }

    private func proseFloor(_ column: Int) -> Int {
        let words = (cells(column) + [columns[column].title]).map(Self.longestWord).max() ?? 0
        // Further lines of a cell begin two columns to the right.
        return max(Self.leastProse, words + 2)
    }

    // MARK: - Lines

    private func drawn(_ shown: [Int], _ widths: [Int]) -> [String] {
        let titles = zip(shown, widths).map { column, width in
            Self.broken(columns[column].title, width, hangs: false)
        }
        let height = titles.map(\.count).max() ?? 0
        // A title stands directly above its column.
        var lines = block(
            titles.map { Array(repeating: "", count: height - $0.count) + $0 },
            shown,
            widths
        )
        if lines.allSatisfy(\.isEmpty) { lines = [] }
        for row in rows {
            let cells = zip(shown, widths).map { column, width in
                switch columns[column].alignment {
                case .prose: Self.broken(row[column], width, hangs: true)
                case .label: [DisplayWidth.cut(row[column], to: width)]
                case .left, .right: [row[column]]
                }
            }
            lines += block(cells, shown, widths)
        }
        return lines
    }

    private static func broken(_ text: String, _ width: Int, hangs: Bool) -> [String] {
        TextFlow.cell(text, in: width, hang: hangs ? 2 : 0)
    }

    /// One row, in as many lines as its highest cell has.
    private func block(_ cells: [[String]], _ shown: [Int], _ widths: [Int]) -> [String] {
        let height = cells.map(\.count).max() ?? 0
        return (0..<height).map { number in
            var line = ""
            for (index, column) in shown.enumerated() {
                if index > 0 { line += String(repeating: " ", count: Self.gap) }
                let cell = number < cells[index].count ? cells[index][number] : ""
                let isRight = columns[column].alignment == .right
                line += DisplayWidth.padded(cell, to: widths[index], isRight: isRight)
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }

    /// The rows one below the other: the first cell, then each other with its title.
    private func stacked(_ shown: [Int]) -> [String] {
        rows.map { row in
            let named = shown.filter { !row[$0].isEmpty }.map { column in
                column == shown.first || columns[column].title.isEmpty
                    ? row[column] : "\(columns[column].title) \(row[column])"
            }
            // The separators are where a line that is too long is broken.
            return named.joined(separator: " · ")
        }
    }
}
