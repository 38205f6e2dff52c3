import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// Joins the lines of claims into trips, across all files of a source.
///
/// The lines of a claim may lie in several files, and a later file may replace, void or reverse
/// what an earlier one brought. So lines are joined when all files are read; trips are classified
/// afterwards, since rules read their sums.
struct JoinedExports {
    /// The files with their trips.
    private(set) var files: [ExportsReading.ReadFile]
    /// Pairs of files of which a claim of the later one replaced one of the earlier.
    private(set) var replacedFiles: Set<SharedIDs.FilePair> = []
    /// Trips that a later version of their claim lacks, and the first line of that version.
    private(set) var lostTrips: [(earlier: TripVersion, later: TripVersion)] = []
    /// The first line of each replacement and void that found no claim which it is about.
    private(set) var unmatched: [TripVersion] = []
    private let setting: RunConfiguration
    private let threadCount: Int
    private let shape: TripShape
    private let rejectTexts: RejectSpool?

    /// Joins the lines of every source that declares `lines`.
    ///
    /// - Parameters:
    ///   - read: All files read, in order of exports.
    ///   - isCurrent: Per file, whether its records are in force.
    ///   - setting: The configuration to classify with.
    ///   - options: The threads to use.
    ///   - rejectTexts: Where the raw records of rejects are kept; nil where they are not.
    ///   - progress: Where progress is shown.
    /// - Throws: ``RunError`` for a reserved word as region or trip type; `SourceFault` where a
    ///   file can no longer be read; `MartError` where its rejects cannot be kept.
    init(
        _ read: [ExportsReading.ReadFile],
        _ isCurrent: [Bool],
        _ setting: RunConfiguration,
        _ options: RunOptions,
        _ rejectTexts: RejectSpool?,
        _ progress: Progress
    ) throws {
        files = read.enumerated().map { $1.numbered($0) }
        self.setting = setting
        self.rejectTexts = rejectTexts
        threadCount = options.threadCount
        shape = setting.classifier.shape
        let sources = setting.pipeline.sources
        for (index, source) in sources.enumerated() {
            guard let definition = source.lines else { continue }
            let own = files.indices.filter {
                isCurrent[$0] && files[$0].entry.sourceIndex == index
            }
            progress.begin("joining")
            let lines = DeliveredLines(
                definition: definition,
                batches: own.flatMap { files[$0].content.batches },
                deliveryOfFile: Self.deliveries(own.map { ($0, files[$0].entry) }, source),
                orderColumn: source.orderColumn(in: shape)
            )
            try join(lines, own, progress)
        }
    }

    /// The delivery of each file: files of one `order` were delivered together; else each file is a
    /// delivery of its own.
    private static func deliveries(
        _ files: [(index: Int, entry: FileRegister.Entry)],
        _ source: SourceDefinition
    ) -> [Int: Int] {
        var deliveries: [Int: Int] = [:]
        var delivery = -1
        var key = ""
        var paths: Set<PathKey> = []
        var isByName = false
        if case .name = source.order { isByName = true }
        for (index, entry) in files {
            let path = PathKey(source: source.name, path: entry.path)
            let isSame = isByName && entry.orderKey.utf8.elementsEqual(key.utf8)
            // Two contents of one path are two deliveries, whatever their names say.
            if !isSame || delivery < 0 || paths.contains(path) {
                delivery += 1
                paths = []
            }
            key = entry.orderKey
            paths.insert(path)
            deliveries[index] = delivery
        }
        return deliveries
    }

    private mutating func join(
        _ lines: DeliveredLines,
        _ own: [Int],
        _ progress: Progress
    ) throws {
        let joined = JoinedClaims(lines, shape: shape, threadCount: threadCount)
        replacedFiles.formUnion(joined.replacedFiles)
        let classifier = setting.classifier
        let contents = Parallel.map(joined.trips.count, threads: threadCount) { index in
            ExportsReading.SliceContent(
                classifier.classify(joined.trips[index]),
                classifier,
                keepsTrips: true
            )
        }
        var contentsOfFile: [Int: [ExportsReading.SliceContent]] = [:]
        for (trips, content) in zip(joined.trips, contents) {
            contentsOfFile[trips.fileIndex, default: []].append(content)
        }
        let records = DeliveredRecords(lines.batches, shape)
        lostTrips += joined.lost.map { pair in
            (
                records.version(pair.earlier, .superseded, trip: pair.earlier),
                records.version(pair.later, .accepted, trip: pair.later)
            )
        }
        unmatched += joined.unmatched.map { records.version($0, .accepted, trip: $0) }
        let linesOfFile = records.linesByFile(joined)
        let faults = Dictionary(grouping: joined.faults) { records.place($0.line).file }
        for index in own {
            let rejects = try self.rejects(faults[index] ?? [], of: index, records)
            files[index].join(
                contentsOfFile[index] ?? [],
                linesOfFile[index] ?? [],
                rejects,
                lookupCount: classifier.lookups.count
            )
            try files[index].requireNoReservedWord()
            try files[index].requirePlausibleCosts()
        }
        progress.end(
            WorkProgress.Amount(Int64(joined.trips.reduce(0) { $0 + $1.count }), "trip"),
            WorkProgress.Amount(Int64(lines.batches.reduce(0) { $0 + $1.count }), "line")
        )
    }

