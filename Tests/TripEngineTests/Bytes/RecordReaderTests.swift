import TestSupport
import Testing
import TripDomain

@testable import TripEngine

@Suite struct RecordReaderTests {
    /// Every cut and number of threads that results must not depend on.
    static let slicings: [Slicing] = [1, 2, 3, 7, 64, 4096, 1 << 20].flatMap { size in
        [1, 2, 3, 8].flatMap { threads in
            [
                Slicing(threads: threads, sliceSize: size),
                Slicing(threads: threads, sliceSize: size, windowSize: 50),
                Slicing(threads: threads, sliceSize: size, windowSize: 5000),
            ]
        }
    }

    /// The pieces of adversarial files.
    static let pieces: [[UInt8]] =
        ["a", "bc", ",", ",", ",", "\"", "\"", "\"\"", "\",\"", "\n", "\n", "\r\n", "\r", "é", "€"]
        .map { Array($0.utf8) } + [
            [0], [0xFF], [0xC3], [0x5C], [0x5C, 0x22], [0x81], Array("h,i\n".utf8),
        ]

    static func dialects(_ dice: inout SeededDice) -> CSVDialect {
        CSVDialect(
            quote: dice.below(8) == 0 ? nil : 0x22,
            lineEnd: dice.pick([.any, .any, .any, .lf, .crlf, .cr]),
            lineBreaksInQuotes: dice.below(6) > 0,
            recordSizeMax: dice.pick([6, 9, 17, 60, 1000]),
            recordLinesMax: dice.pick([1, 2, 3, 5, 100]),
            encoding: dice.pick([.utf8, .utf8, .latin1, .windows1252]),
            columns: Array(["h", "i", "j"].prefix(1 + dice.below(3)))
        )
    }

    static func adversary(_ dice: inout SeededDice) -> (bytes: [UInt8], dialect: CSVDialect) {
        var dialect = dialects(&dice)
        if dialect.quote != nil && dice.below(5) == 0 { dialect.escape = 0x5C }
        let count = dice.below(60)
        // Files of few pieces have quote storms; the last menu makes records of several lines.
        let few = (0..<4).map { _ in dice.pick(pieces) } + [[0x22], [0x0A], [0x2C]]
        let lines: [[UInt8]] = [",\"", "\",", "\"\n", "a", "\n", "\r\n"].map { Array($0.utf8) }
        let menu = dice.pick([pieces, few, lines])
        var bytes = dice.pick([Array("x".utf8), [0x22]])
        for _ in 0..<count { bytes += dice.pick(menu) }
        if dice.below(3) == 0 {
            dialect.columns = nil
            bytes = Array("h,i\r\n".utf8) + bytes
            dialect.lineEnd = dialect.lineEnd == .crlf ? .crlf : .any
        }
        return (bytes, dialect)
    }

