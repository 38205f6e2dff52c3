import TripDomain

/// The marks of Triptych's files, and the statements that create an empty one.
///
/// `docs/SCHEMA.md` describes every table and column for readers; a test compares the two.
enum GenerationSchema {
    /// `Trpt` as four bytes: the `application_id` of every SQLite file of Triptych.
    static let applicationID: Int64 = 0x5472_7074

    /// The version of the tables: the `user_version`.
    ///
    /// It increases when readers must change.
    static let version: Int64 = 1

    /// The version of the files of a generation whose trips lie elsewhere: programs that know
    /// nothing of it refuse the file, and never say that it has no trips.
    static let versionWithoutTrips: Int64 = 2

    /// Marks a new file as one of Triptych.
    static let marks = marks(hasTrips: true)

    /// Marks a new file of a generation that has its trips, or has them elsewhere.
    static func marks(hasTrips: Bool) -> String {
        "PRAGMA application_id = \(applicationID); "
            + "PRAGMA user_version = \(hasTrips ? version : versionWithoutTrips);"
    }

    /// The tables that a generation and its history have in common: everything except the trips.
    static let summaryTables = [
        OriginTables.ddl, FileTables.ddl, ExclusionTables.ddl, DimensionTables.ddl, CubeTables.ddl,
        CubeViews.ddl,
    ].joined(separator: "\n")
}
