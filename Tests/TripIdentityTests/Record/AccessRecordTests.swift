import Foundation
import Testing

@testable import TripIdentity

@Suite struct AccessRecordTests {
    private static func entry(_ index: Int) -> AccessEntry {
        AccessEntry(
            AccessEntry.Event.allCases[index % AccessEntry.Event.allCases.count],
            at: 1_793_513_640 + Int64(index),
            account: index % 3 == 0 ? nil : Int64(index),
            subject: index % 2 == 0 ? "ref\(index)" : nil,
            detail: index % 5 == 0 ? nil : "patient_id",
            reason: index % 4 == 0 ? nil : .billing
        )
    }

    /// A record with some entries, and what its two files hold.
    private static func made(
        _ count: Int
    ) async throws -> (AuthenticationServiceUnderTest, AccessRecord, record: [UInt8], head: [UInt8])
    {
        let test = try await AuthenticationServiceUnderTest()
        let record = test.authentication.record
        for index in 0..<count { try await record.add(entry(index)) }
        return (test, record, try bytes(record.path), try bytes(record.headPath))
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func put(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0a).map { Array($0) + [0x0a] }
    }

    @Test func addedEntriesAreRead() async throws {
        let (test, record, _, _) = try await Self.made(30)
        defer { withExtendedLifetime(test) {} }
        let reading = try record.read()
        #expect(reading.finding == nil)
        #expect(reading.entries == (0..<30).map(Self.entry))
        #expect(reading.last.number == 30)
        #expect(try record.read(noted: reading.last.text).finding == nil)
    }

    @Test func anEmptyRecordIsNoFault() async throws {
        let test = try await AuthenticationServiceUnderTest()
        let reading = try test.authentication.record.read()
        #expect(reading.finding == nil && reading.entries.isEmpty)
    }

