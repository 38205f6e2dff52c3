/// How a table of a published file compares with the same table built anew.
public struct TableComparison: Sendable, Hashable {
    /// The table; `trip` where trips were compared as they are read.
    public let table: String
    /// Its rows in the published file.
    public internal(set) var published: Int64 = 0
    /// Its rows in the file built anew.
    public internal(set) var rebuilt: Int64 = 0
    /// Rows that the published file alone has.
    public internal(set) var extra: Int64 = 0
    /// Rows that the published file should have and has not.
    public internal(set) var missing: Int64 = 0
    /// Rows of both with another value.
    public internal(set) var different: Int64 = 0
    /// The columns with another value, in order of the table.
    public internal(set) var columns: [String] = []
    /// Some of the rows that are not alike, in order of the table: no content of an export.
    public internal(set) var samples: [String] = []
    /// Whether the published file's rows cannot be read, or one of the files has no such table, or another.
    public internal(set) var isUnreadable = false

    init(_ table: String) {
        self.table = table
    }

    /// Whether both have the same rows.
    public var isEqual: Bool { !isUnreadable && extra == 0 && missing == 0 && different == 0 }

    /// Adds what was found in rows that come after these.
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

    /// Notes a row that is not alike, as long as there are few.
    mutating func sample(_ text: String) {
        if samples.count < Self.sampleCount { samples.append(text) }
    }

    static let sampleCount = 5
}

/// How the files of a generation compare with those built anew.
public struct FileComparison: Sendable, Hashable {
    /// The published file's name.
    public let file: String
    /// Its tables, by name.
    public let tables: [TableComparison]

    /// Describes a comparison.
    public init(file: String, tables: [TableComparison]) {
        self.file = file
        self.tables = tables
    }
}
