import Testing
import TripDomain

@testable import TripEngine

@Suite struct HeaderReaderTests {
    static func code(_ bytes: [UInt8], _ dialect: CSVDialect = CSVDialect()) -> SourceFault.Code? {
        for windowSize in [1, 3, 1000] {
            do {
                let slicing = Slicing(threads: 1, sliceSize: 4, windowSize: windowSize)
                _ = try Reading(bytes, dialect: dialect, slicing: slicing)
            } catch {
                return (error as? SourceFault)?.code
            }
        }
        return nil
    }

    static func code(_ text: String, _ dialect: CSVDialect = CSVDialect()) -> SourceFault.Code? {
        code(Array(text.utf8), dialect)
    }

    @Test func refusesAFileWithoutBytes() {
        #expect(Self.code("") == .empty)
        #expect(Self.code("\u{FEFF}") == .empty)
        #expect(Self.code("", CSVDialect(columns: ["a"])) == .empty)
    }

    @Test func refusesOtherEncodings() {
        let wide: [UInt8] = "a,b\n1,2\n".utf8.flatMap { [$0, 0] as [UInt8] }
        #expect(Self.code([0xFF, 0xFE] + wide) == .encodingNotDeclared)
        #expect(Self.code([0xFE, 0xFF, 0] + wide) == .encodingNotDeclared)
        #expect(Self.code([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0]) == .encodingNotDeclared)
        #expect(Self.code([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61]) == .encodingNotDeclared)
        #expect(Self.code(wide) == .encodingNotDeclared)
        #expect(Self.code([0] + wide) == .encodingNotDeclared)
        #expect(Self.code([0x61, 0xE9, 0x0A]) == .encodingNotDeclared)
        #expect(Self.code([0x61, 0xE9, 0x0A], CSVDialect(encoding: .latin1)) == nil)
        #expect(Self.code("\u{FEFF}a\n", CSVDialect(encoding: .latin1)) == .encodingNotDeclared)
    }

    @Test(arguments: [
        (CSVDialect.Encoding.utf8, "declares utf-8"), (.latin1, "declares latin-1"),
        (.windows1252, "declares windows-1252"),
    ])
    func anEncodingIsNamedByItsWordInPipelines(encoding: CSVDialect.Encoding, words: String) {
        let fault = #expect(throws: SourceFault.self) {
            try Reading([0xFF, 0xFE, 0x61, 0], dialect: CSVDialect(encoding: encoding))
        }
        #expect(fault?.finding.contains(words) == true)
    }

    @Test func refusesLineEndsThatAreNotDeclared() {
        #expect(Self.code("a,b\r1,2\r") == .lineEndsNotDeclared)
        #expect(Self.code("a,b\r\n1,2\r\n", CSVDialect(lineEnd: .lf)) == .lineEndsNotDeclared)
        #expect(Self.code("a,b\n1,2\n", CSVDialect(lineEnd: .crlf)) == .lineEndsNotDeclared)
        #expect(Self.code("a,b\r\n1,2\r\n", CSVDialect(lineEnd: .cr)) == .lineEndsNotDeclared)
        #expect(Self.code("a,b\n1,2\n", CSVDialect(lineEnd: .cr)) == .lineEndsNotDeclared)
        #expect(Self.code("a,b\r1,2\r", CSVDialect(lineEnd: .cr)) == nil)
    }

    @Test func refusesAHeaderThatIsNoRecord() {
        for text in ["a,b\"\n1,2\n", "\"a\"x,b\n", "\"a,b\n1,2\n", "\n1,2\n", "\r\na\n"] {
            #expect(Self.code(text) == .headerUnreadable, "\(text)")
        }
        let small = CSVDialect(lineBreaksInQuotes: false, recordSizeMax: 8)
        #expect(Self.code("\"a\nb\",c\n", small) == .headerUnreadable)
        #expect(Self.code("abcd,efgh\n", small) == .headerUnreadable)
        #expect(Self.code("abcd,efghijklmnopqrstuvwxyz", small) == .headerUnreadable)
        #expect(Self.code("abcd,efg\r\n", small) == nil)
        #expect(Self.code("\"a\nb\nc\"\n", CSVDialect(recordLinesMax: 2)) == .headerUnreadable)
    }

    @Test func returnsTheNamesAndTheOffsetOfTheData() throws {
        let reading = try Reading("\u{FEFF}\"trip \"\"id\"\"\",\"two\nlines\",é\r\n1,2,3\n")
        #expect(reading.header.names == ["trip \"id\"", "two\nlines", "é"])
        #expect(reading.header.lineCount == 2)
        #expect(reading.found.first?.line == 3)
        #expect(reading.header.dataOffset == 33)
        #expect(reading.counts.physicalLines == 3)
    }

    @Test func namesTheFileAndTheDifference() throws {
        #expect(throws: SourceFault.self) { try Reading("a,b\r1,2\r") }
        do {
            _ = try Reading("a,b\r1,2\r")
        } catch let fault as SourceFault {
            #expect(fault.position.byteOffset == 3)
            #expect(
                fault.finding
                    == "has a line end with a CR of its own at byte 3; "
                    + "the pipeline declares any"
            )
        }
    }

    @Test func invalidDialectsAreExplained() {
        #expect(CSVDialect().objection == nil)
        for dialect in [
            CSVDialect(delimiter: 0x22), CSVDialect(delimiter: 0xA7), CSVDialect(delimiter: 10),
            CSVDialect(quote: nil, escape: 0x5C), CSVDialect(recordSizeMax: 0),
            CSVDialect(recordLinesMax: 0), CSVDialect(columns: []), CSVDialect(quote: 0),
        ] {
            #expect(dialect.objection != nil)
        }
    }
}
