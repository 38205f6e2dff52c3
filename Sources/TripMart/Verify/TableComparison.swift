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
