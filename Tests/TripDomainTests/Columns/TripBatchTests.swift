import Testing

@testable import TripDomain

@Suite struct TripBatchTests {
    private static func batch() -> TripBatch {
        var batch = TripBatch(
            fileIndex: 3,
            columns: [
                .text(TextColumn(codes: [2, 0, 1, 2], pool: TextPool(["x", "y"]))),
                .integer(IntegerColumn(values: [5, 0, 7, 8], nulls: [false, true, false, false])),
                .real(RealColumn(values: [0.5, 1.5, 2.5, 3.5])),
                .integer(IntegerColumn(values: [])),
            ],
            recordNumbers: [11, 12, 13, 14],
            lineNumbers: []
        )
        batch.ruleNumbers = [1, 0, 2, 1]
        batch.counted = [true, false, true, false]
        return batch
    }

    @Test func rowsAreTakenInTheOrderGiven() {
        let some = Self.batch().gathered([3, 1, 1])
        #expect(some.count == 3 && some.fileIndex == 3)
        #expect(some.columns[0].texts.codes == [2, 0, 0])
        #expect(some.columns[0].texts.pool.string(2) == "y")
        #expect((0..<3).map { some.columns[1].integers.value($0) } == [8, nil, nil])
        if case .real(let reals) = some.columns[2] {
            #expect(reals.values == [3.5, 1.5, 1.5] && reals.nulls.isEmpty)
        } else {
            Issue.record("the kind of a column stays")
        }
        #expect(some.columns[3].count == 0)
        #expect(some.recordNumbers == [14, 12, 12] && some.lineNumbers.isEmpty)
        #expect(some.ruleNumbers == [1, 0, 0] && some.counted == [false, false, false])
    }

    @Test func noRowsAreNoTrips() {
        let none = Self.batch().gathered([])
        #expect(none.count == 0 && none.columns.map(\.count) == [0, 0, 0, 0])
    }
}
