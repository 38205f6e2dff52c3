import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// Decides about the trips of one part of the shuffle: which versions are accepted, and what they
/// add up to.
///
/// The code that decides is that of a run: `TripResolution` over trips of a reduced shape.
struct ShardResolution {
    private let setting: ShardSetting
    private let files: ShardFiles
    private let part: ShardPart
    private let threadCount: Int

    /// Prepares to resolve.
    ///
    /// - Parameters:
    ///   - setting: The plan, compiled.
    ///   - files: Which of its files are in force.
    ///   - part: The part.
    ///   - threadCount: Threads to use; the output does not depend on it.
    /// - Throws: ``RunError`` where the decision is that of another plan.
    init(
        _ setting: ShardSetting,
        _ files: ShardFiles,
        _ part: ShardPart,
        threadCount: Int
    ) throws(RunError) {
        guard files.plan == setting.plan.hash, files.areInForce.count == setting.plan.files.count
        else { throw ShardFile.unfit("--files", "plan", "is the hash of another plan") }
        self.setting = setting
        self.files = files
        self.part = part
        self.threadCount = threadCount
    }

    /// Reads all versions of the part, and writes what becomes of them.
    ///
    /// - Parameters:
    ///   - source: Where the frames come from, in any order.
    ///   - sink: Where the frames go.
    /// - Throws: ``RunError`` where a frame does not fit, or the pipes fail.
    /// - Complexity: O(*n* log *n*) in the versions; memory for all of them, some 300 bytes each.
    func perform(
        from source: @escaping FrameReader.Source,
        to sink: @escaping FrameWriter.Sink
    ) throws(RunError) {
        let rows = try read(source)
        let resolved = ResolvedPart(rows, setting, files, threadCount: threadCount)
        var frames = FrameWriter(to: sink)
        let setAside = resolved.setAside
        for start in stride(from: 0, to: setAside.count, by: FrameWriter.rowMax) {
            let end = min(start + FrameWriter.rowMax, setAside.count)
            try frames.write("set_aside", Self.columns(setAside[start..<end]))
        }
        var report = resolved.report
        (report.part, report.partCount) = (part.index, part.count)
        let cells = report.sums.cells
        var list: [UInt8] = []
        for start in stride(from: 0, to: cells.count, by: Self.cellsPerFrame) {
            let end = min(start + Self.cellsPerFrame, cells.count)
            let text = cells[start..<end].flatMap(\.text)
            list += text
            try frames.write("cells", text: text)
        }
        (report.cellCount, report.cellsHash) = (cells.count, ContentHash.of(list))
        try frames.write("report", text: report.text)
        try frames.end()
    }

    /// A cell takes some 400 bytes, and more with the values of a median.
    private static let cellsPerFrame = 1024

    private func read(_ source: @escaping FrameReader.Source) throws(RunError) -> VersionRows {
        var rows = VersionRows(setting, areInForce: files.areInForce, part)
        var reader = FrameReader(from: source)
        while let frame = try reader.next() {
            switch frame {
            case .rows(VersionColumns.kind, _, let columns):
                if let fault = rows.add(columns) { throw reader.fault(fault) }
            case .rows(let kind, _, _), .text(let kind, _):
                throw reader.fault("it is a frame `\(kind)`, expected `\(VersionColumns.kind)`")
            case .end: break
            }
        }
        if let fault = rows.sort() { throw reader.fault(fault) }
        return rows
    }

    private static func columns(_ versions: ArraySlice<SetAsideVersion>) -> [FrameColumn] {
        var refs = FrameColumn.Bytes(capacity: versions.count)
        for version in versions {
            version.ref.withUnsafeBytes { MartKeys.appendText(ofRef: $0, to: &refs.data) }
            refs.endRow()
        }
        return [
            refs.column("trip_ref", .utf8),
            .narrow("file", versions.map { Int32($0.place.file) }),
            .wide("record", versions.map { Int64($0.place.record) }),
            .wide("line", versions.map { Int64($0.place.line) }),
            .texts("term", versions.map(\.term.rawValue)),
            .wide("cents", versions.map(\.cents)),
        ]
    }
}

/// A version that is not accepted.
struct SetAsideVersion {
    let ref: ArraySlice<UInt8>
    let place: PartitionReport.Place
    let term: LedgerTerm
    let cents: Int64?
}

/// One part of the shuffle, resolved.
struct ResolvedPart {
    /// The versions that are not accepted, in order of exports.
    let setAside: [SetAsideVersion]
    /// All else, with the cells.
    let report: PartitionReport