    /// Opening it must neither wait without end nor treat it as a file of some length.
    @Test func aPipeInPlaceOfTheRecordIsRefused() async throws {
        let (test, record, _, _) = try await Self.made(1)
        defer { withExtendedLifetime(test) {} }
        try FileManager.default.removeItem(atPath: record.path)
        #expect(mkfifo(record.path, 0o600) == 0)
        await #expect(throws: IdentityFault.malformed(record.path)) {
            try await record.add(Self.entry(1))
        }
        #expect(throws: IdentityFault.malformed(record.path)) { try record.read() }
    }

    @Test func everyChangedByteIsDetected() async throws {
        let (test, record, bytes, _) = try await Self.made(6)
        defer { withExtendedLifetime(test) {} }
        for offset in bytes.indices {
            var changed = bytes
            changed[offset] ^= 1
            try Self.put(changed, record.path)
            #expect(try record.read().finding != nil, "byte \(offset)")
        }
        try Self.put(bytes, record.path)
        #expect(try record.read().finding == nil)
    }

    @Test func everyRemovedAddedOrMovedLineIsDetected() async throws {
        let (test, record, bytes, _) = try await Self.made(12)
        defer { withExtendedLifetime(test) {} }
        let lines = Self.lines(bytes)
        for index in lines.indices {
            var without = lines
            without.remove(at: index)
            var twice = lines
            twice.insert(lines[index], at: index)
            var moved = lines
            moved.swapAt(index, (index + 1) % lines.count)
            var last = lines
            last.append(last.remove(at: index))
            for other in [without, twice, moved, last] where other != lines {
                try Self.put(Array(other.joined()), record.path)
                #expect(try record.read().finding != nil, "line \(index + 1)")
            }
        }
    }

    @Test func aRemovedEndIsDetectedWhereverItIsCut() async throws {
        let (test, record, bytes, _) = try await Self.made(5)
        defer { withExtendedLifetime(test) {} }
        for count in 0..<bytes.count {
            try Self.put(Array(bytes[..<count]), record.path)
            #expect(try record.read().finding != nil, "\(count) bytes")
        }
    }

    /// Entries that are added later do not hide it.
    @Test(arguments: 0..<6)
    func aRemovedEndIsStillDetectedWhenTheRecordGoesOn(kept: Int) async throws {
        let (test, record, bytes, _) = try await Self.made(5)
        defer { withExtendedLifetime(test) {} }
        let lines = Self.lines(bytes)
        try Self.put(Array(lines[..<kept].joined()), record.path)
        for index in 5..<8 { try await record.add(Self.entry(index)) }
        #expect((try record.read().finding != nil) == (kept < 6))
    }

    @Test func aChangedOrMissingHeadIsStillDetectedLater() async throws {
        let (test, record, bytes, head) = try await Self.made(4)
        defer { withExtendedLifetime(test) {} }
        for offset in head.indices {
            var changed = head
            changed[offset] ^= 1
            try Self.put(changed, record.headPath)
            #expect(try record.read().finding != nil, "byte \(offset)")
        }
        try FileManager.default.removeItem(atPath: record.headPath)
        #expect(try record.read().finding == .headChanged)
        try Self.put(Array(Self.lines(bytes)[..<3].joined()), record.path)
        try await record.add(Self.entry(9))
        #expect(try record.read().finding != nil)
    }

    @Test func aRecordWithoutItsHeadIsDetectedWhateverItsLength() async throws {
        for kept in 0..<3 {
            let (test, record, bytes, _) = try await Self.made(4)
            defer { withExtendedLifetime(test) {} }
            try FileManager.default.removeItem(atPath: record.headPath)
            if kept == 0 {
                try FileManager.default.removeItem(atPath: record.path)
            } else {
                try Self.put(Array(Self.lines(bytes)[..<kept].joined()), record.path)
            }
            #expect(try record.read().finding == .headChanged)
            try await record.add(Self.entry(9))
            #expect(try record.read().finding != nil, "\(kept) lines")
        }
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "99999999999999999999", "x"])
    func anImpossibleNumberDoesNotEndTheProgram(number: String) async throws {
        let (test, record, bytes, _) = try await Self.made(3)
        defer { withExtendedLifetime(test) {} }
        let text = String(decoding: bytes, as: UTF8.self).replacing("\n3\t", with: "\n\(number)\t")
        try Self.put(Array(text.utf8), record.path)
        try await record.add(Self.entry(9))
        #expect(try record.read().finding == .changed(line: 4))
    }

    /// A long rest at the end that is no line is not treated as an entry that a crash cut short.
    @Test func noMoreThanOneLineIsOverwritten() async throws {
        let (test, record, bytes, _) = try await Self.made(3)
        defer { withExtendedLifetime(test) {} }
        try Self.put(bytes + [UInt8](repeating: 0, count: 9000), record.path)
        await #expect(throws: IdentityFault.self) { try await record.add(Self.entry(4)) }
        #expect(try Self.bytes(record.path).starts(with: bytes))
    }

    /// An entry is either recorded with its head or not at all.
    @Test func anEntryWhoseHeadCannotBeWrittenIsRemoved() async throws {
        let (test, record, bytes, _) = try await Self.made(3)
        defer { withExtendedLifetime(test) {} }
        let blocker = record.headPath + ".new"
        try FileManager.default.createDirectory(atPath: blocker, withIntermediateDirectories: false)
        for _ in 0..<3 {
            await #expect(throws: IdentityFault.self) { try await record.add(Self.entry(4)) }
        }
        #expect(try Self.bytes(record.path) == bytes)
        try FileManager.default.removeItem(atPath: blocker)
        try await record.add(Self.entry(3))
        #expect(try record.read().entries == (0..<4).map(Self.entry))
        #expect(try record.read().finding == nil)
    }

    @Test func readingWhileAddingFindsNoFault() async throws {
        let test = try await AuthenticationServiceUnderTest()
        let (adding, reading) = (test.authentication.record, try await test.otherProcess().record)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for index in 0..<60 { try await adding.add(Self.entry(index)) } }
            group.addTask {
                for _ in 0..<60 {
                    let finding = try reading.read().finding
                    #expect(finding == nil)
                }
            }
            try await group.waitForAll()
        }
    }

    /// An entry that a crash cut short was never reported as added.
    @Test func aLineThatACrashCutShortIsOverwritten() async throws {
        let (test, record, bytes, head) = try await Self.made(4)
        defer { withExtendedLifetime(test) {} }
        let before = Self.lines(bytes)
        try await record.add(Self.entry(4))
        let after = try Self.bytes(record.path)
        for count in (before.joined().count..<after.count) {
            try Self.put(Array(after[..<count]), record.path)
            try Self.put(head, record.headPath)
            try await record.add(Self.entry(5))
            let reading = try record.read()
            #expect(
                reading.finding == nil && reading.entries.last == Self.entry(5),
                "\(count) bytes"
            )
        }
        // The entry was complete, but the head was not yet written.
        try Self.put(after, record.path)
        try Self.put(head, record.headPath)
        #expect(try record.read().finding == nil)
        try await record.add(Self.entry(5))
        #expect(try record.read().entries == (0..<6).map(Self.entry))
    }

    @Test func anOlderRecordPutBackIsDetectedByANotedPosition() async throws {
        let (test, record, bytes, head) = try await Self.made(4)
        defer { withExtendedLifetime(test) {} }
        let noted = try await record.add(Self.entry(4)).text
        #expect(try record.read(noted: noted).finding == nil)
        try Self.put(bytes, record.path)
        try Self.put(head, record.headPath)
        #expect(try record.read().finding == nil)
        #expect(try record.read(noted: noted).finding == .otherRecord)
    }

    @Test func anotherSecretVerifiesNothing() async throws {
        let (test, _, bytes, head) = try await Self.made(3)
        defer { withExtendedLifetime(test) {} }
        let another = try await AuthenticationServiceUnderTest()
        defer { withExtendedLifetime(another) {} }
        let other = another.authentication.record
        try await other.add(Self.entry(0))
        try Self.put(bytes, other.path)
        try Self.put(head, other.headPath)
        #expect(try other.read().finding == .changed(line: 2))
    }

    @Test func processesThatAddAtTheSameTimeMakeOneChain() async throws {
        let test = try await AuthenticationServiceUnderTest()
        let records = [test.authentication.record, try await test.otherProcess().record]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask { try await records[index % 2].add(Self.entry(index)) }
            }
            try await group.waitForAll()
        }
        let reading = try test.authentication.record.read()
        #expect(reading.finding == nil)
        #expect(Set(reading.entries) == Set((0..<100).map(Self.entry)))
    }

    @Test func changesOfAccountsAreRecorded() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let name = try AccountName("someone")
        let grant = try await test.grant("someone")
        _ = try await test.authentication.signIn("someone", "another way")
        _ = try await test.authentication.signIn("stranger", "another way")
        try await test.authentication.setAccess(
            Access(roles: [.viewer, .analyst], regions: ["08"]),
            of: name
        )
        try await test.authentication.setPassword("a short way to the sea", of: name)
        try await test.authentication.setDisabled(true, name)
        try await test.authentication.setDisabled(false, name)
        try await test.authentication.rotateKeys()
        let entries = try test.authentication.record.read().entries
        #expect(
            entries.map(\.event) == [
                .accountAdded, .signedIn, .signInRefused, .rolesSet, .passwordSet, .accountDisabled,
                .accountEnabled, .keyRotated,
            ]
        )
        #expect(entries[0].subject == "someone" && entries[0].detail == "administrator")
        #expect(entries[1].account == grant.session.account.id && entries[1].subject == nil)
        #expect(entries[3].detail == "analyst+viewer@08")
        // An entry is one line, whatever characters the name of a region has.
        let access = Access(
            roles: [.viewer],
            regions: ["a\tb", "08", "Ä"],
            seesNationalTotals: true
        )
        try await test.authentication.setAccess(access, of: name)
        let last = try test.authentication.record.read().entries.last
        #expect(last?.detail == "viewer@08,a%09b,%C3%84/national")
    }

    /// Nothing is recorded for accounts that do not exist, or exist already.
    @Test func changesThatAreNotMadeAreNotRecorded() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let before = try test.authentication.record.read().entries
        let nobody = try AccountName("nobody")
        let authentication = test.authentication
        let access = Access(roles: [.viewer])
        let changes: [@Sendable () async throws -> Void] = [
            { try await authentication.setAccess(access, of: nobody) },
            { try await authentication.setPassword("a short way to the sea", of: nobody) },
            { try await authentication.setEmail("a@b.test", of: nobody) },
            { try await authentication.setDisabled(true, nobody) },
            { try await test.add("someone") },
        ]
        for change in changes { await #expect(throws: IdentityFault.self) { try await change() } }
        #expect(try test.authentication.record.read().entries == before)
    }

    /// Texts that Unicode calls equal are different bytes; bytes after the last line are detected
    /// as well.
    @Test func equivalentUnicodeTextAndAppendedBytesAreDetected() async throws {
        let (test, record, bytes, _) = try await Self.made(6)
        defer { withExtendedLifetime(test) {} }
        var replacedCount = 0
        for offset in bytes.indices where bytes[offset] == UInt8(ascii: "K") {
            let changed = Array(bytes[..<offset]) + Array("\u{212A}".utf8) + bytes[(offset + 1)...]
            try Self.put(changed, record.path)
            #expect(try record.read().finding != nil, "byte \(offset)")
            replacedCount += 1
        }
        #expect(replacedCount > 0)
        for offset in stride(from: 0, through: bytes.count, by: 7) {
            try Self.put(Array(bytes[..<offset]) + [0x41] + bytes[offset...], record.path)
            #expect(try record.read().finding != nil, "a byte before \(offset)")
        }
        let zeros = [UInt8](repeating: 0, count: 9000)
        for tail in [zeros, Array("x".utf8), Array("9\t".utf8), Array("7\t2026\u{e9}".utf8)] {
            try Self.put(bytes + tail, record.path)
            #expect(try record.read().finding == .changed(line: 8), "\(tail.prefix(4))")
        }
        // Bytes that a crash may have left are reported, and are no fault.
        let unfinished = Array("7\t2026-11-01T06:14:00Z\trevealed".utf8)
        try Self.put(bytes + unfinished, record.path)
        let reading = try record.read()
        #expect(reading.finding == nil && reading.unfinishedByteCount == unfinished.count)
    }

    /// A fault of one line does not affect the lines after it.
    @Test func entriesAfterAFaultAreStillRead() async throws {
        let (test, record, bytes, _) = try await Self.made(9)
        defer { withExtendedLifetime(test) {} }
        var lines = Self.lines(bytes)
        // A letter of the fourth entry's event.
        lines[4][30] ^= 1
        try Self.put(Array(lines.joined()), record.path)
        let reading = try record.read()
        #expect(reading.finding == .changed(line: 5))
        #expect(reading.entries == (0..<3).map(Self.entry))
        #expect(reading.later == (4..<9).map(Self.entry))
    }

    @Test func aDamagedRecordIsSetAsideAndAnotherOneBegun() async throws {
        let (test, record, bytes, _) = try await Self.made(4)
        defer { withExtendedLifetime(test) {} }
        #expect(try await test.authentication.replaceDamagedRecord() == nil)
        var changed = bytes
        changed[60] ^= 1
        try Self.put(changed, record.path)
        let name = try #require(try await test.authentication.replaceDamagedRecord())
        let folder = test.folder.path + "/"
        #expect(try Self.bytes(folder + name) == changed)
        let reading = try record.read()
        #expect(reading.finding == nil && reading.entries.map(\.event) == [.recordBegun])
        #expect(reading.entries[0].subject == name)
        // A process that had the record open goes on in the new one.
        try await record.add(Self.entry(7))
        #expect(try record.read().entries.count == 2 && record.read().finding == nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.contains(".set-aside-") {
            try FileManager.default.removeItem(atPath: folder + name)
        }
    }

    /// A start that was interrupted before there were accounts is not tampering.
    @Test func anUnfinishedFolderIsCompleted() async throws {
        let test = try await AuthenticationServiceUnderTest()
        for file in ["access-record.head", "accounts.sqlite"] {
            try FileManager.default.removeItem(atPath: test.folder.path + "/" + file)
        }
        let again = try await test.otherProcess()
        try await again.record.add(Self.entry(1))
        #expect(try again.record.read().finding == nil)
    }
}
