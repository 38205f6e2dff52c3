import TestSupport
import Testing
import TripDomain

@testable import TripMart

/// Rejects that are written page by page are those that INSERT would have written.
@Suite struct RejectRowsTests {
    @Test(arguments: [0, 1, 2, 40, 3000])
    func everyRejectIsStored(count: Int) throws {
        let mart = try BuiltMart()
        var dice = SeededDice(seed: UInt64(count))
        var contents = ReferenceGeneration(seed: 3, count: 60).contents()
        contents.rejects = (0..<count).map { Self.reject($0, &dice) }
        // Some are longer than a page.
        let texts = (0..<count).map { row in
            [UInt8](repeating: UInt8(row % 251), count: row % 90 == 7 ? 30_000 : row % 200)
        }
        // Part of them in memory, part of them in a file.
        let spool = RejectSpool(mart.folder, residentSizeMax: 5_000)
        contents.rejectTexts = SpooledTexts(spool, try texts.flatMap { try spool.keep([$0]) })
        let built = try mart.writer.write(contents)
        let sound = try BuiltMart.rows(built.path, "PRAGMA integrity_check")
        #expect(sound == [["ok"]])

        let connection = try RawConnection(path: built.path, mode: .immutable)
        let stored = try connection.prepare("SELECT * FROM reject ORDER BY number")
        for (row, reject) in contents.rejects.enumerated() {
            try #require(try stored.step())
            let values = (Int32(0)..<12).map { stored.value($0) }
            #expect(values == Self.values(reject, number: row + 1))
            let plain = try mart.keys.open(
                Array(stored.bytes(12)),
                table: "reject",
                column: "sealed_text",
                row: Int64(row + 1)
            )
            #expect(plain == texts[row])
        }
        #expect(try !stored.step())
        // By the index, in its order.
        let ids = try BuiltMart.rows(
            built.path,
            "SELECT trip_id, number FROM reject INDEXED BY reject_trip_id "
                + "WHERE trip_id IS NOT NULL ORDER BY trip_id, number"
        )
        let expected = contents.rejects.enumerated()
            .compactMap { row, reject in reject.tripID.map { (Array($0.utf8), row + 1) } }
            .sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0.lexicographicallyPrecedes($1.0) }
        #expect(ids == expected.map { [String(decoding: $0.0, as: UTF8.self), "\($0.1)"] })
    }

    @Test func aRecordThatCanNoLongerBeReadEndsTheWriting() throws {
        struct Lost: RejectTexts {
            let count: Int
            func text(_ index: Int) throws -> [UInt8] { throw MartError(.ioFailed, remedy: "") }
        }
        let mart = try BuiltMart()
        var contents = ReferenceGeneration(seed: 3, count: 60).contents()
        contents.rejectTexts = Lost(count: contents.rejects.count)
        try #require(contents.rejects.count > 0)
        expectFailure(.ioFailed) { _ = try mart.writer.write(contents) }
    }

    private static func reject(_ index: Int, _ dice: inout SeededDice) -> Reject {
        Reject(
            fileIndex: Int.random(in: 0..<3, using: &dice),
            recordNumber: index + 1,
            lineNumber: index + 2,
            byteOffset: index * 1_000_003,
            byteSize: 40,
            itemCount: index % 3 + 1,
            field: dice.oneIn(2) ? "cost" : nil,
            reason: dice.pick(RejectReason.allCases),
            amountCents: dice.oneIn(2) ? -Int64(index) : nil,
            isUnpriced: dice.oneIn(2),
            tripID: dice.oneIn(3) ? nil : "T-é\(index / 2)"
        )
    }

    private static func values(_ reject: Reject, number: Int) -> [StoredValue] {
        [
            StoredValue(number), StoredValue(reject.fileIndex + 1),
            StoredValue(reject.recordNumber), StoredValue(reject.lineNumber),
            StoredValue(reject.byteOffset), StoredValue(reject.byteSize),
            StoredValue(reject.itemCount), StoredValue(reject.field),
            .text(reject.reason.rawValue), StoredValue(reject.amountCents),
            StoredValue(reject.isUnpriced ? 1 : 0), StoredValue(reject.tripID),
        ]
    }
}
