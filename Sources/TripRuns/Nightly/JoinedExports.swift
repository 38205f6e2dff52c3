import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The lines of claims that are in no trip of their own: what became of the lines of one file.
struct FileLines: Sendable {
    /// A line that was merged into the trip of its claim.
    struct Merged: Sendable {
        /// The line, under the id of the trip.
        let version: TripVersion
        /// The file and the record of the trip's base line.
        let tripFile: Int
        let tripRecord: Int
    }

    var merged: [Merged] = []
    /// Lines with another term.
    var setAside: [TripVersion] = []
}

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

    /// Joins the lines of every source that declares `lines`.
    ///
    /// - Parameters:
    ///   - read: All files read, in order of exports.
    ///   - isCurrent: Per file, whether its records are in force.
    ///   - setting: The configuration to classify with.
    ///   - options: The threads to use.
    ///   - progress: Where progress is shown.
    /// - Throws: ``RunError`` for a reserved word as region or trip type; `SourceFault` where a
    ///   file can no longer be read.
    init(
        _ read: [ExportsReading.ReadFile],
        _ isCurrent: [Bool],
        _ setting: RunConfiguration,
        _ options: RunOptions,
        _ progress: Progress
    ) throws {
        files = read.enumerated().map { $1.numbered($0) }
        self.setting = setting
        threadCount = options.threadCount
        shape = setting.classifier.shape
        let sources = setting.pipeline.sources
        for (index, source) in sources.enumerated() {
            guard let definition = source.lines else { continue }
            let own = files.indices.filter {
                isCurrent[$0] && files[$0].entry.sourceIndex == index
            }
            progress.begin("joining")
            let lines = JoinedLines.Source(
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
        _ lines: JoinedLines.Source,
        _ own: [Int],
        _ progress: Progress
    ) throws {
        let joined = JoinedLines(lines, shape: shape, threadCount: threadCount)
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
        let places = LinePlaces(lines.batches, shape)
        lostTrips += joined.lost.map { pair in
            (
                places.version(pair.earlier, .superseded, trip: pair.earlier),
                places.version(pair.later, .accepted, trip: pair.later)
            )
        }
        unmatched += joined.unmatched.map { places.version($0, .accepted, trip: $0) }
        var linesOfFile: [Int: FileLines] = [:]
        for line in joined.merged {
            let (file, record) = places.place(line.trip)
            let merged = FileLines.Merged(
                version: places.version(line.line, .merged, trip: line.trip),
                tripFile: file,
                tripRecord: record
            )
            linesOfFile[places.place(line.line).file, default: FileLines()].merged.append(merged)
        }
        for line in joined.setAside {
            linesOfFile[places.place(line.line).file, default: FileLines()].setAside
                .append(places.version(line.line, line.term, trip: line.trip))
        }
        let faults = Dictionary(grouping: joined.faults) { places.place($0.line).file }
        for index in own {
            let rejects = try self.rejects(faults[index] ?? [], of: index, places)
            files[index].join(
                contentsOfFile[index] ?? [],
                linesOfFile[index] ?? FileLines(),
                rejects,
                lookupCount: classifier.lookups.count
            )
            try files[index].requireNoReservedWord()
        }
        progress.end(
            WorkProgress.Amount(Int64(joined.trips.reduce(0) { $0 + $1.count }), "trip"),
            WorkProgress.Amount(Int64(lines.batches.reduce(0) { $0 + $1.count }), "line")
        )
    }

    /// The lines of one file that cannot be joined, as rejects with their texts.
    private func rejects(
        _ faults: [JoinedLines.Fault],
        of index: Int,
        _ places: LinePlaces
    ) throws -> [(reject: Reject, text: [UInt8])] {
        guard !faults.isEmpty else { return [] }
        let file = files[index]
        let source = setting.pipeline.sources[file.entry.sourceIndex]
        var request = setting.pipeline.request(for: source, name: file.entry.path)
        request.path = file.location
        // It was read within its limits a moment ago.
        request.limits = .none
        request.slicing = Slicing(threads: threadCount)
        let texts = try ExportReader.texts(
            ofRecords: Set(faults.map { places.place($0.line).record }),
            of: request
        )
        return try faults.map { fault in
            let version = places.version(fault.line, .rejected, trip: fault.trip ?? fault.line)
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
                byteSize: text.bytes.count,
                itemCount: 1,
                field: fault.field,
                reason: fault.reason,
                amountCents: version.amountCents,
                isUnpriced: false,
                tripID: version.tripID
            )
            return (reject, text.bytes)
        }
    }
}

extension SourceDefinition {
    /// The text column that orders the versions of the source; nil where its files do.
    func orderColumn(in shape: TripShape) -> Int? {
        guard case .field(let name) = order else { return nil }
        return shape.columns.firstIndex { $0.name == name }
    }
}

/// The places, trip ids and amounts of the lines of a source.
private struct LinePlaces {
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
        let batch = batches[Int(line.batch)]
        let row = Int(line.row)
        let ids = batches[Int(trip.batch)].columns[shape.tripIDIndex].texts
        return TripVersion(
            tripID: ids.string(row: Int(trip.row)) ?? "",
            term: term,
            fileIndex: batch.fileIndex,
            recordNumber: Int(batch.recordNumbers[row]),
            lineNumber: Int(batch.lineNumbers[row]),
            amountCents: shape.costIndex.flatMap { batch.columns[$0].integers.value(row) }
        )
    }
}