    @Test(arguments: 0..<40)
    func agreesWithTheSlowTwinOnAdversarialFiles(seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        for _ in 0..<250 {
            let (bytes, dialect) = Self.adversary(&dice)
            let reading = try Reading(bytes, dialect: dialect)
            let twin = reading.twin(bytes, dialect)
            try #require(reading.found == twin.found, "\(dialect) \(bytes)")
            try #require(reading.counts.blankLines == twin.blank)
            try #require(
                reading.counts.physicalLines == twin.lines + reading.header.lineCount
            )
        }
    }

    @Test(arguments: 100..<116)
    func isTheSameForEveryCutAndThreadCount(seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        for _ in 0..<40 {
            let (bytes, dialect) = Self.adversary(&dice)
            let whole = try Reading(bytes, dialect: dialect)
            for slicing in Self.slicings {
                let cut = try Reading(bytes, dialect: dialect, slicing: slicing)
                try #require(cut.found == whole.found, "\(slicing) \(dialect) \(bytes)")
                try #require(cut.rejectTexts == whole.rejectTexts, "\(slicing)")
                try #require(cut.scan.digest == whole.scan.digest)
                try #require(cut.counts.physicalLines == whole.counts.physicalLines)
            }
        }
    }

    /// A file of ordinary shape: quotes, CR LF, several bytes a character, quoted line ends.
    static func ordinary(_ dice: inout SeededDice, rows: Int) -> [UInt8] {
        let cells = ["12.50", "é—🚑", "\"Smith, J.\"", "\"say \"\"hi\"\"\"", "\"two\r\nlines\"", ""]
        var text = "trip,name,note\r\n"
        for row in 0..<rows {
            text += "T-\(row),\(dice.pick(cells)),\(dice.pick(cells))"
            text += dice.below(3) == 0 ? "\n" : "\r\n"
        }
        return Array(text.utf8)
    }

    @Test func readsOrdinaryFilesAlikeForEveryCut() throws {
        var dice = SeededDice(seed: 7)
        let bytes = Self.ordinary(&dice, rows: 120)
        let whole = try Reading(bytes)
        #expect(whole.counts.records == 120 && whole.counts.rejects == 0)
        #expect(whole.found == whole.twin(bytes, CSVDialect()).found)
        for slicing in Self.slicings {
            let cut = try Reading(bytes, slicing: slicing)
            try #require(cut.found == whole.found, "\(slicing)")
            try #require(cut.header == whole.header)
        }
    }

    @Test func readsGzipMembersAlikeForEveryCut() throws {
        var dice = SeededDice(seed: 8)
        let bytes = Self.ordinary(&dice, rows: 60)
        let whole = try Reading(bytes)
        let packed = GzipFile.members(bytes, cutAt: [100, 101, 517, 1000], level: 6)
        for slicing in Self.slicings {
            let cut = try Reading(packed, slicing: slicing)
            try #require(cut.found == whole.found, "\(slicing)")
            try #require(cut.scan.digest.contentHash == whole.scan.digest.contentHash)
        }
    }

    @Test(arguments: [
        ("a,b\n1,2\n3,4", [["1", "2"], ["3", "4"]]),
        ("a,b\r\n1,2\r\n3,4\r", [["1", "2"], ["3", "4"]]),
        ("\u{FEFF}a,b\n\"1\",\"\"\n", [["1", ""]]),
        ("a,b\n\"x\ny\",2\n\n", [["x\ny", "2"]]),
        ("a,b\n\"say \"\"hi\"\"\",2\n", [["say \"hi\"", "2"]]),
        ("a\n\"\"\n\nx\n", [[""], ["x"]]),
        ("a,b\n", []), ("a,b", []),
    ])
    func acceptsValidOddities(text: String, expected: [[String]]) throws {
        let reading = try Reading(text)
        #expect(reading.records == expected)
        #expect(reading.reasons == [])
    }

    @Test(arguments: [
        ("1,2,3", RejectReason.tooManyFields), ("1", .tooFewFields), ("1;2", .tooFewFields),
        ("1,2\"", .strayQuote), ("1,\"2\"x", .strayQuote), ("1,\"2", .unclosedQuote),
        ("1,\0", .nulByte), ("1\0", .nulByte), ("a,b", .repeatedHeader),
        ("\u{FEFF}a,b", .repeatedHeader), ("\"a\",b", .repeatedHeader),
        ("a,\"b\"", .repeatedHeader), ("\u{FEFF}a,\"b\"", .repeatedHeader),
        ("1,2\r3,4", .tooManyFields), ("1,2\r", .invalidEncoding),
    ])
    func rejectsExactlyTheBadLine(line: String, reason: RejectReason) throws {
        let reading = try Reading("a,b\n8,9\n" + line + "\r\n6,7\n")
        #expect(reading.records == [["8", "9"], ["6", "7"]])
        #expect(reading.reasons == [line == "1,2\r3,4" ? .invalidEncoding : reason])
        #expect(reading.found.count == 3 && reading.found[1].line == 3)
    }

    @Test func rejectsInvalidUTF8() throws {
        for bad: [UInt8] in [
            [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x80], [0xC3], [0xF0, 0x9F, 0x98],
        ] {
            let reading = try Reading(Array("a,b\n1,".utf8) + bad + Array("\n3,4\n".utf8))
            #expect(reading.reasons == [.invalidEncoding])
            #expect(reading.records == [["3", "4"]])
        }
    }

    @Test func rejectsAnEndlessLineWithBoundedMemory() throws {
        let dialect = CSVDialect(recordSizeMax: 100)
        let cell = [UInt8](repeating: 0x78, count: 50_000)
        let bytes = Array("a,b\n1,".utf8) + cell + Array("\r\n3,4\n".utf8)
        let whole = try Reading(bytes, dialect: dialect)
        #expect(whole.found == whole.twin(bytes, dialect).found)
        #expect(whole.reasons == [.recordTooLong])
        #expect(whole.rejectTexts.first?.count == 100)
        for window in [60, 64, 100, 101, 1000, 49_999, 50_001, 50_003, 50_009] {
            let slicing = Slicing(threads: 2, sliceSize: 30, windowSize: window)
            let cut = try Reading(bytes, dialect: dialect, slicing: slicing)
            #expect(cut.found == whole.found)
            #expect(cut.rejectTexts == whole.rejectTexts)
        }
    }

    @Test func theSizeLimitIsExactAtEveryCut() throws {
        let dialect = CSVDialect(recordSizeMax: 8)
        let bytes = Array("a,b\r\n1234,678\r\n12345,678\r\n\"5\r\n\",89\r\n\"\r\n\",789\r\n".utf8)
        for windowSize in 1..<60 {
            let slicing = Slicing(threads: 1, sliceSize: 1000, windowSize: windowSize)
            let reading = try Reading(bytes, dialect: dialect, slicing: slicing)
            #expect(reading.records == [["1234", "678"], ["5\r\n", "89"], ["\r\n", "789"]])
            #expect(reading.reasons == [.recordTooLong])
        }
    }

    @Test func convertsLatin1AndWindows1252() throws {
        let bytes: [UInt8] = Array("a,b\n".utf8) + [0x80, 0xE9, 0x2C, 0x22, 0xFC, 0x22, 0x0A]
        let western = try Reading(bytes, dialect: CSVDialect(encoding: .windows1252))
        #expect(western.records == [["€é", "ü"]])
        let latin = try Reading(bytes, dialect: CSVDialect(encoding: .latin1))
        #expect(latin.records == [["\u{80}é", "ü"]])
    }

    @Test func readsTabsBackslashesAndFilesWithoutHeader() throws {
        let dialect = CSVDialect(
            delimiter: 9,
            escape: 0x5C,
            columns: ["a", "b"]
        )
        let reading = try Reading("1\t\"x\\\"y\\\\\"\n2\t\"a\tb\"\n", dialect: dialect)
        #expect(reading.records == [["1", "x\"y\\"], ["2", "a\tb"]])
        #expect(reading.header.lineCount == 0 && reading.found.first?.line == 1)
    }

    @Test func theByteAfterAnEscapeIsStillChecked() throws {
        let dialect = CSVDialect(escape: 0x5C)
        for size in 0..<20 {
            let fill = [UInt8](repeating: 0x78, count: size)
            for (bad, reason) in [(0, RejectReason.nulByte), (0xFF, .invalidEncoding)] {
                let cell = [0x22] + fill + [0x5C, UInt8(bad), 0x22, 0x0A]
                let reading = try Reading(Array("a\n".utf8) + cell, dialect: dialect)
                #expect(reading.reasons == [reason])
            }
        }
    }

    @Test func aQuoteStormCostsLinearWork() throws {
        var text = "a,b,c\n"
        for row in 0..<100_000 { text += "\(row),\"open,x\(row % 7)\n" }
        let reading = try Reading(text)
        #expect(reading.counts.records + reading.counts.rejects == 100_000)
        // Each line is read once as a start and once inside the quotes of an earlier line.
        #expect(reading.counts.visitedBytes < 3 * text.utf8.count)
        let odd = try Reading(text.replacing("open", with: "op\"\"en"))
        #expect(odd.counts.rejectedLines == 100_000)
        #expect(odd.counts.visitedBytes < 3 * text.utf8.count)
    }

    @Test(arguments: 500..<510)
    func everyFileCostsLinearWork(seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        let favourites = [dice.pick(Self.pieces), dice.pick(Self.pieces), [0x0A]]
        var bytes = Array("h,i,j\n".utf8)
        while bytes.count < 40_000 {
            bytes += dice.below(10) == 0 ? dice.pick(Self.pieces) : dice.pick(favourites)
        }
        let reading = try Reading(bytes)
        #expect(reading.counts.visitedBytes <= 4 * bytes.count)
        #expect(reading.found == reading.twin(bytes, CSVDialect()).found)
    }
}
