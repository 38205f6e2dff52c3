import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// One reject found again in its file.
@Suite struct RejectedTextTests {
    /// The cells of records, of which some are at fault, and the text of the file.
    private static func file(_ dice: inout SeededDice) -> (rows: [[String]], text: String) {
        let amounts = ["1.50", "ten", "twelve, or so", "9 \"net\"", ""]
        let rows = (0..<40).map { number in
            number % 11 == 7
                ? ["short"]
                : [
                    "T-\(number)", dice.below(5) == 0 ? "never" : "2026-05-03T10:00", "528",
                    amounts[dice.below(amounts.count)], "2",
                ]
        }
        let lines = rows.map { cells in
            cells.map { cell in
                cell.contains { ",\"".contains($0) }
                    ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
            }.joined(separator: ",") + "\n"
        }
        return (rows, ExportReaderTests.header + lines.joined())
    }

    private static func found(
        _ text: String,
        _ slicing: Slicing,
        where isMeant: (Reject) -> Bool
    ) throws -> RejectedText? {
        try ExportReader.rejectedText(
            ByteSource(bytes: Array(text.utf8), name: "test.csv"),
            ExportReaderTests.request(slicing: slicing),
            where: isMeant
        )
    }

    @Test(arguments: 0..<20)
    func everyRejectIsFoundWithItsCellForEveryCut(seed: Int) throws {
        var dice = SeededDice(seed: UInt64(seed))
        let (rows, text) = Self.file(&dice)
        let reading = try ExportReaderTests.read(text)
        #expect(!reading.rejects.isEmpty)
        for slicing in [
            Slicing(threads: 1), Slicing(threads: 3, sliceSize: 64),
            Slicing(threads: 1, sliceSize: 7, windowSize: 64),
        ] {
            for (reject, record) in zip(reading.rejects, reading.rejectTexts) {
                let found = try #require(
                    try Self.found(text, slicing) { $0.lineNumber == reject.lineNumber }
                )
                #expect(found.reject == reject)
                #expect(found.record == record)
                let cells = rows[reject.recordNumber - 1]
                // The slow twin: the cell as it was written, by the header's names.
                let wanted: [(String?, String)] =
                    switch reject.field {
                    case "pickup_at": [("at", cells[1])]
                    case "cost": [("paid", cells[3])]
                    default: [(nil, cells[0])]
                    }
                #expect(found.cells.map(\.column) == wanted.map(\.0))
                #expect(
                    found.cells.map { String(decoding: $0.bytes, as: UTF8.self) }
                        == wanted.map(\.1)
                )
            }
        }
    }

    @Test func aRecordThatIsAcceptedIsNotFound() throws {
        let text = ExportReaderTests.header + "T-1,2026-05-03T10:00,528,1,1\n"
        #expect(try Self.found(text, Slicing(threads: 1)) { $0.lineNumber == 2 } == nil)
    }

    @Test func theCellsOfAFieldOfSeveralColumnsAreNamed() throws {
        let fields = [
            ExportReaderTests.field("trip_id", .text, "id") { $0.isRequired = true },
            ExportReaderTests.field("pickup_at", .timestamp, "day") { field in
                field.columns = ["day", "time"]
                field.isRequired = true
            },
        ]
        let found = try #require(
            try ExportReader.rejectedText(
                ByteSource(bytes: Array("time,id,day\n25:00,T-1,2026-05-03\n".utf8), name: "a"),
                ExportReaderTests.request(fields: fields),
                where: { _ in true }
            )
        )
        #expect(found.cells.map(\.column) == ["day", "time"])
        #expect(found.cells.map(\.bytes) == [Array("2026-05-03".utf8), Array("25:00".utf8)])
    }
}
