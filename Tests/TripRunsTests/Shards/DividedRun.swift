import Foundation
import Glibc
import TestSupport
import TripDomain
import TripEngine
import TripMart
import TripRules

@testable import TripRuns

/// A divided run in one process: the plainest driver that could be right.
///
/// It maps one file after the other, gives each row to a part by its ref, shuffles the rows of each
/// part, and resolves the parts.
struct DividedRun {
    let setting: ShardSetting
    let keys: MartKeys
    /// Per file, what its task wrote.
    private(set) var mapped: [Mapped] = []
    private(set) var files: FilesInForce
    private(set) var parts: [PartitionReport] = []
    /// The versions that are not accepted: file, record, term, cents.
    private(set) var setAside: [String] = []
    /// The same by file, record and reference.
    private(set) var setAsideKeys: Set<String> = []

    /// What a task wrote of one file.
    struct Mapped {
        var versions: [[Cell]] = []
        var trips: [[String: Cell]] = []
        var rejects: [ShardReject] = []
        var report = FileReport(plan: "", file: -1)
    }

    /// A value of a row.
    enum Cell: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case truth(Bool)
        case bytes([UInt8])

        var text: String {
            switch self {
            case .null: "NULL"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .truth(let value): value ? "1" : "0"
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    init(
        _ options: RunOptions,
        partCount: Int,
        threads: Int = 2,
        seed: UInt64 = 1,
        contents: [String: String] = [:]
    ) throws {
        var text: [UInt8] = []
        let folder = LandingFolder(path: options.inputPath)
        for entry in try folder.entries() {
            guard case .file(let file) = entry.kind else { continue }
            let hash = contents[file.location].map { ", \"content_hash\": \"\($0)\"" } ?? ""
            text += "{\"path\": \"\(file.location)\", \"size\": \(file.state.size)\(hash)}\n".utf8
        }
        let plan = try ShardPlanning(options).plan(try FileList(text, name: "list"))
        // What is written is read again, so that every form is tested.
        setting = try ShardSetting(try ShardPlan(plan.text))
        keys = try MartKeys.open(keyFile: options.keyFilePath, checkValue: plan.keyCheck)
        for file in plan.files {
            mapped.append(
                try Self.map(
                    setting,
                    keys,
                    file.index,
                    path: options.inputPath + "/" + file.listed,
                    threads: threads
                )
            )
        }
        files = try FilesInForce(
            setting,
            mapped.map(\.report),
            rejects: mapped.map { $0.rejects.map(\.reject) },
            folder: "results"
        )
        guard plan.comparesVersions else { return }
        var dice = SeededDice(seed: seed)
        var buckets = [[[Cell]]](repeating: [], count: partCount)
        for row in mapped.flatMap(\.versions) {
            guard case .bytes(let ref) = row[0] else { continue }
            let number = Int(ref[0]) + Int(ref[1]) << 8 + Int(ref[2]) << 16 + Int(ref[3]) << 24
            buckets[number % partCount].append(row)
        }
        for (index, bucket) in buckets.enumerated() {
            let part = try ShardPart(index: index, count: partCount)
            try resolve(bucket.shuffled(using: &dice), part, threads: threads)
        }
    }

    // MARK: - Tasks

    static func map(
        _ setting: ShardSetting,
        _ keys: MartKeys,
        _ file: Int,
        path: String,
        threads: Int
    ) throws -> Mapped {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var output: [UInt8] = []
        try ShardMapping(setting, keys, fileIndex: file, threadCount: threads)
            .perform(from: descriptor) { output += $0 }
        var mapped = Mapped()
        for frame in try Self.frames(output) {
            switch frame {
            case .rows(VersionColumns.kind, let count, let columns):
                mapped.versions += rows(columns, count)
            case .rows(_, let count, let columns):
                let names = columns.map(\.name)
                mapped.trips += rows(columns, count).map {
                    Dictionary(uniqueKeysWithValues: zip(names, $0))
                }
            case .text("rejects", let text):
                mapped.rejects += try text.split(separator: 0x0A).map { try ShardReject(Array($0)) }
            case .text(_, let text): mapped.report = try FileReport(text)
            case .end: break
            }
        }
        return mapped
    }

    private mutating func resolve(_ rows: [[Cell]], _ part: ShardPart, threads: Int) throws {
        var input: [UInt8] = []
        var writer = FrameWriter { input += $0 }
        // Frames of any size give the same result.
        for start in stride(from: 0, to: rows.count, by: 7) {
            let some = rows[start..<min(start + 7, rows.count)]
            try writer.write(VersionColumns.kind, Self.columns(setting.versions.all, Array(some)))
        }
        try writer.end()
        let decision = try ShardFiles(files.decision.text)
        var output: [UInt8] = []
        try ShardResolution(setting, decision, part, threadCount: threads).perform(
            from: Self.source(input),
            to: { output += $0 }
        )
        var cells: [FinestCell] = []
        var report: PartitionReport?
        for frame in try Self.frames(output) {
            switch frame {
            case .rows(_, let count, let columns):
                for row in Self.rows(columns, count) {
                    let path = setting.plan.files[Int(row[1].text) ?? -1].path
                    setAside.append("\(path) \(row[2].text) \(row[4].text) \(row[5].text)")
                    setAsideKeys.insert("\(path) \(row[2].text) \(row[0].text)")
                }
            case .text("cells", let text):
                cells += try text.split(separator: 0x0A).map { try FinestCell(Array($0)) }
            case .text(_, let text): report = try PartitionReport(text)
            case .end: break
            }
        }
        guard var report else { return }
        report.sums.cells = cells
        parts.append(report)
    }

    // MARK: - Frames

    static func source(_ bytes: [UInt8]) -> FrameReader.Source {
        var rest = bytes[...]
        return { buffer in
            let taken = rest.prefix(buffer.count)
            buffer.copyBytes(from: taken)
            rest = rest.dropFirst(taken.count)
            return taken.count
        }
    }

    static func frames(_ bytes: [UInt8]) throws -> [ShardFrame] {
        var reader = FrameReader(from: source(bytes))
        var frames: [ShardFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    static func rows(_ columns: [FrameColumn], _ count: Int) -> [[Cell]] {
        (0..<count).map { row in
            columns.map { column in
                if !column.nulls.isEmpty, column.nulls[row] { return .null }
                return switch column.values {
                case .narrow(let values): .integer(Int64(values[row]))
                case .wide(let values): .integer(values[row])
                case .reals(let values): .real(values[row])
                case .truths(let values): .truth(values[row])
                case .bytes(let ends, let data):
                    .bytes(Array(data[Int(ends[row])..<Int(ends[row + 1])]))
                }
            }
        }
    }

    static func columns(_ described: [ShardPlan.Column], _ rows: [[Cell]]) -> [FrameColumn] {
        described.enumerated().map { index, column in
            let cells = rows.map { $0[index] }
            let nulls = cells.contains(.null) ? cells.map { $0 == .null } : []
            let integers = cells.map { cell in
                if case .integer(let value) = cell { value } else { Int64(0) }
            }
            let values: FrameColumn.Values =
                switch column.type {
                case .int32, .date32: .narrow(integers.map { Int32($0) })
                case .int64, .timestamp: .wide(integers)
                case .float64: .reals(cells.map { if case .real(let v) = $0 { v } else { 0 } })
                case .bool: .truths(cells.map { $0 == .truth(true) })
                case .utf8, .binary: bytes(cells)
                }
            return FrameColumn(
                name: column.name,
                type: column.type,
                values: values,
                nulls: nulls
            )
        }
    }

    private static func bytes(_ cells: [Cell]) -> FrameColumn.Values {
        var (ends, data): ([Int32], [UInt8]) = ([0], [])
        for cell in cells {
            if case .bytes(let bytes) = cell { data += bytes }
            ends.append(Int32(data.count))
        }
        return .bytes(ends: ends, data)
    }
}

extension DividedRun {
    /// The last accepted pick-up up to the last day on which a file was taken in.
    var dataThrough: CivilDate? {
        parts.compactMap(\.lastPickupWithin).max().map { CivilTime.date(ofSeconds: $0) }
    }

    /// The cube of all parts, with the trips decided by hand.
    func cube() throws -> Cube {
        let classifier = setting.classifier
        var totals = TripTotals(rules: classifier.rules)
        func add(_ sums: FinestSums) throws {
            let part = TripTotals.of(
                sums,
                rules: classifier.rules,
                declared: classifier.shape.declared
            )
            guard let part else { throw JSONMisfit() }
            totals.add(part)
        }
        for part in parts {
            var sums = part.sums
            for trip in part.overridden {
                guard let cell = trip.cell else { continue }
                let override = setting.plan.overrides[trip.override]
                let isInForce = dataThrough.map { $0 <= override.expires } ?? false
                sums.cells.append(
                    isInForce ? cell.decided(override.tripClass, override.basis) : cell
                )
            }
            try add(sums)
        }
        for (file, isInForce) in zip(mapped, files.decision.areInForce) where isInForce {
            if let sums = file.report.sums { try add(sums) }
        }
        return try Cube(totals)
    }

    /// Cells of another plan.
    struct JSONMisfit: Error {}

    /// The account of each file that is taken in.
    func ledgers() -> [String: Ledger] {
        var ledgers: [String: Ledger] = [:]
        for (index, file) in setting.plan.files.enumerated() {
            guard !files.decision.refusals.contains(where: { $0.file == index }) else { continue }
            let report = mapped[index].report
            var ledger = Ledger()
            ledger.read = report.read
            guard files.decision.areInForce[index] else {
                ledger[.withdrawn] = report.valid + report.rejected
                ledger[.withdrawn].items += report.repeated
                ledgers[file.path] = ledger
                continue
            }
            // A term without items is none, as in the account of a run.
            func add(_ amount: LedgerAmount, to term: LedgerTerm) {
                if amount != LedgerAmount() { ledger[term] += amount }
            }
            add(report.rejected, to: .rejected)
            add(LedgerAmount(items: report.repeated), to: .duplicate)
            if report.sums != nil { add(report.valid, to: .accepted) }
            for account in parts.flatMap(\.accounts) where account.file == index {
                add(account.accepted, to: .accepted)
                add(account.superseded, to: .superseded)
                add(account.duplicate, to: .duplicate)
            }
            ledgers[file.path] = ledger
        }
        return ledgers
    }

    /// The versions that are not accepted, with the units that records list again.
    func versions() -> [String] {
        setAside
            + mapped.indices.filter { files.decision.areInForce[$0] }.flatMap { file in
                mapped[file].report.repetitions.flatMap { unit in
                    repeatElement(
                        "\(setting.plan.files[file].path) \(unit.record) duplicate NULL",
                        count: unit.count
                    )
                }
            }
    }

    /// The rejects of files in force: all that a generation lists of them.
    func rejects() -> [String] {
        let known = Dictionary(
            uniqueKeysWithValues: parts.flatMap(\.knownRejects).map {
                ("\($0.file) \($0.index)", $0.isCorrection)
            }
        )
        return mapped.indices.filter { files.decision.areInForce[$0] }.flatMap { file in
            mapped[file].rejects.map { reject in
                let isCorrection = known["\(file) \(reject.index)"]
                return Self.text(
                    reject.reject,
                    path: setting.plan.files[file].path,
                    isKnown: isCorrection != nil,
                    isCorrection: isCorrection ?? false
                )
            }
        }
    }

    static func text(
        _ reject: Reject,
        path: String,
        isKnown: Bool,
        isCorrection: Bool
    ) -> String {
        "\(path) \(reject.recordNumber) \(reject.lineNumber) \(reject.byteOffset) "
            + "\(reject.byteSize) \(reject.itemCount) \(reject.field ?? "-") "
            + "\(reject.reason.rawValue) \(reject.amountCents ?? -1) \(reject.isUnpriced) "
            + "\(isKnown) \(isCorrection)"
    }

    /// The accepted trips: file, record, reference, and what decides them.
    func accepted() -> [String] {
        var decided: [String: ShardPlan.Override] = [:]
        for trip in parts.flatMap(\.overridden) {
            let override = setting.plan.overrides[trip.override]
            guard let day = dataThrough, day <= override.expires else { continue }
            let path = setting.plan.files[trip.place.file].path
            decided["\(path) \(trip.place.record) \(trip.ref)"] = override
        }
        let shape = setting.classifier.shape
        // The pipeline says which of its amounts is the cost.
        let cost = shape.costIndex.map { shape.columns[$0].name }
        return mapped.indices.filter { files.decision.areInForce[$0] }.flatMap { file in
            mapped[file].trips.compactMap { row -> String? in
                func text(_ name: String) -> String { row[name]?.text ?? "?" }
                let key = "\(text("source_file")) \(text("record_number")) \(text("trip_ref"))"
                guard !setAsideKeys.contains(key) else { return nil }
                let rule =
                    decided[key].map { "\($0.tripClass.word) \($0.basis) \($0.rule)" }
                    ?? "\(text("class")) \(text("basis")) \(text("rule"))"
                return "\(key) \(rule) \(text("counted")) \(text("month")) \(text("region")) "
                    + "\(text("trip_type")) \(cost.map(text) ?? "NULL") \(text("line_number"))"
            }
        }
    }
}

extension FinestCell {
    /// The same trips, decided by hand.
    fileprivate func decided(_ tripClass: TripClass, _ basis: String) -> FinestCell {
        FinestCell(
            group: DeclaredGroup(
                month: group.month,
                tripType: group.tripType,
                region: group.region,
                tripClass: tripClass,
                basis: basis
            ),
            sums: sums,
            measures: measures,
            dimensions: dimensions
        )
    }
}
