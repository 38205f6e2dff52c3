import TripDomain
import TripEngine
import TripMart
import TripRules

/// The columns of `trips` frames: the trips as the view `trip` of a generation shows them.
struct TripColumns: Sendable {
    /// The name of the frame.
    static let kind = "trips"

    /// Where a column comes from.
    enum Origin: Sendable {
        /// A stored column, by its index.
        case stored(Int)
        /// The local day of a time stamp.
        case day(Int)
        /// The reference of a patient, and the sealed identifier.
        case patientRef(Int)
        case patientSealed(Int)
        /// The columns that every trip has.
        case ref
        case month
        case tripClass
        case basis
        case rule
        case counted
        case sourceFile
        case record
        case line
    }

    let columns: [(column: ShardPlan.Column, origin: Origin)]
    var all: [ShardPlan.Column] { columns.map(\.column) }

    init(_ shape: TripShape) {
        var columns: [(ShardPlan.Column, Origin)] = []
        func add(_ name: String, _ type: FrameType, _ origin: Origin) {
            columns.append((ShardPlan.Column(name: name, type: type), origin))
        }
        add("trip_ref", .utf8, .ref)
        let names = Set(shape.columns.map(\.name))
        var patients: [(String, Int)] = []
        for (index, column) in shape.columns.enumerated() where index != shape.tripIDIndex {
            guard column.kind != .patient else {
                let name = index == shape.patientIndex ? "patient" : column.name
                patients.append((name, index))
                continue
            }
            add(column.name, Self.type(of: column.kind), .stored(index))
            let day = ShapeColumn.dateName(ofTimestamp: column.name)
            if column.kind == .timestamp, column.name.hasSuffix("_at"), !names.contains(day) {
                add(day, .date32, .day(index))
            }
        }
        add("month", .utf8, .month)
        add("class", .utf8, .tripClass)
        add("basis", .utf8, .basis)
        add("rule", .utf8, .rule)
        add("counted", .bool, .counted)
        add("source_file", .utf8, .sourceFile)
        add("record_number", .int64, .record)
        add("line_number", .int64, .line)
        for (name, index) in patients {
            add(name + "_ref", .int64, .patientRef(index))
            add(name + "_sealed", .binary, .patientSealed(index))
        }
        self.columns = columns
    }

    private static func type(of kind: ColumnKind) -> FrameType {
        switch kind {
        case .text, .patient: .utf8
        case .integer, .money, .miles: .int64
        case .boolean: .bool
        case .decimal: .float64
        case .date: .date32
        case .timestamp: .timestamp
        }
    }
}
