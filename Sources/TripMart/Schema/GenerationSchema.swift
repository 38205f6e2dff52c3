import TripDomain

/// What marks our files, and the statements that make an empty one.
///
/// `docs/SCHEMA.md` describes every table and column for readers; a test holds the two together.
enum GenerationSchema {
    /// `Trpt` as four bytes: the `application_id` of every SQLite file of ours.
    static let applicationID: Int64 = 0x5472_7074

    /// The version of the tables: the `user_version`.
    ///
    /// It rises when a reader must change.
    static let version: Int64 = 1

    /// Marks a new file as ours.
    static let marks =
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);"

    /// The tables that a generation and its history have in common: everything but the trips.
    static let summaryTables = [
        OriginTables.ddl, FileTables.ddl, HoldTables.ddl, DimensionTables.ddl, CubeTables.ddl,
        CubeViews.ddl,
    ].joined(separator: "\n")

    /// Quotes a name for SQL.
    static func quoted(_ name: String) -> String {
        "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}
