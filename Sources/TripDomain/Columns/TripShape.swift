/// The kind of the values of one stored column, beyond their storage.
public enum ColumnKind: String, Sendable {
    /// Any text.
    case text
    /// A whole number.
    case integer
    /// 0 or 1.
    case boolean
    /// A declared decimal, kept as a double.
    case decimal
    /// Whole cents; the column's name ends in `_cents`.
    case money
    /// Whole hundredths of a mile; the column's name ends in `_hundredths`.
    case miles
    /// Days since 1970-01-01; read as `YYYY-MM-DD`.
    case date
    /// Seconds since 1970-01-01 on the clock its column names; read as `YYYY-MM-DD HH:MM:SS`.
    case timestamp
    /// A patient's identifier: never stored in clear, never readable by a rule.
    case patient
}

/// One stored column of a trip.
public struct ShapeColumn: Sendable, Hashable {
    /// The column's name in rules and in SQL.
    public let name: String
    /// The kind of its values.
    public let kind: ColumnKind
    /// Whether it is an expression over other columns, and not a declared field.
    public let isDerived: Bool

    /// Describes one column.
    public init(name: String, kind: ColumnKind, isDerived: Bool) {
        self.name = name
        self.kind = kind
        self.isDerived = isDerived
    }

    /// The name under which the values of a field are stored: money and miles name their unit.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - kind: The kind of its values.
    /// - Returns: The name of the column.
    public static func name(ofField name: String, _ kind: ColumnKind) -> String {
        switch kind {
        case .money: name + "_cents"
        case .miles: name + "_hundredths"
        default: name
        }
    }

    /// The name of a time stamp's local date in rules: `pickup_at` gives `pickup_date`.
    public static func dateName(ofTimestamp name: String) -> String {
        (name.hasSuffix("_at") ? String(name.dropLast(3)) : name) + "_date"
    }
}

/// The columns a pipeline's trips have, in stored order, and which of them the KPIs need.
///
/// A time stamp field `pickup_at` gives two columns, `pickup_at` (local) and `pickup_at_utc`.
public struct TripShape: Sendable, Hashable {
    /// The names that the mart gives columns of its own, in lower case; no field may have them.
    public static let reservedNames: Set<String> = [
        "trip_number", "month", "class", "basis", "rule", "counted", "source_file",
        "record_number", "line_number", "patient_ref", "rule_number", "file_number",
    ]

    /// All columns: fields first, derived columns after them.
    public let columns: [ShapeColumn]
    /// The column that holds the trip id.
    public let tripIDIndex: Int
    /// The local pick-up time, in seconds.
    public let pickupIndex: Int
    /// The pick-up instant, in seconds of UTC.
    public let pickupUTCIndex: Int
    /// The region, a text column.
    public let regionIndex: Int
    /// The trip type, a text column.
    public let tripTypeIndex: Int
    /// The cost in cents, where the pipeline has one.
    public let costIndex: Int?
    /// The loaded miles in hundredths, where the pipeline has them.
    public let milesIndex: Int?
    /// The patient identifier, where the pipeline has one.
    public let patientIndex: Int?
    /// The name of the provider that drove, where the pipeline has a field `provider_name`.
    public let providerNameIndex: Int?
    /// The columns that declared measures and dimensions read.
    public var declared = DeclaredColumns()

    /// Finds the KPI columns among the given ones by their fixed names.
    ///
    /// There is no shape where `trip_id`, `pickup_at`, `pickup_at_utc`, `region` or `trip_type` is
    /// missing or of another kind.
    ///
    /// - Parameters:
    ///   - columns: All columns, fields first.
    ///   - costName: The column the KPIs sum: one of money, such as `cost_cents`, or a derived one
    ///     of whole numbers, which are cents.
    public init?(columns: [ShapeColumn], costName: String) {
        func find(_ name: String, _ kind: ColumnKind) -> Int? {
            columns.firstIndex { $0.name == name && $0.kind == kind }
        }
        guard let tripID = find("trip_id", .text), let pickup = find("pickup_at", .timestamp),
            let pickupUTC = find("pickup_at_utc", .timestamp), let region = find("region", .text),
            let tripType = find("trip_type", .text)
        else { return nil }
        self.columns = columns
        tripIDIndex = tripID
        pickupIndex = pickup
        pickupUTCIndex = pickupUTC
        regionIndex = region
        tripTypeIndex = tripType
        costIndex =
            find(costName, .money)
            ?? columns.firstIndex {
                $0.name == costName && $0.kind == .integer && $0.isDerived
            }
        milesIndex = find("miles_hundredths", .miles)
        providerNameIndex = find("provider_name", .text)
        patientIndex = columns.firstIndex { $0.kind == .patient }
    }

    /// The column with the values of a field, of a time stamp its local time; nil where there is
    /// none.
    ///
    /// - Complexity: O(*n*) in the columns.
    public func column(ofField name: String) -> Int? {
        columns.firstIndex { $0.name == ShapeColumn.name(ofField: name, $0.kind) }
    }
}
