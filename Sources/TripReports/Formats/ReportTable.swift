import TripDomain

/// A table described once and written in every format: aligned for people, as JSON and as CSV for
/// programs.
struct ReportTable<Row> {
    private let columns: [TableColumn<Row>]

    init(_ columns: [TableColumn<Row>]) {
        self.columns = columns
    }

    /// The rows in one format.
    func text(_ rows: [Row], _ format: OutputFormat, on screen: Screen) -> String {
        switch format {
        case .table: screen.text(table(rows).lines(on: screen))
        case .json: rowSet(rows).json
        case .csv: rowSet(rows).csv
        }
    }

    /// The rows for people.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - hasCosts: Whether any cost is known; else the columns of costs would say nothing.
    /// - Returns: The table.
    func table(_ rows: some Sequence<Row>, hasCosts: Bool = true) -> TextTable {
        let shown = columns.compactMap { column in
            column.title.flatMap { hasCosts || !column.isOfCosts ? ($0, column) : nil }
        }
        var table = TextTable(
            shown.map { title, column in
                TextTable.Column(title: title, alignment: column.alignment, rank: column.rank)
            }
        )
        for row in rows { table.add(shown.map { $0.1.cell(row).shown }) }
        return table
    }

    /// The rows for programs.
    func rowSet(_ rows: some Sequence<Row>) -> RowSet {
        var set = RowSet(columns.compactMap(\.name))
        for row in rows { set.add(columns.filter { $0.name != nil }.map { $0.cell(row).value }) }
        return set
    }

    /// One row as an object.
    func object(_ row: Row) -> JSONValue {
        .object(columns.compactMap { column in column.name.map { ($0, column.cell(row).value) } })
    }

    /// The rows as a list of objects.
    func objects(_ rows: some Sequence<Row>) -> JSONValue { .list(rows.map(object)) }
}

/// One column of a table.
struct TableColumn<Row> {
    /// Its title for people; nil where it is for programs alone.
    let title: String?
    /// Its name in JSON and CSV; nil where it is for people alone.
    let name: String?
    let alignment: TextTable.Alignment
    /// The order in which columns are left out where the screen is too narrow, the highest first;
    /// none of rank 0 ever is.
    let rank: Int
    let cell: (Row) -> TableCell
    /// Whether its values are amounts of money, as its name in JSON says.
    var isOfCosts: Bool { name?.contains("cost_cents") ?? false }

    init(
        _ title: String?,
        _ name: String?,
        _ alignment: TextTable.Alignment = .right,
        rank: Int = 0,
        _ cell: @escaping (Row) -> TableCell
    ) {
        self.title = title
        self.name = name
        self.alignment = alignment
        self.rank = rank
        self.cell = cell
    }
}

/// One value of a table, as people read it and as programs do.
struct TableCell {
    let shown: String
    let value: JSONValue

    /// A text, its unseen characters as code points; a dash where there is none.
    static func text(_ text: String?) -> Self {
        Self(shown: text.map(UnseenCharacters.namedInCell) ?? "–", value: .text(text))
    }

    /// `4,638,000`.
    static func count(_ count: Int64) -> Self {
        Self(shown: NumberFormat.count(count), value: .integer(count))
    }

    /// `4,638,000`.
    static func count(_ count: Int) -> Self { .count(Int64(count)) }

    /// The number of a run, a generation or a reject, without grouped digits; a dash where there is
    /// none.
    static func number(_ number: Int?) -> Self {
        Self(shown: number.map(String.init) ?? "–", value: .integer(number.map(Int64.init)))
    }

    /// `+30,187` or `-12`.
    static func change(_ change: Int64) -> Self {
        Self(shown: NumberFormat.change(change), value: .integer(change))
    }

    /// `$13,402,118.20`, and whole cents for programs.
    static func dollars(_ cents: Int64?) -> Self {
        Self(shown: cents.map(NumberFormat.dollars) ?? "not known", value: .integer(cents))
    }

    /// `41.11`; a dash where undefined.
    static func percent(_ hundredths: Int64?) -> Self {
        Self(shown: NumberFormat.percent(hundredths), value: .hundredths(hundredths))
    }

    /// Whether something is the case, with the words for people.
    static func truth(_ value: Bool, _ yes: String, _ no: String) -> Self {
        Self(shown: value ? yes : no, value: .truth(value))
    }

    /// Texts in a list, for programs alone.
    static func list(_ texts: [String]) -> Self {
        Self(shown: "", value: .list(texts.map { .text($0) }))
    }
}
