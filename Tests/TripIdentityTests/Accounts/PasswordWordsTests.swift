import Foundation
import Testing

@testable import TripIdentity

@Suite struct PasswordWordsTests {
    private let file = WrittenFile()

    private func words(_ text: String) throws -> [String] {
        try file.write(Array(text.utf8))
        return try PasswordWords.read(file.path)
    }

    @Test func wordsAreOnePerLineAndCommentsAreSkipped() throws {
        let text = "# Ours\n\nMetro EMS\r\n  Śródmieście\t\n#Other\nZone 8"
        #expect(try words(text) == ["Metro EMS", "Śródmieście", "Zone 8"])
        #expect(try words("") == [])
        // Some editors begin UTF-8 with this mark.
        #expect(try words("\u{FEFF}Metro EMS\nZone 8") == ["Metro EMS", "Zone 8"])
        #expect(try words("\u{FEFF}# Ours\nZone 8") == ["Zone 8"])
    }

    @Test(
        arguments: [
            ("# Ours\nok\n", .noWord(line: 2)),
            ("Metro\n\n" + String(repeating: "w", count: 65), .noWord(line: 3)),
            (String(repeating: "word\n", count: 1001), .tooManyWords(max: 1000)),
            (String(repeating: "#", count: 65_537), .tooLarge(max: 65_536)),
        ] as [(String, PasswordFileFlaw)]
    )
    func aFaultyFileOfWordsIsReportedWithItsLine(text: String, flaw: PasswordFileFlaw) {
        #expect(throws: IdentityFault.passwordFile(file.path, flaw)) { try words(text) }
    }

    @Test func bytesThatAreNoTextAreReported() throws {
        try file.write([0x4d, 0xff, 0x4d, 0x4d])
        #expect(throws: IdentityFault.passwordFile(file.path, .notText)) {
            try PasswordWords.read(file.path)
        }
    }
}
