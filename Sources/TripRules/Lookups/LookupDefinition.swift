public import TripDomain

/// How a pipeline joins a reference file to its trips.
public struct LookupDefinition: Sendable, Hashable {
    /// Whether one key may have several valid rows on one day.
    public enum Cardinality: String, Sendable {
        /// At most one row is valid; an overlap is refused when the file is loaded.
        case one
        /// Several rows may be valid; only `matched` and `match_count` can be read.
        case any
    }

    /// Its name in rules, such as `site`.
    public var name: String
    /// The file's path below the reference folder.
    public var file: String
    /// The fields of the trip and the columns of the file that they must equal.
    public var keys: [(field: String, column: String)]
    /// The date field that rows must be valid on; nil where rows are valid for ever.
    public var validOn: String?
    /// The column with a row's first day.
    public var fromColumn: String
    /// The column with a row's last day.
    public var toColumn: String
    /// Whether one key may have several valid rows on one day.
    public var cardinality: Cardinality
    /// Columns that are not text.
    public var types: [String: ColumnKind]

    /// Describes a lookup by its name, file and keys, valid for ever.
    public init(name: String, file: String, keys: [(field: String, column: String)]) {
        self.name = name
        self.file = file
        self.keys = keys
        validOn = nil
        fromColumn = "from"
        toColumn = "to"
        cardinality = .one
        types = [:]
    }

    /// Lookups are equal when all their parts are.
    public static func == (left: LookupDefinition, right: LookupDefinition) -> Bool {
        left.name == right.name && left.file == right.file
            && left.keys.elementsEqual(right.keys, by: ==) && left.validOn == right.validOn
            && left.fromColumn == right.fromColumn && left.toColumn == right.toColumn
            && left.cardinality == right.cardinality && left.types == right.types
    }

    /// Hashes the name and the file.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(file)
    }
}
