import Testing
import TripDomain

@testable import TripReports
@testable import TripRuns

@Suite struct RejectTallyTests {
    private static func reject(_ record: Int, items: Int = 1) -> Reject {
        Reject(
            fileIndex: record % 2,
            recordNumber: record,
            lineNumber: record + 1,
            byteOffset: 0,
            byteSize: 1,
            itemCount: items,
            field: "field_\(record)",
            reason: .wrongType,
            amountCents: nil,
            isUnpriced: true,
            tripID: nil
        )
    }

    @Test func aLongTableCountsOmittedRows() {
        let rejects = (1...14).map { Self.reject($0) }
        let lines = RejectTally.of(rejects, paths: ["a.csv", "b.csv"]).lines(on: .usual)
        #expect(lines.count == 14)
        #expect(lines[1].hasSuffix("field_1   b.csv, line 2"))
        #expect(lines.last == "and 2 rejects of 2 other kinds")
    }

    @Test func itemsAndRecordsAreToldApartWhereTheyDiffer() {
        let rejects = [Self.reject(1, items: 3), Self.reject(2)]
        let tallies = RejectTally.of(rejects, paths: ["a.csv", "b.csv"])
        #expect(tallies.lines(on: .usual)[0].hasPrefix("items  records  reason"))
        #expect(tallies.lines(on: .usual)[1].hasPrefix("    3        1  wrong_type"))
        #expect(tallies.clause(items: 4) == "4 items of 2 records rejected")
        #expect(
            RejectTally.of([Self.reject(1)], paths: ["a", "b"]).clause(items: 1) == "1 rejected"
        )
    }
}
