import Testing
import TripDomain

@Suite struct TripShapeTests {
    @Test func aFieldIsFoundUnderTheNameWithItsUnit() throws {
        let columns: [(name: String, kind: ColumnKind)] = [
            ("trip_id", .text), ("pickup_at", .timestamp), ("pickup_at_utc", .timestamp),
            ("region", .text), ("trip_type", .text), ("fee_cents", .integer),
            ("cost_cents", .money), ("miles_hundredths", .miles),
        ]
        let shape = try #require(
            TripShape(
                columns: columns.map {
                    ShapeColumn(name: $0.name, kind: $0.kind, isDerived: false)
                },
                costName: ShapeColumn.name(ofField: "cost", .money)
            )
        )
        #expect(shape.costIndex == 6)
        let found = ["trip_id", "pickup_at", "cost", "miles", "fee_cents"].map {
            shape.column(ofField: $0)
        }
        #expect(found == [0, 1, 6, 7, 5])
        // A whole number of that name is no amount, and a column is no field.
        for name in ["fee", "cost_cents", "miles_hundredths", "none"] {
            #expect(shape.column(ofField: name) == nil, "\(name)")
        }
    }
}
