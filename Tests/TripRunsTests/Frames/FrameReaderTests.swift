import TestSupport
import Testing

@testable import TripRuns

/// Frames that are written and read, and streams that are no frames.
@Suite struct FrameReaderTests {
    private static func written(_ body: (inout FrameWriter) throws -> Void) rethrows -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = FrameWriter { bytes += $0 }
        try body(&writer)
        return bytes
    }

    private static func row(_ type: FrameType, _ dice: inout SeededDice) -> DividedRun.Cell {
        if dice.oneIn(4) { return .null }
        switch type {
        case .int32, .date32: return .integer(Int64(Int32(truncatingIfNeeded: dice.next())))
        case .int64, .timestamp: return .integer(Int64(bitPattern: dice.next()))
        case .float64: return .real(Double(dice.below(1000)) / 8)
        case .bool: return .truth(dice.oneIn(2))
        case .utf8, .binary:
            return .bytes((0..<dice.below(20)).map { _ in UInt8(dice.below(256)) })
        }
    }

    @Test(arguments: 1...20) func anyColumnsAreReadAsTheyWereWritten(seed: Int) throws {
        var dice = SeededDice(seed: UInt64(seed))
        let described = (0..<(1 + dice.below(6))).map { index in
            ShardPlan.Column(name: "c\(index)", type: dice.pick(FrameType.allCases))
        }
        let frames = (0..<dice.below(4)).map { _ in
            (0..<dice.below(40)).map { _ in described.map { Self.row($0.type, &dice) } }
        }
        let bytes = try Self.written { writer in
            for rows in frames { try writer.write("rows", DividedRun.columns(described, rows)) }
            try writer.write("text", text: Array("of \n any bytes".utf8))
            try writer.end()
        }
        var read: [[[DividedRun.Cell]]] = []
        var texts: [[UInt8]] = []
        for frame in try DividedRun.frames(bytes) {
            switch frame {
            case .rows(let kind, let count, let columns):
                #expect(kind == "rows")
                #expect(columns.map(\.type) == described.map(\.type))
                read.append(DividedRun.rows(columns, count))
            case .text(_, let text): texts.append(text)
            case .end(let rows): #expect(rows == frames.reduce(0) { $0 + $1.count })
            }
        }
        #expect(read == frames)
        #expect(texts == [Array("of \n any bytes".utf8)])
    }

    /// A small stream of two rows.
    private static func stream() throws -> [UInt8] {
        try written { writer in
            try writer.write("rows", [.wide("n", [7, nil]), .texts("t", ["a", "bc"])])
            try writer.end()
        }
    }

    @Test func everyCutIsNoticed() throws {
        let bytes = try Self.stream()
        #expect(try DividedRun.frames(bytes).count == 2)
        for size in 0..<bytes.count {
            // Without the last line end, the end frame is whole already.
            guard size < bytes.count - 1 else { continue }
            #expect(throws: RunError.self, "\(size) bytes") {
                try DividedRun.frames(Array(bytes[..<size]))
            }
        }
    }

    @Test(
        arguments: [
            ("{\"frame\": \"end\", \"rows\": 1}\n", "its end says 1"),
            ("{\"frame\": \"end\", \"rows\": 0}\nmore", "the stream is cut"),
            ("{\"frame\": \"x\"}\n", "size: is missing"),
            ("{\"frame\": \"x\", \"size\": -1}\n", "negative"),
            ("nonsense\n", "byte 0"),
            (
                "{\"frame\": \"x\", \"rows\": 1, \"columns\": [{\"name\": \"a\", \"type\": \"int32\", "
                    + "\"sizes\": [0, 0, 3]}]}\nabc", "do not fit 1 rows"
            ),
            (
                "{\"frame\": \"x\", \"rows\": 1, \"columns\": [{\"name\": \"a\", \"type\": \"int33\", "
                    + "\"sizes\": [0, 0, 4]}]}\nabcd", "unknown word"
            ),
            (
                "{\"frame\": \"x\", \"rows\": 1, \"columns\": [{\"name\": \"a\", \"type\": \"utf8\", "
                    + "\"sizes\": [0, 8, 1]}]}\n\u{0}\u{0}\u{0}\u{0}\u{2}\u{0}\u{0}\u{0}a",
                "do not fit"
            ),
        ]
    )
    func whatDoesNotFitIsRefusedByFrame(text: String, words: String) {
        let error = #expect(throws: RunError.self) {
            try DividedRun.frames(Array(text.utf8))
        }
        #expect(error?.what.contains(words) == true, "\(error?.what ?? "")")
        #expect(error?.what.hasPrefix("Frame ") == true)
        #expect(error?.code == .noUsableInput)
    }
}
