import Testing
import TripDomain

@testable import TripMart

@Suite struct ReconciliationTests {
    /// A pool may hold a text under several codes; NULL and blank are one status.
    @Test func aStatusIsCountedOnceHoweverManyCodesItHas() throws {
        let shape = try #require(
            TripShape(
                columns: [
                    ShapeColumn(name: "trip_id", kind: .text, isDerived: false),
                    ShapeColumn(name: "pickup_at", kind: .timestamp, isDerived: false),
                    ShapeColumn(name: "pickup_at_utc", kind: .timestamp, isDerived: false),
                    ShapeColumn(name: "region", kind: .text, isDerived: true),
                    ShapeColumn(name: "trip_type", kind: .text, isDerived: true),
                    ShapeColumn(name: "status", kind: .text, isDerived: true),
                ],
                costName: ""
            )
        )
        let times = Column.integer(IntegerColumn(values: [Int64](repeating: 0, count: 6)))
        let texts = Column.text(TextColumn(codes: [1, 1, 1, 1, 1, 1], pool: TextPool(["x"])))
        let statuses = TextColumn(codes: [0, 1, 2, 3, 2, 0], pool: TextPool(["done", "done", ""]))
        var batch = TripBatch(
            fileIndex: 0,
            columns: [texts, times, times, texts, texts, .text(statuses)],
            recordNumbers: [1, 2, 3, 4, 5, 6],
            lineNumbers: [1, 2, 3, 4, 5, 6]
        )
        batch.ruleNumbers = [0, 0, 0, 0, 0, 0]
        batch.counted = [false, true, true, false, false, true]
        let rows = Reconciliation.sorted(Reconciliation.counts(of: batch, shape: shape))
        #expect(
            rows == [
                ReconciliationRow(status: "", isCounted: false, trips: 2),
                ReconciliationRow(status: "", isCounted: true, trips: 1),
                ReconciliationRow(status: "done", isCounted: false, trips: 1),
                ReconciliationRow(status: "done", isCounted: true, trips: 2),
            ]
        )
    }
}
