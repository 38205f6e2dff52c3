import TripDomain

/// The storage of one column of the trips in `trip_row`.
enum TripStorage: Hashable {
    /// The text itself.
    case inlineText
    /// A code of `text_value`.
    case codedText
    /// The integer itself.
    case integer
    /// The double itself.
    case real
    /// Days since 1970-01-01.
    case days
    /// Seconds since 1970-01-01.
    case seconds
    /// The instant as seconds that are added to another column's local time.
    case offset(of: Int)
    /// The reference of a patient.
    case patient

    /// The word in `trip_column`.
    var word: String {
        switch self {
        case .inlineText: "text"
        case .codedText: "code"
        case .integer: "integer"
        case .real: "real"
        case .days: "days"
        case .seconds: "seconds"
        case .offset: "offset"
        case .patient: "reference"
        }
    }
}

/// The tables that hold the trips, and the view that makes them readable.
///
///     trip_row   compact: texts by code, times in seconds; row number = position by pick-up time
///     trip       the view over it: every column under its own name, as rules read it
struct TripTables {
    let shape: TripShape
    let storage: [TripStorage]

    static let fixedColumns = [
        "rule_number", "counted", "file_number", "record_number", "line_number",
    ]

    static let supportDDL = """
        CREATE TABLE trip_column(
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            derived INTEGER NOT NULL,
            stored_as TEXT NOT NULL,
            stored_name TEXT NOT NULL,
            role TEXT
        );

        CREATE TABLE text_value(
            code INTEGER PRIMARY KEY,
            value TEXT NOT NULL
        );

        CREATE TABLE month_range(
            month TEXT PRIMARY KEY,
            first_trip INTEGER NOT NULL,
            last_trip INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// The name of a column in `trip_row`.
    func storedName(_ index: Int) -> String {
        guard storage[index] == .patient else { return shape.columns[index].name }
        return index == shape.patientIndex ? "patient_ref" : shape.columns[index].name + "_ref"
    }

    var rowDDL: String {
        let columns = storage.indices.map { index in
            "\(QuotedText.quoted(storedName(index))) \(type(storage[index]))"
        }
        let fixed = Self.fixedColumns.map { "\($0) INTEGER NOT NULL" }
        return "CREATE TABLE trip_row(\n    trip_number INTEGER PRIMARY KEY,\n    "
            + (columns + fixed).joined(separator: ",\n    ") + "\n);"
    }

    /// Created when all rows are inserted: building an index from sorted rows is faster than
    /// updating it.
    static let indexes: [(name: String, sql: String)] = [
        // explain, /trip/{ref}: one trip by its id; and no id may occur twice
        ("trip_row_trip_id", "CREATE UNIQUE INDEX trip_row_trip_id ON trip_row(trip_id)"),
        // /trips, trips: filtered by type, by region or by both; a query of one pair of values
        // returns trips in order of their numbers, so that a second index would only cost time and
        // space
        (
            "trip_row_type_region",
            "CREATE INDEX trip_row_type_region ON trip_row(trip_type, region)"
        ),
    ]

    /// The view over the rows.
    var viewDDL: String {
        var columns = ["t.trip_number AS trip_number"]
        let names = Set(shape.columns.map(\.name))
        for index in storage.indices where index != shape.patientIndex {
            let name = shape.columns[index].name
            let shown = storage[index] == .patient ? storedName(index) : name
            columns.append("\(expression(index)) AS \(QuotedText.quoted(shown))")
            if storage[index] == .seconds, name.hasSuffix("_at"),
                !names.contains(Self.dateName(name))
            {
                columns.append(
                    "date(t.\(QuotedText.quoted(name)), 'unixepoch') AS "
                        + QuotedText.quoted(Self.dateName(name))
                )
            }
        }
        let pickup = QuotedText.quoted(shape.columns[shape.pickupIndex].name)
        let rule = "FROM rule AS r WHERE r.number = t.rule_number)"
        columns += [
            "strftime('%Y-%m', t.\(pickup), 'unixepoch') AS month",
            "coalesce((SELECT r.class \(rule), 'undetermined') AS class",
            "coalesce((SELECT r.basis \(rule), '') AS basis",
            "(SELECT r.id \(rule) AS rule",
            "t.counted AS counted",
            "(SELECT f.path FROM source_file AS f WHERE f.number = t.file_number) AS source_file",
            "t.record_number AS record_number",
            "t.line_number AS line_number",
            (shape.patientIndex == nil ? "NULL" : "t.patient_ref") + " AS patient_ref",
        ]
        return "CREATE VIEW trip AS SELECT\n    " + columns.joined(separator: ",\n    ")
            + "\nFROM trip_row AS t;"
    }

    /// The local day of a time stamp field: `pickup_date` of `pickup_at`.
    static func dateName(_ name: String) -> String {
        String(name.dropLast(3)) + "_date"
    }

    /// Refuses names that the tables need for themselves.
    static func requireFreeNames(_ shape: TripShape) throws(MartError) {
        var seen: Set<String> = []
        for column in shape.columns {
            let name = column.name.lowercased()
            guard !TripShape.reservedNames.contains(name), seen.insert(name).inserted else {
                throw MartError(
                    .nameClash,
                    remedy: "Rename the field or derived column \(column.name): the "
                        + "table of trips already has a column of that name."
                )
            }
        }
    }

    private func expression(_ index: Int) -> String {
        let column = "t." + QuotedText.quoted(storedName(index))
        switch storage[index] {
        case .inlineText, .integer, .real, .patient: return column
        case .codedText: return "(SELECT v.value FROM text_value AS v WHERE v.code = \(column))"
        case .days: return "date(\(column) * 86400, 'unixepoch')"
        case .seconds: return "datetime(\(column), 'unixepoch')"
        case .offset(let local):
            let base = "t." + QuotedText.quoted(storedName(local))
            return "datetime(\(base) + \(column), 'unixepoch')"
        }
    }

    private func type(_ storage: TripStorage) -> String {
        switch storage {
        case .inlineText: "TEXT"
        case .real: "REAL"
        default: "INTEGER"
        }
    }
}
