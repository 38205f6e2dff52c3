import TestSupport
import Testing
import TripEngine

@testable import TripRuns

/// A reference file edited from one version to the next, row by row.
@Suite struct ReferenceEditsTests {
    private static let columns = ["unit", "from", "owner", "note"]

    /// Cells that need quotes, or that Swift would join with a neighbouring character.
    private static let notes = [
        "", "a,b", "say \"so\"", "\"\u{301}", "two\nlines", "caf\u{e9}", "cafe\u{301}",
    ]

    private static func file(_ rows: [[String]]) -> [UInt8] {
        func quoted(_ cell: String) -> [UInt8] {
            let quote = UInt8(ascii: "\"")
            return [quote] + cell.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
        }
        return ([columns] + rows).flatMap { row in
            Array(row.map(quoted).joined(separator: Array(",".utf8))) + Array("\n".utf8)
        }
    }

    /// The rows of a file, in an order that does not matter to look-ups, byte by byte.
    private static func rows(_ bytes: [UInt8]) throws -> [[[UInt8]]] {
        try ReferenceLoader.lines(file: "a.csv", bytes: bytes).lines
            .map { $0.cells.map { Array($0.utf8) } }
            .sorted { $0.flatMap { $0 + [0] }.lexicographicallyPrecedes($1.flatMap { $0 + [0] }) }
    }

    @Test(arguments: 1...30)
    func editedRowsLeadStepByStepToTheNewFile(seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        func row(_ unit: Int) -> [String] {
            [
                "U\(unit)", "2026-0\(1 + dice.below(9))-01", ["VA", "VENDOR"][dice.below(2)],
                Self.notes[dice.below(Self.notes.count)],
            ]
        }
        let before = (0..<12).map { row($0 / 2) }
        var now = before
        for _ in 0..<(1 + dice.below(5)) {
            switch dice.below(3) {
            case 0: now.remove(at: dice.below(now.count))
            case 1: now.append(row(20 + dice.below(5)))
            default: now[dice.below(now.count)][2 + dice.below(2)] = "other"
            }
        }
        let edits = try ReferenceEdits(
            "a.csv",
            Self.file(before),
            Self.file(now),
            keys: ["unit", "from"]
        )
        #expect(try Self.rows(edits.content(with: [])) == Self.rows(Self.file(before)))
        #expect(
            try Self.rows(edits.content(with: Set(0..<edits.rowCount))) == Self.rows(Self.file(now))
        )
        for row in 0..<edits.rowCount {
            let alone = try ReferenceEdits(
                "a.csv",
                edits.content(with: []),
                edits.content(with: [row]),
                keys: ["unit", "from"]
            )
            #expect(alone.rowCount == 1)
        }
    }
}
