import Testing
import TripDomain

@testable import TripRuns

@Suite struct RejectTallyTests {
    private static func reject(
        _ record: Int,
        _ reason: RejectReason,
        _ field: String?,
        items: Int = 1
    ) -> Reject {
        Reject(
            fileIndex: record % 2,
            recordNumber: record,
            lineNumber: record + 1,
            byteOffset: 0,
            byteSize: 1,
            itemCount: items,
            field: field,
            reason: reason,
            amountCents: nil,
            isUnpriced: true,
            tripID: nil
        )
    }

    @Test func aRecordOfSeveralUnitsIsAsManyItems() {
        let rejects = [
            Self.reject(1, .wrongType, "miles", items: 3), Self.reject(2, .strayQuote, nil),
            Self.reject(4, .strayQuote, nil),
        ]
        let tallies = RejectTally.of(rejects, paths: ["a.csv", "b.csv"])
        #expect(tallies.map(\.count) == [1, 2])
        #expect(tallies.map(\.itemCount) == [3, 2])
    }

    @Test func theMostFrequentComesFirstWithItsFirstPosition() {
        let rejects = [
            Self.reject(1, .wrongType, "miles"), Self.reject(2, .strayQuote, nil),
            Self.reject(3, .wrongType, "cost"), Self.reject(4, .strayQuote, nil),
        ]
        let tallies = RejectTally.of(rejects, paths: ["a.csv", "b.csv"])
        #expect(tallies.map(\.count) == [2, 1, 1])
        #expect(tallies.map(\.field) == [nil, "miles", "cost"])
        #expect(tallies[0].first.text == "a.csv, record 2, line 3")
    }
}
