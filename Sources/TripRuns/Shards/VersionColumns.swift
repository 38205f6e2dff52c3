import TripDomain
import TripEngine

/// The columns of `versions` frames, and the shape of the trips that they are resolved as.
///
/// `TripResolution` compares versions by their declared fields. Here the digest stands for all of
/// them, and every other column counts as derived; so the same code decides.
struct VersionColumns: Sendable {
    /// The name of the frame.
    static let kind = "versions"

    /// The columns before those of declared measures and dimensions.
    private static let fixed: [ShardPlan.Column] = [
        ShardPlan.Column(name: "ref", type: .binary),
        ShardPlan.Column(name: "file", type: .int32),
        ShardPlan.Column(name: "record", type: .int64),
        ShardPlan.Column(name: "line", type: .int64),
        ShardPlan.Column(name: "reject", type: .int32),
        ShardPlan.Column(name: "order", type: .utf8),
        ShardPlan.Column(name: "digest", type: .binary),
        ShardPlan.Column(name: "pickup", type: .int64),
        ShardPlan.Column(name: "trip_type", type: .utf8),
        ShardPlan.Column(name: "region", type: .utf8),
        ShardPlan.Column(name: "rule", type: .int32),
        ShardPlan.Column(name: "counted", type: .bool),
        ShardPlan.Column(name: "cents", type: .int64),
        ShardPlan.Column(name: "miles", type: .int64),
        ShardPlan.Column(name: "override", type: .int32),
        ShardPlan.Column(name: "status", type: .utf8),
    ]

    /// All columns, in order.
    let all: [ShardPlan.Column]
    /// The index of each column.
    let index: [String: Int]
    /// The shape of the trips that are resolved.
    let shape: TripShape
    /// The index of the column that orders versions, in that shape.
    static let orderIndex = 5

    /// Derives the columns from those of the pipeline's trips.
    init(_ trips: TripShape) {
        func column(_ name: String, _ kind: ColumnKind, isDerived: Bool = true) -> ShapeColumn {
            ShapeColumn(name: name, kind: kind, isDerived: isDerived)
        }
        var columns = [
            column("trip_id", .text),
            column("pickup_at", .timestamp),
            column("pickup_at_utc", .timestamp),
            column("region", .text),
            column("trip_type", .text),
            column("order", .text),
            column("digest", .text, isDerived: false),
            column("cost_cents", .money),
            column("miles_hundredths", .miles),
            column(TripCounts.statusName, .text),
        ]
        var all = Self.fixed
        var declared = DeclaredColumns()
        for (number, measure) in trips.declared.measures.enumerated() {
            declared.measures.append(DeclaredColumn(measure.declared, index: columns.count))
            columns.append(column("m\(number)", .integer))
            all.append(ShardPlan.Column(name: "m\(number)", type: .int64))
        }
        for (number, dimension) in trips.declared.dimensions.enumerated() {
            declared.dimensions.append(DeclaredColumn(dimension.declared, index: columns.count))
            columns.append(column("d\(number)", .text))
            all.append(ShardPlan.Column(name: "d\(number)", type: .utf8))
        }
        guard var shape = TripShape(columns: columns, costName: "cost_cents") else {
            preconditionFailure("the columns have the names that a shape needs")
        }
        shape.declared = declared
        (self.all, self.shape) = (all, shape)
        index = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
    }
}
