import Testing
import TripDomain

@testable import TripReports
@testable import TripRuns

@Suite struct RejectTallyTests {
    private static func reject(_ record: Int) -> Reject {
        Reject(
            fileIndex: record % 2,
            recordNumber: record,
            lineNumber: record + 1,
            byteOffset: 0,
            byteSize: 1,
            itemCount: 1,
            field: "field_\(record)",
            reason: .wrongType,
            amountCents: nil,
            isUnpriced: true,
            tripID: nil
        )
    }

    @Test func aLongTableCountsOmittedRows() {
        let rejects = (1...14).map(Self.reject)
        let lines = RejectTally.of(rejects, paths: ["a.csv", "b.csv"]).lines
        #expect(lines.count == 14)
        #expect(lines[1].hasSuffix("field_1   b.csv, record 1, line 2"))
        #expect(lines.last == "and 2 rejects of 2 other kinds")
    }
}
