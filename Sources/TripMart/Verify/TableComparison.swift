import TripDomain

/// The comparison of a table of a published file with the same table rebuilt.
public struct TableComparison: Sendable, Hashable {
    /// The table; `trip` where trips were compared by id, through the view.
    public let table: String
    /// The number of rows in the published file.
    public internal(set) var published: Int64 = 0
    /// The number of rows in the rebuilt file.
    public internal(set) var rebuilt: Int64 = 0
    /// The number of rows that only the published file has.
    public internal(set) var extra: Int64 = 0
    /// The number of rows that only the rebuilt file has.
    public internal(set) var missing: Int64 = 0
    /// The number of rows in both files with at least one other value.
    public internal(set) var different: Int64 = 0
    /// The columns with other values, in order of the table.
    public internal(set) var columns: [String] = []
    /// Some of the rows that differ, in order of the table; they name no content of an export.
    public internal(set) var samples: [String] = []
    /// Whether the published rows cannot be read, or the table is missing or defined otherwise in
    /// one file.
    public internal(set) var isUnreadable = false

    init(_ table: String) {
        self.table = table
    }

    /// Whether both files have the same rows.
    public var isEqual: Bool { !isUnreadable && extra == 0 && missing == 0 && different == 0 }

    /// Adds the comparison of the rows that follow these.
    mutating func append(_ later: TableComparison) {
        published += later.published
        rebuilt += later.rebuilt
        extra += later.extra
        missing += later.missing
        different += later.different
        columns += later.columns.filter { !columns.contains($0) }
        samples = Array((samples + later.samples).prefix(Self.sampleCount))
        isUnreadable = isUnreadable || later.isUnreadable
    }

    /// Adds a row that differs to the samples, up to their maximum number.
    mutating func sample(_ text: String) {
        if samples.count < Self.sampleCount { samples.append(text) }
    }

    static let sampleCount = 5
}

/// The comparison of a file of a generation with the rebuilt one.
public struct FileComparison: Sendable, Hashable {
    /// The published file's name.
    public let file: String
    /// The comparisons of its tables, by name.
    public let tables: [TableComparison]

    /// Describes a comparison.
    public init(file: String, tables: [TableComparison]) {
        self.file = file
        self.tables = tables
    }
}

/// One table that is compared: which of its columns, in which order, and how.
///
/// Two builds of the same content differ in the columns that record when, by whom and with which
/// program they were built; `docs/SCHEMA.md` lists them.
struct ComparedTable {
    /// The table or view.
    let name: String
    /// The primary key columns.
    let key: [String]
    /// The other columns.
    let values: [String]
    /// The condition of the rows that are compared; nil for all rows.
    var condition: String?
    /// The index of the sealed column, counted from the first of the key; nil where none is sealed.
    let sealed: Int?
    /// Whether the report may show numbers that differ.
    let showsNumbers: Bool

    /// Reads a table's columns from a finished file; nil where the table is not compared.
    init?(_ name: String, _ file: RawConnection) throws(MartError) {
        guard !Self.leftOut.contains(name) else { return nil }
        var key: [(position: Int64, name: String)] = []
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
            key: key.sorted { $0.position < $1.position }.map(\.name),
            values: values
        )
        if name == "meta" {
            let names = Self.leftOutMeta.map { "'\($0)'" }.joined(separator: ", ")
            condition = "key NOT IN (\(names))"
        }
    }

    /// Describes a table by its columns.
    init(name: String, key: [String], values: [String]) {
        self.name = name
        self.key = key
        self.values = values
        sealed = (key + values).firstIndex { Self.sealedColumns[name] == $0 }
        showsNumbers = Self.countingTables.contains(name)
    }

    /// The column that numbers the rows, if any; a table that has one can be compared in parts.
    var number: String? { Self.numbered.contains(name) ? key.first : nil }

    /// The statement that reads the rows in order of the key; `?1` and `?2` are the first and the
    /// last number of a part.
    func select(isPart: Bool) -> String {
        let columns = (key + values).map { QuotedText.quoted($0) }
        var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(QuotedText.quoted(name))"
        if let condition { sql += " WHERE \(condition)" }
        if isPart, let number {
            sql += " WHERE \(QuotedText.quoted(number)) BETWEEN ?1 AND ?2"
        }
        guard !key.isEmpty else { return sql }
        return sql + " ORDER BY " + key.map { QuotedText.quoted($0) }.joined(separator: ", ")
    }

    /// Tables that cannot be rebuilt.
    ///
    /// Checks compare a run with earlier runs and with its date; a rollback leaves exclusions
    /// (`hold`).
    private static let leftOut: Set<String> = ["check_result", "hold"]

    private static let leftOutColumns: [String: Set<String>] = [
        "generation": ["number", "published_at", "stale_after"],
        "source": ["expects", "last_arrival_at", "awaited_since", "overdue_after"],
        // Not the column of older generations, which do not have it.
        "source_file": ["taken_in"],
    ]

    private static let leftOutMeta = [
        "program_version", "plan", "made_by", "approved_by", "content_of",
    ]

    private static let sealedColumns = ["patient": "sealed", "reject": "sealed_text"]

    /// Tables whose rows represent many trips each, or for none.
    private static let countingTables: Set<String> = [
        "kpi_cube", "kpi_basis", "ledger", "bridge", "month_range", "source_file", "generation",
    ]

    /// Tables of many rows with a number of their own.
    private static let numbered: Set<String> = ["trip_row", "patient", "reject"]
}
