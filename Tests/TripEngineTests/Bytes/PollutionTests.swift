import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Faults planted in clean files, after the operators of the Pollock benchmark (Vitagliano and
/// others, VLDB 2023): one fault at one position, and the expected outcome of every line.
@Suite struct PollutionTests {
    /// A clean file: the text of each line, and its cells.
    struct CleanFile {
        var header: String
        var lines: [String]
        let cells: [[String]]
        let lineEnd: String
        let columnCount: Int

        init(_ dice: inout SeededDice) {
            columnCount = 2 + dice.below(14)
            lineEnd = dice.pick(["\n", "\r\n"])
            header = (0..<columnCount).map { "column_\($0)" }.joined(separator: ",")
            let quotedShare = dice.below(4)
            var cells: [[String]] = []
            var lines: [String] = []
            for row in 0..<84 {
                let values = (0..<columnCount).map { column in
                    column == 0 ? "T-\(row)" : dice.pick(["12.50", "Boise, ID", "é", "A0428", ""])
                }
                cells.append(values)
                let texts = values.map { value in
                    value.contains(",") || (value != "" && dice.below(4) < quotedShare)
                        ? "\"\(value)\"" : value
                }
                lines.append(texts.joined(separator: ","))
            }
            self.cells = cells
            self.lines = lines
        }

        var bytes: [UInt8] {
            Array(([header] + lines).map { $0 + lineEnd }.joined().utf8)
        }
    }

    /// The damage to one line.
    enum Fault: CaseIterable {
        case delimiterRemoved, delimiterAdded, quoteAtFieldStart, quoteInField, quoteAtLineEnd
        case otherDelimiter, nul, headerRepeated, footer, tooManyCells
    }

    /// Cells of a line as they are written, quotes included.
    static func cells(_ line: String) -> [String] {
        var cells = [""]
        var isQuoted = false
        for character in line {
            if character == "\"" { isQuoted.toggle() }
            if character == "," && !isQuoted {
                cells.append("")
            } else {
                cells[cells.count - 1].append(character)
            }
        }
        return cells
    }

    static func damaged(
        _ line: String,
        _ fault: Fault,
        header: String,
        _ dice: inout SeededDice
    ) -> String {
        var cells = cells(line)
        let column = dice.below(cells.count)
        switch fault {
        case .delimiterRemoved:
            let left = dice.below(cells.count - 1)
            cells[left] += cells.remove(at: left + 1)
        case .delimiterAdded: cells.insert("", at: column)
        case .quoteAtFieldStart: cells[column] = "\"" + cells[column]
        case .quoteInField:
            // Between two characters of an unquoted cell, or of the content of a quoted one.
            return "x\"" + line
        case .quoteAtLineEnd: return line + "\""
        case .otherDelimiter: return cells.joined(separator: dice.pick([";", "\t", "|"]))
        case .nul: cells[column] += "\0"
        case .headerRepeated: return header
        case .footer: return dice.pick(["Total: 84", "84 rows selected.", "-- end --"])
        case .tooManyCells: return String(repeating: "x,", count: 100_000)
        }
        return cells.joined(separator: ",")
    }

    @Test(arguments: 0..<12)
    func aFaultCostsExactlyItsLine(seed: UInt64) throws {
        var dice = SeededDice(seed: 4000 + seed)
        for fault in Fault.allCases {
            for _ in 0..<8 {
                var file = CleanFile(&dice)
                let row = dice.pick([0, 83, dice.below(84)])
                file.lines[row] = Self.damaged(
                    file.lines[row],
                    fault,
                    header: file.header,
                    &dice
                )
                let reading = try Reading(file.bytes)
                var expected = file.cells
                expected.remove(at: row)
                let line = file.lines[row].prefix(200)
                try #require(reading.records == expected, "\(fault) \(line)")
                try #require(reading.counts.rejectedLines == 1)
                try #require(reading.found[row].line == row + 2)
                try #require(reading.counts.physicalLines == 85)
            }
        }
    }

    @Test func differentFaultsHaveDifferentReasons() throws {
        let reasons: [(String, RejectReason)] = [
            ("1,2", .tooFewFields), ("1,2,3,4", .tooManyFields), ("1,\"2,3", .unclosedQuote),
            ("1,2\"x,3", .strayQuote), ("1;2;3", .tooFewFields), ("a,b,c", .repeatedHeader),
            (String(repeating: "x,", count: 100_000), .tooManyFields),
            ("1,2," + String(repeating: "x", count: 1 << 20), .recordTooLong),
            ("1,2,\"" + String(repeating: "x", count: 1 << 20) + "\"", .recordTooLong),
        ]
        for (line, reason) in reasons {
            let reading = try Reading("a,b,c\n7,8,9\n\(line)\n4,5,6\n")
            #expect(reading.reasons == [reason])
            #expect(reading.records == [["7", "8", "9"], ["4", "5", "6"]])
        }
    }

    @Test(arguments: 0..<12)
    func aCutFileLosesItsLastRecordAtMost(seed: UInt64) throws {
        var dice = SeededDice(seed: 5000 + seed)
        let file = CleanFile(&dice)
        let bytes = file.bytes
        let headerSize = file.header.utf8.count + file.lineEnd.utf8.count
        for _ in 0..<60 {
            let size = headerSize + dice.below(bytes.count - headerSize)
            let reading = try Reading(Array(bytes[..<size]))
            let whole = reading.records.prefix(file.cells.count)
            // A last cell that is cut short looks like a short cell.
            #expect(Array(whole.dropLast()) == Array(file.cells.prefix(max(0, whole.count - 1))))
            #expect(reading.counts.rejects <= 1)
            #expect(
                reading.counts.records + reading.counts.rejects + 1
                    == reading.counts.physicalLines
            )
        }
    }

    @Test(arguments: 0..<6)
    func concatenatedExportsAreBothRead(seed: UInt64) throws {
        var dice = SeededDice(seed: 6000 + seed)
        let file = CleanFile(&dice)
        let mark: [UInt8] = dice.below(2) == 0 ? [] : [0xEF, 0xBB, 0xBF]
        let reading = try Reading(mark + file.bytes + mark + file.bytes)
        #expect(reading.records == file.cells + file.cells)
        #expect(reading.reasons == [.repeatedHeader])
    }

    @Test(arguments: 0..<12)
    func aDamagedHeaderIsNeverAccepted(seed: UInt64) throws {
        var dice = SeededDice(seed: 7000 + seed)
        for fault in Fault.allCases where fault != .headerRepeated {
            var file = CleanFile(&dice)
            let names = Self.cells(file.header)
            file.header = Self.damaged(file.header, fault, header: file.header, &dice)
            // The file is expected to be refused as a whole.
            guard let reading = try? Reading(file.bytes) else { continue }
            #expect(reading.header.names != names)
        }
    }
}
