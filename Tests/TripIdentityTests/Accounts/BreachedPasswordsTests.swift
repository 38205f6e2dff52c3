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

    /// A list of `password 0`, `password 1` and so on; every third line has a count of up to 20
    /// digits.
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

    /// A published hash, so that the reference search cannot be wrong in the same way.
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

    @Test func anEmptyListIsRefused() {
        #expect(throws: flawed(.empty)) { try opened("") }
    }

    @Test func aPathThatIsNotAFileIsRefused() throws {
        let gone = flawed(.unreadable(errno: ENOENT))
        #expect(throws: gone) { try BreachedPasswords(path: file.path) }
        let folder = FileManager.default.temporaryDirectory.path
        #expect(throws: IdentityFault.passwordFile(folder, .notAFile)) {
            try BreachedPasswords(path: folder)
        }
        // Opening a pipe would wait for a writer.
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(throws: flawed(.notAFile)) { try BreachedPasswords(path: file.path) }
    }

    /// A list as an interrupted download leaves it: cut after the 40 digits or within a count it
    /// would look complete.
    @Test(arguments: [1, 39, 41])
    func aTruncatedLastLineIsReported(sizeOfRest: Int) throws {
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
    func aFirstLineThatIsNoHashIsReported(text: String) {
        #expect(throws: flawed(.noHash(byte: 0))) { try opened(text + Self.list(3)) }
        #expect(throws: flawed(.noHash(byte: 0))) { try opened(text) }
    }

    @Test func aLineOutOfOrderIsReported() throws {
        var lines = (0..<100).map { Self.line("password \($0)") }.sorted()
        #expect(throws: flawed(.outOfOrder(byte: 41))) {
            try opened(lines.reversed().map { $0 + "\n" }.joined())
        }
        #expect(throws: flawed(.outOfOrder(byte: 2 * 41))) {
            try opened([lines[0], lines[2], lines[1]].map { $0 + "\n" }.joined())
        }
        // The search reads correct lines down to the fifteenth of a thousand; the lines before that
        // are wrong.
        let known = (0..<1000).map {
            (line: Self.line("password \($0)"), password: "password \($0)")
        }
        .sorted { $0.line < $1.line }
        lines = known.map(\.line)
        for index in 1..<15 { lines[index] = String(repeating: "F", count: 40) }
        let list = try opened(lines.map { $0 + "\n" }.joined())
        #expect(try list.contains(known[500].password))
        #expect(throws: flawed(.outOfOrder(byte: 8 * 41))) { try list.contains(known[7].password) }
    }

    /// The list ordered by prevalence is such a list; a search would miss nearly every password in
    /// it.
    @Test func aListInAnotherOrderIsReportedThoughItsEndsAreRight() throws {
        let sorted = (0..<200).map { Self.line("password \($0)") }.sorted()
        let (first, last) = (sorted[0], sorted[199])
        let shuffled = (0..<200).map { Self.line("password \($0)") }.filter {
            $0 != first && $0 != last
        }
        let text = ([first] + shuffled + [last]).map { $0 + "\n" }.joined()
        let thrown = #expect(throws: IdentityFault.self) { try opened(text) }
        let fault = try #require(thrown)
        guard case .passwordFile(file.path, .outOfOrder) = fault else {
            Issue.record("another fault than that of the order: \(fault)")
            return
        }
        // The same fault is reported where such a list replaces one that was opened.
        let list = try opened(Self.list(200))
        try file.write(Array(text.utf8))
        #expect(throws: fault) { try list.contains("password 7") }
    }

    /// A list that replaces another is used at once; without a list no password is accepted.
    @Test func theListIsOpenedForEveryPassword() throws {
        let list = try opened(Self.line("one") + "\n")
        #expect(try list.contains("one"))
        try file.write(Array((Self.line("two") + "\n").utf8))
        #expect(try !list.contains("one"))
        #expect(try list.contains("two"))
        unlink(file.path)
        #expect(throws: flawed(.unreadable(errno: ENOENT))) { try list.contains("two") }
    }

    /// A fault names the file, but no password and no content of the list.
    @Test func aFaultQuotesNothingOfTheList() throws {
        let secret = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD"
        try file.write(Array(secret.utf8))
        let fault = #expect(throws: IdentityFault.self) { try BreachedPasswords(path: file.path) }
        let text = try #require(fault).description
        #expect(text.hasPrefix(file.path) && text.contains("byte 0"))
        #expect(!text.contains(secret.prefix(8)))
    }
}
