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

    /// The first bytes of files of other kinds, as programs write them.
    static let otherKinds: [([UInt8], String)] = {
        func zip(_ name: String) -> [UInt8] {
            let head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 6, 0, 8, 0, 0, 0, 0x21, 0]
            return head + [UInt8](repeating: 7, count: 12) + [UInt8(name.utf8.count), 0, 0, 0]
                + Array(name.utf8) + [0xAD, 0x0A, 0x2C]
        }
        let tar = Array("trips.csv".utf8) + [UInt8](repeating: 0, count: 248)
        return [
            (zip("trips.csv"), "a ZIP archive"), (zip("[Content_Types].xml"), "an Excel workbook"),
            (zip("xl/workbook.xml"), "an Excel workbook"),
            ([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18), "a ZIP archive"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an old Office document"),
            ([0x28, 0xB5, 0x2F, 0xFD, 0x24, 0, 0], "compressed with zstd"),
            ([0xFD] + Array("7zXZ\0".utf8), "compressed with xz"),
            (Array("BZh91AY&SY".utf8) + [0xE1], "compressed with bzip2"),
            (tar + Array("ustar\0".utf8) + [0, 0, 0], "a tar archive"),
            (Array("%PDF-1.7\n".utf8), "a PDF document"),
            (Array("PAR1".utf8) + [0x15, 0], "a Parquet file"),
            (Array("SQLite format 3\0".utf8), "an SQLite database"),
            (Array("\n<!DOCTYPE HTML>\n<p>Sign in,please</p>".utf8), "a web page"),
            (Array("\u{FEFF}<html lang=\"en\">".utf8), "a web page"),
            (Array("<?xml version=\"1.0\"?>\n".utf8), "an XML document"),
        ]
    }()

    @Test(arguments: otherKinds)
    func aFileOfAnotherKindIsNamed(bytes: [UInt8], words: String) {
        for windowSize in [1, 3, 1000] {
            let fault = #expect(throws: SourceFault.self) {
                let slicing = Slicing(threads: 1, sliceSize: 4, windowSize: windowSize)
                _ = try Reading(bytes, slicing: slicing)
            }
            #expect(fault?.code == .otherKind)
            #expect(fault?.finding.contains(words) == true, "\(fault?.finding ?? "")")
        }
    }

    @Test(arguments: ["PK,b\n", "BZhour,b\n", "7z,b\n", "%PDF,b\n", "<htm,b\n", "PAR,b\n"])
    func aHeaderThatIsOnlyLikeAnotherKindIsRead(text: String) {
        #expect(Self.code(text) == nil)
    }

    @Test(arguments: ["sep=,\na,b\n", "SEP=;\r\na,b\n", "\"sep=,\"\na,b\n", "sep=\t\na\n"])
    func aLineForSpreadsheetsIsNamed(text: String) {
        let fault = #expect(throws: SourceFault.self) { try Reading(Array(text.utf8)) }
        #expect(fault?.code == .headerUnreadable)
        #expect(fault?.finding.contains("sep=") == true)
    }

    @Test func onlyZerosInEveryOtherPlaceAreThoseOfUTF16() {
        let fault = #expect(throws: SourceFault.self) {
            try Reading(Array("trip,pick\0up,owner\n".utf8))
        }
        #expect(fault?.code == .otherKind)
        #expect(fault?.finding.contains("UTF-16") == false)
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
