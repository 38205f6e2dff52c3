import Testing

@testable import TripEngine

@Suite struct VisibleTextTests {
    @Test(arguments: [
        ([0x5A, 0xFC, 0x80], CSVDialect.Encoding.windows1252, "Zü€"),
        ([0x5A, 0xFC, 0x80], .latin1, "Zü\\u{0080}"), ([0x81, 0x41], .windows1252, "\\x81A"),
        (Array("Zürich €".utf8), .utf8, "Zürich €"), ([0x41, 0xE9, 0x42], .utf8, "A\\xE9B"),
        ([0xE2, 0x82], .utf8, "\\xE2\\x82"), ([0x09, 0x0D, 0x0A, 0x00], .utf8, "\\t\\r\\n\\0"),
        ([0x1B, 0x5B], .latin1, "\\u{1B}["), (Array("a\u{202E}b".utf8), .utf8, "a\\u{202E}b"),
        ([], .utf8, ""),
    ])
    func showsEveryByte(bytes: [UInt8], encoding: CSVDialect.Encoding, text: String) {
        #expect(VisibleText.of(bytes, encoding: encoding) == text)
    }
}
