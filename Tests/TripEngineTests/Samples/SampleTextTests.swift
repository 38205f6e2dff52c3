import Foundation
import Testing
import TripDomain

@testable import TripEngine

@Suite struct SampleTextTests {
    /// Reads bytes as a file of their own.
    private func sample(_ bytes: [UInt8], sizeMax: Int = 1 << 30) throws -> SampleText {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-sample-" + UUID().uuidString)
        try Data(bytes).write(to: url)
        // What remains does no harm.
        defer { try? FileManager.default.removeItem(at: url) }
        return try SampleText.read(path: url.path, name: "a.csv", sizeMax: sizeMax)
    }

    private func sample(_ text: String) throws -> SampleText { try sample(Array(text.utf8)) }

    @Test func theEncodingIsThatOfItsBytes() throws {
        #expect(try sample("a,b\n").encoding == .utf8)
        #expect(try sample("ä,b\n").encoding == .utf8)
        #expect(try sample([0x61, 0xE4, 0x2C, 0x80, 0x0A]).encoding == .windows1252)
        #expect(try sample([0x61, 0xE4, 0x2C, 0x81, 0x0A]).encoding == .latin1)
        // One damaged line among several in UTF-8.
        let damaged = try sample(Array("ä\nö\nü\n".utf8) + [0xE4, 0x2C, 0x0A])
        #expect(damaged.encoding == .utf8)
        #expect(damaged.strayLineCount == 1)
    }

    @Test func aLongFileIsCutAtALineEnd() throws {
        let line = Array("0123456789,0123456789\n".utf8)
        let bytes = Array(repeatElement(line, count: 100_000).joined())
        let cut = try sample(bytes, sizeMax: 1 << 20)
        #expect(!cut.isWhole)
        #expect(cut.bytes.count == (1 << 20) / line.count * line.count)
        #expect(cut.bytes.elementsEqual(bytes.prefix(cut.bytes.count)))
        #expect(try sample(bytes).isWhole)
    }

    @Test(arguments: [
        ([], SourceFault.Code.empty), ([0xEF, 0xBB, 0xBF], .empty),
        ([0x50, 0x4B, 3, 4], .otherKind),
        ([0xFF, 0xFE, 0x61, 0, 0x2C, 0], .encodingNotDeclared),
        (Array("abcdefgh".utf8) + [0], .otherKind),
    ])
    func whatIsNoTextIsRefused(bytes: [UInt8], code: SourceFault.Code) {
        let fault = #expect(throws: SourceFault.self) { try sample(bytes) }
        #expect(fault?.code == code)
    }

    @Test func recordsAreDividedAsARunDividesThem() throws {
        let text = "a;b;c\n\n1;\"2;\n3\";\n4;5\n6;7;8"
        let lines = try sample(text).lines(CSVDialect(delimiter: 0x3B), limit: 100)
        #expect(lines.map(\.fieldCount) == [3, 0, 3, 2, 3])
        #expect(lines.map(\.lineNumber) == [1, 2, 3, 5, 6])
        #expect(lines.map(\.filledCount) == [3, 0, 2, 2, 3])
        #expect(lines.map(\.offset) == [0, 6, 7, 17, 21])
    }

    @Test func aStrayQuoteCostsItsLineAlone() throws {
        let lines = try sample("a,b\n1,6\"2\n3,4\n").lines(CSVDialect(), limit: 100)
        #expect(lines.map(\.fieldCount) == [2, nil, 2])
        let plain = try sample("a,b\n1,6\"2\n3,4\n").lines(CSVDialect(quote: nil), limit: 100)
        #expect(plain.map(\.fieldCount) == [2, 2, 2])
    }

    @Test func cellsStandByColumnAndAreCounted() throws {
        var table = SampleTable(names: ["a", "b"])
        let text = "a,b\nx, 1 \ny,\nx,1,1\nx,\"2\"\n"
        try table.add(sample(text), from: 0, dialect: CSVDialect(), order: [0, 1])
        // The same columns in another order.
        try table.add(sample("b,a\n3,z\n"), from: 0, dialect: CSVDialect(), order: [1, 0])
        #expect(table.recordCount == 4)
        #expect(table.rejects == [.tooManyFields: 1])
        #expect(table.columns[0].texts.texts.dropFirst() == ["x", "y", "z"])
        #expect(table.columns[0].codes == [1, 2, 1, 3])
        #expect(table.columns[1].texts.texts.dropFirst() == ["1", "2", "3"])
        #expect(table.columns[1].codes == [1, 0, 2, 3])
        #expect(table.columns[1].blankCount == 1)
        #expect(table.columns[1].filledCount == 3)
    }

    @Test func recordsOfBlanksAloneAreCountedAndLeftOut() throws {
        var table = SampleTable(names: ["a", "b"])
        try table.add(
            sample("a,b\nx,1\n,\n , \ny,\n,2\n,\n"),
            from: 0,
            dialect: CSVDialect(),
            order: [0, 1]
        )
        #expect(table.recordCount == 3)
        #expect(table.blankCount == 3)
        #expect(table.columns[0].codes == [1, 2, 0])
        #expect(table.columns[1].codes == [1, 0, 2])
    }

    @Test(arguments: [
        (FieldType.money, "1,204.50", true), (.money, "1.204,50", false),
        (.npi, "1234567893", true),
        (.npi, "1234567890", false), (.codes, "RHQN", true), (.codes, "RHQ", false),
        (.boolean, "Yes", true), (.integer, "1.5", false),
    ])
    func aTrialReadsAsAFieldDoes(type: FieldType, text: String, reads: Bool) {
        var text = text
        let trial = CellTrial(FieldDefinition(name: "x", type: type, columns: []))
        #expect(text.withUTF8 { trial.reads($0) } == reads)
    }
}