    /// The lines of one file that cannot be joined, as rejects with the places of their texts.
    private func rejects(
        _ faults: [JoinedClaims.Fault],
        of index: Int,
        _ records: DeliveredRecords
    ) throws -> [(reject: Reject, text: RejectSpool.Place?)] {
        guard !faults.isEmpty else { return [] }
        let file = files[index]
        let source = setting.pipeline.sources[file.entry.sourceIndex]
        var request = setting.pipeline.request(for: source, name: file.entry.path)
        request.path = file.location
        // It was read within its limits a moment ago.
        request.limits = .none
        request.slicing = Slicing(threads: threadCount)
        var texts: [Int: (byteOffset: Int, byteSize: Int, place: RejectSpool.Place?)] = [:]
        let numbers = Set(faults.map { records.place($0.line).record })
        try ExportReader.eachText(ofRecords: numbers, of: request) { number, text in
            let place = try rejectTexts?.keep([text.bytes])[0]
            texts[number] = (text.byteOffset, text.bytes.count, place)
        }
        return try faults.map { fault in
            let version = records.version(fault.line, .rejected, trip: fault.trip ?? fault.line)
            guard let text = texts[version.recordNumber] else {
                throw SourceFault(
                    code: .changedWhileRead,
                    position: SourcePosition(file: file.entry.path),
                    finding: "changed while it was read",
                    remedy: "Run again when the file is complete."
                )
            }
            let reject = Reject(
                fileIndex: index,
                recordNumber: version.recordNumber,
                lineNumber: version.lineNumber,
                byteOffset: text.byteOffset,
                byteSize: text.byteSize,
                itemCount: 1,
                field: fault.field,
                reason: fault.reason,
                amountCents: version.amountCents,
                isUnpriced: false,
                tripID: version.tripID
            )
            return (reject, text.place)
        }
    }
}

extension SourceDefinition {
    /// The text column that orders the versions of the source; nil where its files do.
    func orderColumn(in shape: TripShape) -> Int? {
        guard case .field(let name) = order else { return nil }
        return shape.column(ofField: name)
    }
}

/// The records that the lines of a source were read from.
private struct DeliveredRecords {
    private let batches: [PackedBatch]
    private let shape: TripShape

    init(_ batches: [PackedBatch], _ shape: TripShape) {
        (self.batches, self.shape) = (batches, shape)
    }

    func place(_ line: TripPosition) -> (file: Int, record: Int) {
        let batch = batches[Int(line.batch)]
        return (batch.fileIndex, Int(batch.recordNumbers[Int(line.row)]))
    }

    /// A line as a version of a trip.
    func version(_ line: TripPosition, _ term: LedgerTerm, trip: TripPosition) -> TripVersion {
        var version = TripVersion(
            batches[Int(line.batch)],
            row: Int(line.row),
            term,
            shape: shape
        )
        let ids = batches[Int(trip.batch)].columns[shape.tripIDIndex].texts
        version.tripID = ids.string(row: Int(trip.row)) ?? ""
        return version
    }

    /// Per file, the lines that are no trip of their own: first those of no trip in force.
    func linesByFile(_ joined: JoinedClaims) -> [Int: [ClaimLine]] {
        var lines: [Int: [ClaimLine]] = [:]
        for line in joined.setAside {
            let version = version(line.line, line.term, trip: line.trip)
            lines[version.fileIndex, default: []].append(ClaimLine(version: version, base: nil))
        }
        for line in joined.merged {
            let version = version(line.line, .merged, trip: line.trip)
            let (file, record) = place(line.trip)
            let base = ClaimLine.Place(file: file, record: record)
            lines[version.fileIndex, default: []].append(ClaimLine(version: version, base: base))
        }
        return lines
    }
}
