public import TripDomain

/// The classification of a pipeline's trips, and their KPIs, as SQL of one dialect.
///
/// The SELECT reads one table of typed trips and a table for each look-up. It gives each trip the
/// rule, class and basis that ``TripClassifier`` gives it. `docs/EMIT.md` describes the tables.
public struct TripSQL: Sendable {
    /// What the tables are called where the SQL reads them.
    public struct Tables: Sendable {
        /// The table of trips.
        public var trips: String
        /// The classified trips, which the KPIs read.
        public var classified: String
        /// The table whose one row says in `data_through` how far the data goes.
        public var generation: String
        /// Whether trips have their ids, and not the references that a divided run gives them.
        public var haveTripIDs = true
        /// A reference table, by its own name, such as `reference_site`.
        public var reference: @Sendable (String) -> String

        /// Names the tables.
        public init(
            trips: String,
            classified: String,
            generation: String,
            reference: @escaping @Sendable (String) -> String
        ) {
            self.trips = trips
            self.classified = classified
            self.generation = generation
            self.reference = reference
        }

        /// `trip`, `trip_class`, `generation`, and reference tables under their own names.
        public static let plain = Tables(
            trips: "trip",
            classified: "trip_class",
            generation: "generation"
        ) { $0 }
    }

    /// Why a pipeline cannot be written in a dialect.
    public struct Faults: Error, Sendable {
        /// Every expression that is refused.
        public let faults: [ClassifierFault]
        /// The reference tables that name trips by their ids, where trips have references alone.
        public let tablesOfIDs: [ReferenceTable]
    }

    /// The dialect.
    public let dialect: SQLDialect
    /// The SELECT that classifies, without a semicolon.
    public let classification: String
    /// The SELECT of the KPIs over the classified trips.
    public let kpis: String
    /// The columns of the table of trips that are read.
    public let tripColumns: [ShapeColumn]
    /// The look-ups whose reference tables are read, in the pipeline's order.
    public let lookups: [LookupIndex]
    /// The list of overrides, where it has any line.
    public let overrides: OverrideList?
    /// The rules that may decide, those of overrides last.
    public let rules: [RuleEntry]
    /// The columns of the classified trips, in order.
    public let columnNames: [String]

    /// Writes a classifier as SQL.
    ///
    /// - Parameters:
    ///   - classifier: The classifier.
    ///   - countWhen: The text of the condition for counting; nil counts all.
    ///   - dialect: The dialect.
    ///   - tables: What the tables are called.
    /// - Throws: ``Faults`` with every expression that the dialect cannot say, and with all that
    ///   reads an id which trips do not have.
    /// - Complexity: O(*n*) in the nodes of the expressions.
    public init(
        _ classifier: TripClassifier,
        countWhen: String?,
        dialect: SQLDialect,
        tables: Tables = .plain
    ) throws(Faults) {
        var writer = ClassificationSQL(classifier, dialect, tables)
        classification = writer.write(countWhen: countWhen)
        let tablesOfIDs = writer.tablesOfIDs
        guard writer.faults.isEmpty, tablesOfIDs.isEmpty else {
            throw Faults(faults: writer.faults, tablesOfIDs: tablesOfIDs)
        }
        self.dialect = dialect
        kpis = KPISQL(classifier.shape, dialect, tables).text
        tripColumns = writer.tripColumns
        lookups = classifier.lookups.filter { writer.readsRows(of: $0) }
        overrides = writer.overrides
        rules = classifier.rules
        columnNames = writer.columnNames
    }

    /// The name of a look-up's reference table.
    public static func tableName(of lookup: String) -> String { "reference_" + lookup }
}