    /// Resolves the rows.
    ///
    /// - Parameters:
    ///   - rows: All rows of the part, in order of exports.
    ///   - setting: The plan, compiled.
    ///   - files: Which of its files are in force.
    ///   - threadCount: Threads to use; the result does not depend on it.
    init(_ rows: VersionRows, _ setting: ShardSetting, _ files: ShardFiles, threadCount: Int) {
        let shape = setting.versions.shape
        let batches = rows.batches()
        let classified = setting.classifier.shape
        let resolution = TripResolution(
            batches: batches,
            shape: shape,
            order: VersionOrder(
                sourceOfFile: setting.sourceOfFile,
                orderColumns: setting.pipeline.sources.map { source in
                    source.orderColumn(in: classified) == nil ? nil : VersionColumns.orderIndex
                }
            ),
            threadCount: threadCount
        )
        let places = VersionPlaces(batches, shape)
        setAside = resolution.setAside.map { position, term in
            SetAsideVersion(
                ref: places.ref(position),
                place: places.place(position),
                term: term,
                cents: places.cents(position)
            )
        }.sorted { left, right in
            left.place != right.place
                ? left.place.precedes(right.place) : left.ref.lexicographicallyPrecedes(right.ref)
        }
        var report = PartitionReport(plan: setting.plan.hash, files: files.hash)
        (report.rows, report.leftOut) = (Int64(rows.tripCount), Int64(rows.leftOut))
        report.accounts = Self.accounts(batches, resolution, places)
        report.sharedIDs = resolution.sharedIDs.counts.map {
            PartitionReport.FilePair(
                earlier: $0.key.earlier,
                later: $0.key.later,
                count: Int64($0.value)
            )
        }.sorted { ($0.earlier, $0.later) < ($1.earlier, $1.later) }
        report.replacements = Self.replacements(resolution, places)
        report.firstRepetition = resolution.firstRepetition.map { places.pair($0, $1) }
        report.take(rows, batches, resolution, setting, lastDay: files.lastDay)
        report.knownRejects = Self.knownRejects(rows, batches, shape)
        self.report = report
    }

    private static func accounts(
        _ batches: [PackedBatch],
        _ resolution: TripResolution,
        _ places: VersionPlaces
    ) -> [PartitionReport.Account] {
        var accounts: [Int: PartitionReport.Account] = [:]
        func change(_ file: Int, _ body: (inout PartitionReport.Account) -> Void) {
            body(&accounts[file, default: PartitionReport.Account(file: file)])
        }
        for (index, batch) in batches.enumerated() {
            let leftOut = resolution.accepted.leftOut(batch: index)
            let view = KPIView(batch, shape: places.shape)
            change(batch.fileIndex) { account in
                for row in 0..<batch.count where leftOut.isEmpty || !leftOut[row] {
                    account.accepted += LedgerAmount(items: 1, cents: view.cost(row) ?? 0)
                }
            }
        }
        for (position, term) in resolution.setAside {
            let amount = LedgerAmount(items: 1, cents: places.cents(position) ?? 0)
            change(places.place(position).file) { account in
                if term == .duplicate {
                    account.duplicate += amount
                } else {
                    account.superseded += amount
                }
            }
        }
        for (file, ids) in resolution.sharedIDs.idsOfFile {
            change(file) { $0.ids = Int64(ids) }
        }
        for replacement in resolution.replacements {
            guard let within = replacement.withinFile else { continue }
            let pair = places.pair(within, replacement.later)
            change(pair.later.file) { account in
                account.replacedWithin += 1
                if account.firstWithin.map({ pair.later.precedes($0.later) }) ?? true {
                    account.firstWithin = pair
                }
            }
        }
        return accounts.values.sorted { $0.file < $1.file }
    }

    private static func replacements(
        _ resolution: TripResolution,
        _ places: VersionPlaces
    ) -> [PartitionReport.FilePair] {
        var counts: [SharedIDs.FilePair: Int64] = [:]
        for replacement in resolution.replacements {
            let pair = SharedIDs.FilePair(
                earlier: places.place(replacement.earlier).file,
                later: places.place(replacement.later).file
            )
            counts[pair, default: 0] += 1
        }
        return counts.map {
            PartitionReport.FilePair(
                earlier: $0.key.earlier,
                later: $0.key.later,
                count: $0.value
            )
        }.sorted { ($0.earlier, $0.later) < ($1.earlier, $1.later) }
    }

    /// The rejects whose trip id some valid version has.
    private static func knownRejects(
        _ rows: VersionRows,
        _ batches: [PackedBatch],
        _ shape: TripShape
    ) -> [PartitionReport.KnownReject] {
        var search = TripIDSearch(rows.rejects.map { Array(rows.ref($0)) })
        search.search(batches, column: shape.tripIDIndex)
        return rows.rejects.compactMap { position in
            guard let last = search.lastRecord(of: Array(rows.ref(position))) else { return nil }
            let (file, record) = (rows.file(position), Int(rows.record(position)))
            return PartitionReport.KnownReject(
                file: file,
                index: rows.reject(position),
                isCorrection: (last.fileIndex, last.recordNumber) < (file, record)
            )
        }
    }
}

/// The places, references and amounts of versions.
struct VersionPlaces {
    private let batches: [PackedBatch]
    let shape: TripShape

    init(_ batches: [PackedBatch], _ shape: TripShape) {
        (self.batches, self.shape) = (batches, shape)
    }

    func place(_ position: TripPosition) -> PartitionReport.Place {
        let batch = batches[Int(position.batch)]
        return PartitionReport.Place(
            file: batch.fileIndex,
            record: Int(batch.recordNumbers[Int(position.row)]),
            line: Int(batch.lineNumbers[Int(position.row)])
        )
    }

    func pair(_ earlier: TripPosition, _ later: TripPosition) -> PartitionReport.Pair {
        PartitionReport.Pair(earlier: place(earlier), later: place(later))
    }

    func ref(_ position: TripPosition) -> ArraySlice<UInt8> {
        let texts = batches[Int(position.batch)].columns[shape.tripIDIndex].texts
        return texts.withEntry(Int(texts.codes[Int(position.row)])) { Array($0)[...] }
    }

    func cents(_ position: TripPosition) -> Int64? {
        shape.costIndex.flatMap {
            batches[Int(position.batch)].columns[$0].integers.value(Int(position.row))
        }
    }
}

extension PartitionReport.Place {
    /// Whether it comes before another in order of exports.
    func precedes(_ other: Self) -> Bool {
        (file, record, line) < (other.file, other.record, other.line)
    }
}
