import Foundation
import Testing
import TripDomain

@testable import TripEngine
@testable import TripSynthetic

/// Recounts plain native exports with faults from their bytes, in the plainest way, and compares
/// the counts with the generator's manifest.
@Suite struct ManifestTests {
    private struct Amount: Codable, Hashable {
        var items = 0
        var cents = 0
        var unpriced = 0

        mutating func add(_ other: Amount) {
            items += other.items
            cents += other.cents
            unpriced += other.unpriced
        }
    }

    private struct Lines: Codable {
        let total: Int
        let header: Int
        let records: Int
        let unreadable: Int
        let blank: Int
    }

    private struct Note: Codable {
        let reason: String
        let record: Int
        let line: Int
        let byte_offset: Int
    }

    private struct File: Codable {
        let path: String
        let expanded_bytes: Int
        let lines: Lines
        let read: Amount
        let accepted: Amount
        let duplicate: Amount
        let superseded: Amount
        let withdrawn: Amount
        let rejected: Amount
        let rejected_by_reason: [String: Amount]
        let rejects: [Note]
    }

    private struct Totals: Codable {
        let read: Amount
        let accepted: Amount
    }

    private struct Cell: Codable {
        let trips: Int
    }

    private struct Resent: Codable {
        let path: String
        let replaces: String
        let files: [File]
        let totals_after: Totals
    }

    private struct Account: Codable {
        let files: [File]
        let totals: Totals
        let planted: [String: Int]
        let trips_by_month_and_region: [Cell]
        let resent: Resent
    }

    private func generate(into folder: borrowing ExportFolder, seed: UInt64) throws -> Account {
        var options = SyntheticOptions(tripCount: 9_000, monthCount: 8, seed: seed)
        options.hasFaults = true
        try SyntheticExport(options).write(to: folder.path, threadCount: 2)
        let bytes = try ExportFolder.bytes(folder.path + "/" + SyntheticMark.manifestName)
        return try JSONDecoder().decode(Account.self, from: Data(bytes))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func linesAndItemsAddUp(seed: UInt64) throws {
        let folder = try ExportFolder()
        let account = try generate(into: folder, seed: seed)
        var accepted = 0
        for file in account.files + account.resent.files {
            var terms = file.accepted
            for term in [file.duplicate, file.superseded, file.withdrawn, file.rejected] {
                terms.add(term)
            }
            #expect(file.read == terms)
            var reasons = Amount()
            for amount in file.rejected_by_reason.values { reasons.add(amount) }
            #expect(file.rejected == reasons)
            #expect(file.rejected.items == file.rejects.count)
            let lines = file.lines
            #expect(
                lines.total == lines.header + lines.records + lines.unreadable + lines.blank
            )
        }
        for file in account.files { accepted += file.accepted.items }
        #expect(accepted == account.totals.accepted.items)
        #expect(account.trips_by_month_and_region.reduce(0) { $0 + $1.trips } == accepted)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func bytesLinesAndRejectsAreAtThePositionsOfTheManifest(seed: UInt64) throws {
        let folder = try ExportFolder()
        let account = try generate(into: folder, seed: seed)
        for file in account.files {
            let bytes = try ExportFolder.bytes(folder.path + "/" + file.path)
            #expect(bytes.count == file.expanded_bytes)
            let starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
            let lineCount = starts.count - (bytes.last == 0x0A ? 1 : 0)
            #expect(lineCount == file.lines.total)
            for note in file.rejects { #expect(starts[note.line - 1] == note.byte_offset) }
        }
    }

    @Test func everyReasonACSVLineCanShowIsPlanted() throws {
        let folder = try ExportFolder()
        let account = try generate(into: folder, seed: 4)
        let reasons = Set(account.files.flatMap { $0.rejects.map(\.reason) })
        let others: [RejectReason] = [.orphanLine, .reservedWord, .noUnit]
        let shown = RejectReason.allCases.filter { !others.contains($0) }
        #expect(reasons == Set(shown.map(\.rawValue)))
        #expect(Set(account.planted.keys) == Set(FaultKind.allCases.map(\.rawValue)))
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func termsAgreeWithComparingAllVersions(seed: UInt64) throws {
        let folder = try ExportFolder()
        let account = try generate(into: folder, seed: seed)
        try recount(account.files, paths: account.files.map { folder.path + "/" + $0.path })

        // The export sent again replaces its first sending.
        let resent = account.resent
        let files = account.files.map { $0.path == resent.replaces ? resent.files[0] : $0 }
        try recount(
            files,
            paths: files.map {
                folder.path + "/" + ($0.path == resent.replaces ? resent.path : $0.path)
            }
        )
        #expect(resent.files[0].accepted.items < account.files[4].accepted.items)
    }

    /// Compares all versions of all trips by their values, file by file.
    private func recount(_ files: [File], paths: [String]) throws {
        var versions: [String: [(file: Int, values: [String])]] = [:]
        for (index, path) in paths.enumerated() {
            let rejected = Set(files[index].rejects.map(\.line))
            for (line, text) in try records(path) where !rejected.contains(line) {
                let values = values(of: text)
                versions[values[0], default: []].append((index, values))
            }
        }
        var accepted = [Amount](repeating: Amount(), count: files.count)
        var duplicate = accepted
        var superseded = accepted
        for group in versions.values {
            for (index, version) in group.enumerated() {
                let cents = Int(version.values[13]) ?? 0
                let amount = Amount(items: 1, cents: cents, unpriced: 0)
                if index > 0, group[index - 1].values == version.values {
                    duplicate[version.file].add(amount)
                } else if group[index...].allSatisfy({ $0.values == version.values }) {
                    accepted[version.file].add(amount)
                } else {
                    superseded[version.file].add(amount)
                }
            }
        }
        #expect(accepted == files.map(\.accepted))
        #expect(duplicate == files.map(\.duplicate))
        #expect(superseded == files.map(\.superseded))
    }

    /// The records of a file with the line each begins on; a line break in quotes is joined.
    private func records(_ path: String) throws -> [(line: Int, text: String)] {
        let lines = try ExportFolder.lines(path)
        var records: [(line: Int, text: String)] = []
        var index = 1
        while index < lines.count {
            defer { index += 1 }
            guard !lines[index].isEmpty else { continue }
            let line = index + 1
            var text = lines[index]
            // Only the planted name is broken over two lines.
            if text.hasSuffix("\"Vendor 0412") {
                index += 1
                text += "\n" + lines[index]
            }
            records.append((line, text))
        }
        return records
    }

    /// The values of a record: trimmed, upper-cased where the layout says so, money in cents.
    private func values(of record: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in record.replacing("\"\"", with: "\u{1}") {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        for index in fields.indices {
            fields[index] = fields[index].trimmingCharacters(in: .whitespaces)
            if fields[index] == "NULL" || fields[index] == "NA" { fields[index] = "" }
        }
        fields[2] = fields[2].uppercased()
        for index in [12, 13] where !fields[index].isEmpty {
            let isNegative = fields[index].hasPrefix("(")
            let plain = fields[index].filter { $0.isNumber || $0 == "." }
            let parts = plain.split(separator: ".")
            let cents = parts.count > 1 ? parts[1] + (parts[1].count == 1 ? "0" : "") : "00"
            fields[index] = (isNegative ? "-" : "") + String(Int(parts[0] + cents) ?? 0)
        }
        return fields
    }
}
