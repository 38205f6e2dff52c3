/// One table that is compared: which of its columns, in which order, and how.
///
/// Two builds of the same content differ in what says when, by whom and with which program they were
/// built; `docs/SCHEMA.md` lists it.
struct ComparedTable {
    /// The table or view.
    let name: String
    /// The columns that rows are told apart by.
    let key: [String]
    /// The other columns.
    let values: [String]
    /// Which rows; nil where all.
    var condition: String?
    /// Which of the columns is sealed, counted from the first of the key.
    let sealed: Int?
    /// Whether numbers that differ may be shown.
    let showsNumbers: Bool

    /// Reads what a finished file says of one of its tables; nil where it is not compared.
    init?(_ name: String, _ file: RawConnection) throws(MartError) {
        guard !Self.leftOut.contains(name) else { return nil }
        var key: [(place: Int64, name: String)] = []
        var values: [String] = []
        let columns = try file.prepare("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid")
        columns.bind(.text(name), 1)
        while try columns.step() {
            let column = columns.text(0)
            guard !Self.leftOutColumns[name, default: []].contains(column) else { continue }
            if columns.integer(1) > 0 {
                key.append((columns.integer(1), column))
            } else {
                values.append(column)
            }
        }
        self.init(
            name: name,
            key: key.sorted { $0.place < $1.place }.map(\.name),
            values: values
        )
        if name == "meta" {
            let names = Self.leftOutMeta.map { "'\($0)'" }.joined(separator: ", ")
            condition = "key NOT IN (\(names))"
        }
    }

    /// Names a table's columns.
    init(name: String, key: [String], values: [String]) {
        self.name = name
        self.key = key
        self.values = values
        sealed = (key + values).firstIndex { Self.sealedColumns[name] == $0 }
        showsNumbers = Self.countingTables.contains(name)
    }

    /// The column that numbers the rows, where one does: such a table can be compared in parts.
    var number: String? { Self.numbered.contains(name) ? key.first : nil }

    /// The statement that gives the rows in order of the key; `?1` and `?2` are the first and the last
    /// number where a part is wanted.
    func select(isPart: Bool) -> String {
        let columns = (key + values).map(GenerationSchema.quoted)
        var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(GenerationSchema.quoted(name))"
        if let condition { sql += " WHERE \(condition)" }
        if isPart, let number {
            sql += " WHERE \(GenerationSchema.quoted(number)) BETWEEN ?1 AND ?2"
        }
        guard !key.isEmpty else { return sql }
        return sql + " ORDER BY " + key.map(GenerationSchema.quoted).joined(separator: ", ")
    }

    /// Checks compare a night with others and with its day; holds are what a rollback left.
    private static let leftOut: Set<String> = ["check_result", "hold"]

    private static let leftOutColumns: [String: Set<String>] = [
        "generation": ["number", "published_at", "stale_after"],
        "source": ["expects", "last_arrival_at", "awaited_since", "overdue_after"],
    ]

    private static let leftOutMeta = [
        "program_version", "plan", "made_by", "approved_by", "content_of",
    ]

    private static let sealedColumns = ["patient": "sealed", "reject": "sealed_text"]

    /// Tables whose rows stand for many trips each, or for none.
    private static let countingTables: Set<String> = [
        "kpi_cube", "kpi_basis", "ledger", "bridge", "month_range", "source_file", "generation",
    ]

    /// Tables of many rows with a number of their own.
    private static let numbered: Set<String> = ["trip_row", "patient", "reject"]
}
