public import TripDomain

/// The type a field's text is read as.
public enum FieldType: String, Sendable, CaseIterable {
    /// Any text.
    case text
    /// A whole number.
    case integer
    /// A decimal number, kept as a double.
    case decimal
    /// An amount of dollars, kept in whole cents.
    case money
    /// A distance in miles, kept in whole hundredths.
    case miles
    /// A day.
    case date
    /// A day and a time, with or without offset.
    case timestamp
    /// Yes or no.
    case boolean
    /// A patient's identifier: sealed, never shown.
    case patientID = "patient_id"
    /// A National Provider Identifier: ten digits with a check digit.
    case npi
    /// A list of two-character codes, such as modifiers: `RHQN` is RH and QN.
    case codes

    /// The kind of the stored column.
    public var columnKind: ColumnKind {
        switch self {
        case .text, .npi, .codes: .text
        case .integer: .integer
        case .decimal: .decimal
        case .money: .money
        case .miles: .miles
        case .date: .date
        case .timestamp: .timestamp
        case .boolean: .boolean
        case .patientID: .patient
        }
    }
}

/// How one field of a trip is read from the columns of an export.
public struct FieldDefinition: Sendable, Hashable {
    /// Its name in the pipeline.
    public var name: String
    /// The type its text is read as.
    public var type: FieldType
    /// The export's columns, in order; empty for a constant.
    public var columns: [String]
    /// The text between those of several columns.
    public var joiner: String
    /// Whether a blank is a reject rather than NULL.
    public var isRequired: Bool
    /// Whether spaces and tabs around the text are removed.
    public var isTrimmed: Bool
    /// Whether ASCII letters are changed to capitals.
    public var isUppercased: Bool
    /// The pattern that the whole text must match; nil accepts any.
    public var pattern: Pattern?
    /// The least and greatest value, in the stored unit; nil is unbounded.
    ///
    /// Of time stamps they are in seconds as written.
    public var range: ClosedRange<Int64>?
    /// Texts with the texts, or the NULL, that replace them.
    public var valueMap: [String: String?]
    /// Whether a text that the value map does not list is a reject.
    public var isValueMapClosed: Bool
    /// How dates and time stamps are written; the first format that fits is used.
    public var formats: [TimeFormat]
    /// The text every trip has, for a field without column.
    public var constant: String?
    /// The text between the units of one cell; a record yields one trip per unit.
    public var separator: String?

    /// What happens to a record that lists no unit; nil leaves it to the trip id, which lacks a
    /// part.
    public var ifNoUnit: UnitlessRecord?
    /// How units tell a time of their own; nil where they tell none.
    public var unitTime: UnitTime?
    /// Whether a pick-up may lie after the day its file was taken in.
    public var allowsFuture = false
    /// What is cut out of the cell, before letters are changed and values replaced.
    public var cut = CellCut()
    /// Whether the field is read from the first of its columns that can be read, rather than from
    /// all of them joined.
    public var isFirstReadable = false
    /// Whether an identifier of several columns may lack some of them, but not all.
    public var allowsBlankParts = false
    /// Whether a trip id is the source position: it is read from no column.
    public var isSourcePosition = false
    /// Whether a time stamp may be a day alone, which is its midnight.
    public var readsDaysAlone = false
    /// Whether amounts are rounded to whole cents or hundredths, halves away from zero.
    public var isRounded = false

    /// Describes a field, read without any of the optional conversions and checks.
    public init(name: String, type: FieldType, columns: [String]) {
        self.name = name
        self.type = type
        self.columns = columns
        joiner = " "
        isRequired = false
        isTrimmed = true
        isUppercased = false
        pattern = nil
        range = nil
        valueMap = [:]
        isValueMapClosed = false
        formats = []
        constant = nil
        separator = nil
    }

    /// The stored columns of the field; a time stamp has two, its local time and its instant.
    public var shapeColumns: [ShapeColumn] {
        let kind = type.columnKind
        let stored = ShapeColumn.name(ofField: name, kind)
        let column = ShapeColumn(name: stored, kind: kind, isDerived: false)
        guard kind == .timestamp else { return [column] }
        return [column, ShapeColumn(name: name + "_utc", kind: kind, isDerived: false)]
    }
}

/// One layout of an export: which fields of the pipeline are read from which of its columns.
public struct LayoutDefinition: Sendable, Hashable {
    /// Its name; empty where the pipeline has one layout alone.
    public var name: String
    /// The fields, in declared order.
    public var fields: [FieldDefinition]
    /// Columns of the export that no field uses and that are not an error.
    public var ignoredColumns: [String]

    /// Describes a layout.
    public init(name: String, fields: [FieldDefinition], ignoredColumns: [String] = []) {
        self.name = name
        self.fields = fields
        self.ignoredColumns = ignoredColumns
    }
}
