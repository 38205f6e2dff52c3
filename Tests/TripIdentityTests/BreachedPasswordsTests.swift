import Crypto
import Foundation
import Testing

@testable import TripIdentity

@Suite struct BreachedPasswordsTests {
    private let file = WrittenFile()

    /// The line of a password, without its end.
    private static func line(_ password: String) -> String {
        Insecure.SHA1.hash(data: Array(password.utf8)).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// A list of `password 0`, `password 1` and so on; every third line has a count, of as many digits as fit.
    private static func list(_ count: Int, end: String = "\n") -> String {
        let lines = (0..<count).map { line("password \($0)") }.sorted()
        return lines.enumerated().map { index, line in
            let counts = ["", ":\(index)", ":18446744073709551615"]
            return line + counts[index % 3] + end
        }.joined()
    }

    /// The plainest search that could be right.
    private static func has(_ lines: [Substring], _ password: String) -> Bool {
        let wanted = line(password)
        return lines.contains { $0.prefix(40) == wanted }
    }

    private func opened(_ text: String) throws -> BreachedPasswords {
        try file.write(Array(text.utf8))
        return try BreachedPasswords(path: file.path)
    }

    private func flawed(_ flaw: PasswordFileFlaw) -> IdentityFault {
        .passwordFile(file.path, flaw)
    }

    /// The hash everybody knows, so that the twin is not wrong in the same way.
    @Test func aPasswordIsFoundByItsSHA1() throws {
        let list = try opened("5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:10434004\n")
        #expect(try list.contains("password"))
        #expect(try !list.contains("Password"))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 64, 200], ["\n", "\r\n"])
    func theSearchFindsWhatAScanFinds(count: Int, end: String) throws {
        let text = Self.list(count, end: end)
        let lines = text.split(whereSeparator: \.isNewline)
        for written in [text, String(text.dropLast()), text.lowercased()] {
            let list = try opened(written)
            // Some that are in it, and some that are not.
            for number in Array(0..<min(count, 20)) + Array(count..<(count + 20)) {
                let password = "password \(number)"
                #expect(try list.contains(password) == Self.has(lines, password))
            }
        }
    }

    @Test func theFirstAndTheLastAreFound() throws {
        let passwords = (0..<100).map { "password \($0)" }.sorted { Self.line($0) < Self.line($1) }
        let list = try opened(Self.list(100))
        #expect(try list.contains(passwords[0]))
        #expect(try list.contains(passwords[99]))
    }

    @Test func anEmptyListIsNone() {
        #expect(throws: flawed(.empty)) { try opened("") }
    }

    @Test func whatIsNoFileIsNotOpened() throws {
        let gone = flawed(.unreadable(errno: ENOENT))
        #expect(throws: gone) { try BreachedPasswords(path: file.path) }
        let folder = FileManager.default.temporaryDirectory.path
        #expect(throws: IdentityFault.passwordFile(folder, .notAFile)) {
            try BreachedPasswords(path: folder)
        }
        // Whoever opened a pipe would wait for somebody to write into it.
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(throws: flawed(.notAFile)) { try BreachedPasswords(path: file.path) }
    }

    /// As a download that broke off leaves it; cut behind the 40 digits or within a count it looks like a whole one.
    @Test(arguments: [1, 39, 41])
    func aCutLastLineIsSaid(sizeOfRest: Int) throws {
        let whole = Self.list(5)
        let rest = (Self.line("password") + ":1").prefix(sizeOfRest)
        #expect(throws: flawed(.noHash(byte: whole.utf8.count))) { try opened(whole + rest) }
    }

    @Test(
        arguments: [
            "password:1\n", ":1\n", "\n", "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8 1\n",
            "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:\n",
            "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:x\n",
            "GBAA61E4C9B93F3F0682250B6CF8331B7EE68FD8\n",
            "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:" + String(repeating: "1", count: 100),
        ]
    )
    func aFirstLineThatIsNoHashIsSaid(text: String) {
        #expect(throws: flawed(.noHash(byte: 0))) { try opened(text + Self.list(3)) }
        #expect(throws: flawed(.noHash(byte: 0))) { try opened(text) }
    }

    @Test func aLineThatIsMetInTheWrongPlaceIsSaid() throws {
        var lines = (0..<100).map { Self.line("password \($0)") }.sorted()
        #expect(throws: flawed(.outOfOrder(byte: 41))) {
            try opened(lines.reversed().map { $0 + "\n" }.joined())
        }
        #expect(throws: flawed(.outOfOrder(byte: 2 * 41))) {
            try opened([lines[0], lines[2], lines[1]].map { $0 + "\n" }.joined())
        }
        // What is looked at first is right, down to the fifteenth of a thousand lines, and those before it are not.
        let known = (0..<1000).map {
            (line: Self.line("password \($0)"), password: "password \($0)")
        }
        .sorted { $0.line < $1.line }
        lines = known.map(\.line)
        for place in 1..<15 { lines[place] = String(repeating: "F", count: 40) }
        let list = try opened(lines.map { $0 + "\n" }.joined())
        #expect(try list.contains(known[500].password))
        #expect(throws: flawed(.outOfOrder(byte: 8 * 41))) { try list.contains(known[7].password) }
    }

    /// As the list ordered by prevalence is, of which nearly every password would be said not to be there.
    @Test func aListInAnotherOrderIsSaidThoughItsEndsAreRight() throws {
        let sorted = (0..<200).map { Self.line("password \($0)") }.sorted()
        let (first, last) = (sorted[0], sorted[199])
        let shuffled = (0..<200).map { Self.line("password \($0)") }.filter {
            $0 != first && $0 != last
        }
        let text = ([first] + shuffled + [last]).map { $0 + "\n" }.joined()
        let said = #expect(throws: IdentityFault.self) { try opened(text) }
        let fault = try #require(said)
        guard case .passwordFile(file.path, .outOfOrder) = fault else {
            Issue.record("another fault than that of the order: \(fault)")
            return
        }
        // The same where it takes the place of a list that was opened.
        let list = try opened(Self.list(200))
        try file.write(Array(text.utf8))
        #expect(throws: fault) { try list.contains("password 7") }
    }

    /// Another list in its place is taken up, and one that is gone lets nothing through.
    @Test func theListIsOpenedAnewForEveryPassword() throws {
        let list = try opened(Self.line("one") + "\n")
        #expect(try list.contains("one"))
        try file.write(Array((Self.line("two") + "\n").utf8))
        #expect(try !list.contains("one"))
        #expect(try list.contains("two"))
        unlink(file.path)
        #expect(throws: flawed(.unreadable(errno: ENOENT))) { try list.contains("two") }
    }

    /// What a fault says names the file, and neither a password nor what stands in the list.
    @Test func aFaultHoldsNothingOfTheList() throws {
        let secret = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD"
        try file.write(Array(secret.utf8))
        let fault = #expect(throws: IdentityFault.self) { try BreachedPasswords(path: file.path) }
        let text = try #require(fault).description
        #expect(text.hasPrefix(file.path) && text.contains("byte 0"))
        #expect(!text.contains(secret.prefix(8)))
    }
}
