import Synchronization
import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// Reads all exports of a run, several at a time, into classified batches in order of exports.
struct ExportsReading: Sendable {
    /// Files below this size are read by one thread each: it finishes one soon.
    static let sharedFileSize: Int64 = 64 << 20

    private let pipeline: PipelineDefinition
    private let classifier: TripClassifier
    private let zones: ZoneResolver
    /// Whether trips are kept, so that the accepted version of each can be found.
    ///
    /// Else they are only summed up.
    private let keepsTrips: Bool
    private let localZone: TimeZoneRules
    private let threadCount: Int
    private let rejectTexts: RejectSpool?
    private let progress: Progress

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - setting: The configuration to classify with.
    ///   - options: The threads to use, and whether trips are kept.
    ///   - rejectTexts: Where the raw records of rejects are kept; nil where they are not.
    ///   - progress: Where progress is shown.
    init(
        _ setting: RunConfiguration,
        _ options: RunOptions,
        _ rejectTexts: RejectSpool?,
        _ progress: Progress
    ) {
        (pipeline, classifier, zones) = (setting.pipeline, setting.classifier, setting.zones)
        keepsTrips = options.keepsTrips(of: setting.pipeline)
        localZone = setting.localZone
        threadCount = options.threadCount
        self.rejectTexts = rejectTexts
        self.progress = progress
    }

    /// Reads files.
    ///
    /// - Parameter files: The files, in order of exports.
    /// - Returns: Each file's reading, or the error that refuses it, in the same order.
    func read(_ files: [FileIntake.File]) -> [Result<ReadFile, any Error>] {
        progress.begin("reading")
        let done = ReadingProgress(progress: progress, fileCount: files.count)
        let buffers = ExpansionBuffers()
        let sizes = files.map { FileText.size($0.location) }
        // One thread per file is fastest, as long as the other threads have as much to do.
        let share = sizes.reduce(0, +) / Int64(4 * threadCount)
        let large = files.indices.filter { sizes[$0] > max(Self.sharedFileSize, share) }
        // The largest first, so that all threads end at about the same time.
        let small = Set(files.indices).subtracting(large).sorted {
            (sizes[$1], $0) < (sizes[$0], $1)
        }
        let smallResults = Parallel.map(small.count, threads: threadCount) {
            let result = read(files[small[$0]], fileIndex: small[$0], threadCount: 1, buffers)
            done.add(result)
            return result
        }
        var results: [Int: Result<ReadFile, any Error>] = [:]
        for (index, result) in zip(small, smallResults) { results[index] = result }
        for index in large {
            let result = read(files[index], fileIndex: index, threadCount: threadCount, buffers)
            done.add(result)
            results[index] = result
        }
        done.end()
        return files.indices.compactMap { results[$0] }
    }

    private func read(
        _ file: FileIntake.File,
        fileIndex: Int,
        threadCount: Int,
        _ buffers: ExpansionBuffers
    ) -> Result<ReadFile, any Error> {
        Result {
            let source = pipeline.sources[file.entry.sourceIndex]
            var request = pipeline.request(for: source, name: file.entry.path)
            request.path = file.location
            // A file that was taken in may be read, even if lower limits were set since.
            if !file.entry.isNew { (request.limits, request.rejectLimits) = (.none, .none) }
            request.fileIndex = fileIndex
            request.latestPickup = file.entry.takenIn.map {
                pipeline.latestPickup(takenIn: $0, zone: localZone)
            }
            request.slicing = Slicing(threads: threadCount)
            request.hashing = file.entry.hashing
            // A dry run must see, too, that two files whose trips all count have one content.
            if request.hashing == .none, file.entry.contentHash.isEmpty, source.hasPositionIDs {
                request.hashing = .content
            }
            request.buffers = buffers
            request.derivedCost = classifier.derivedCost(zones)
            var content = FileContent(
                lookupCount: classifier.lookups.count,
                tripIDIndex: classifier.shape.tripIDIndex
            )
            var places: [RejectSpool.Place] = []
            let summary = try ExportReader.read(
                request,
                make: { [classifier, zones, keepsTrips] batch in
                    SliceContent(
                        classifier.classify(zones.resolve(batch)),
                        classifier,
                        keepsTrips: keepsTrips
                    )
                },
                keepTexts: { if let rejectTexts { places += try rejectTexts.keep($0) } },
                deliver: { content.add($0) }
            )
            let digest = summary.digest
            guard
                file.entry.isNew
                    || (digest.archiveHash == file.entry.archiveHash
                        && digest.contentHash == file.entry.contentHash)
            else {
                throw SourceFault(
                    code: .changedWhileRead,
                    position: SourcePosition(file: file.entry.path),
                    finding: "does not hold the bytes that were taken in",
                    remedy: "Restore the mart's archive from its backup."
                )
            }
            let read = ReadFile(
                entry: file.entry,
                location: file.location,
                summary: summary,
                rejectTexts: places,
                content: content
            )
            try read.requirePlausibleCosts()
            // Lines of claims are looked at when they are joined.
            if source.lines == nil { try read.requireNoReservedWord() }
            return read
        }
    }
}

/// Counts the files and records that were read, for the progress bar.
private final class ReadingProgress: Sendable {
    private let progress: Progress
    private let fileCount: Int
    private let doneFiles = Atomic<Int64>(0)
    private let records = Atomic<Int64>(0)

    init(progress: Progress, fileCount: Int) {
        self.progress = progress
        self.fileCount = fileCount
    }

    func add(_ result: Result<ExportsReading.ReadFile, any Error>) {
        var added: Int64 = 0
        if case .success(let file) = result {
            added = Int64(file.summary.counts.records + file.summary.counts.rejects)
        }
        let total = records.add(added, ordering: .relaxed).newValue
        let files = doneFiles.add(1, ordering: .relaxed).newValue
        let (read, taken) = amounts(files, total)
        progress.update(done: files, total: Int64(fileCount), read, taken)
    }

    func end() {
        let (read, taken) = amounts(
            doneFiles.load(ordering: .relaxed),
            records.load(ordering: .relaxed)
        )
        progress.end(read, taken)
    }

    private func amounts(
        _ files: Int64,
        _ records: Int64
    ) -> (WorkProgress.Amount, WorkProgress.Amount) {
        (
            WorkProgress.Amount(files, of: Int64(fileCount), "file"),
            WorkProgress.Amount(records, "record")
        )
    }
}

extension ExportsReading {
    /// One file that was read, with its classified trips.
    struct ReadFile: Sendable {
        let entry: FileRegister.Entry
        /// Where its bytes are.
        let location: String
        private(set) var summary: ExportSummary
        /// The places of the raw records of its rejects; empty where none is kept.
        private(set) var rejectTexts: [RejectSpool.Place]
        private(set) var content: FileContent
        /// Its rejects, with the file's index.
        var rejects: [Reject] { summary.rejects }

        init(
            entry: FileRegister.Entry,
            location: String,
            summary: ExportSummary,
            rejectTexts: [RejectSpool.Place],
            content: FileContent
        ) {
            self.entry = entry
            self.location = location
            self.summary = summary
            self.rejectTexts = rejectTexts
            self.content = content
        }

        /// Takes the trips that its lines were joined into, in the place of the lines.
        ///
        /// Each orphan comes with the place of its raw record; nil where none is kept.
        mutating func join(
            _ trips: [SliceContent],
            _ lines: [ClaimLine],
            _ orphans: [(reject: Reject, text: RejectSpool.Place?)],
            lookupCount: Int
        ) {
            content = FileContent(lookupCount: lookupCount, tripIDIndex: content.tripIDIndex)
            content.lines = lines
            for trips in trips { content.add(trips, firstRecord: 0, firstLine: 0) }
            guard !orphans.isEmpty else { return }
            let all =
                rejects.indices.map { index in
                    (reject: rejects[index], text: rejectTexts.isEmpty ? nil : rejectTexts[index])
                } + orphans
            let sorted = all.sorted { $0.reject.recordNumber < $1.reject.recordNumber }
            summary.rejects = sorted.map(\.reject)
            rejectTexts = sorted.compactMap(\.text)
        }

        /// The same file with another index in order of exports.
        func numbered(_ index: Int) -> ReadFile {
            var copy = self
            copy.content.number(index)
            // Mostly it has this index already, and its rejects need not be copied.
            for reject in rejects.indices where rejects[reject].fileIndex != index {
                copy.summary.rejects[reject].fileIndex = index
            }
            return copy
        }
    }

    /// What the run needs of the trips of one slice.
    struct SliceContent: Sendable {
        /// The trips, or their sums where none is kept.
        enum Trips: Sendable {
            case kept(PackedBatch)
            case addedUp(TripTotals)
        }

        let trips: Trips
        let overflows: Int
        let tallies: [TripClassifier.LookupTally]
        let regions: RegionComparison
        let reservedRecord: Int?
        let excessiveRecord: Int?

        init(
            _ outcome: TripClassifier.Outcome,
            _ classifier: TripClassifier,
            keepsTrips: Bool
        ) {
            trips =
                keepsTrips
                ? .kept(PackedBatch(outcome.batch))
                : .addedUp(
                    TripTotals(outcome.batch, shape: classifier.shape, rules: classifier.rules)
                )
            overflows = outcome.overflows
            tallies = outcome.tallies
            regions = outcome.regions
            reservedRecord = outcome.reservedRecord
            excessiveRecord = outcome.excessiveRecord
        }
    }

    /// What the run needs of the trips of one file.
    struct FileContent: Sendable {
        /// Its trips, classified, slice by slice; empty where they are only summed up.
        private(set) var batches: [PackedBatch] = []
        /// The sums of its trips; nil where they are kept, or where it has none.
        private(set) var totals: TripTotals?
        /// Integer results of expressions that left 64 bits.
        private(set) var overflows = 0
        /// Per lookup, the number of trips that have its keys, and of those without a match.
        private(set) var lookupTallies: [TripClassifier.LookupTally]
        /// The regions compared with those that the export names.
        private(set) var regions = RegionComparison()
        /// The first record whose region or trip type would be the reserved word.
        private(set) var reservedRecord: Int?
        /// The first record whose derived cost no sum could hold.
        private(set) var excessiveRecord: Int?
        fileprivate let tripIDIndex: Int
        /// Of a source with `lines`, those that are no trip of their own.
        fileprivate(set) var lines: [ClaimLine] = []
        /// What another process counted of its trips, which are not here; nil where it did not.
        private(set) var reported: ReportedTrips?

        /// Trips that another process read.
        struct ReportedTrips: Sendable {
            /// All valid trips and their costs.
            let valid: LedgerAmount
            /// Those that count.
            let counted: Int64
        }

        /// The number of its trips that count, superseded ones included.
        ///
        /// - Complexity: O(*n*) in the trips that are kept.
        var countedTrips: Int64 {
            if let reported { return reported.counted }
            return batches.reduce(totals?.counted.trips ?? 0) { sum, batch in
                let counted = batch.counted.reader
                return sum + Int64((0..<batch.count).count { counted.value($0) != 0 })
            }
        }

        /// Creates an empty content.
        ///
        /// - Parameters:
        ///   - lookupCount: The number of lookups.
        ///   - tripIDIndex: The column of the trip id.
        init(lookupCount: Int, tripIDIndex: Int) {
            self.tripIDIndex = tripIDIndex
            lookupTallies = Array(repeating: TripClassifier.LookupTally(), count: lookupCount)
        }

        /// Describes the trips of a file that another process read.
        init(
            _ reported: ReportedTrips,
            totals: TripTotals?,
            overflows: Int,
            tallies: [TripClassifier.LookupTally],
            regions: RegionComparison,
            tripIDIndex: Int
        ) {
            self.reported = reported
            self.totals = totals
            self.overflows = overflows
            lookupTallies = tallies
            self.regions = regions
            self.tripIDIndex = tripIDIndex
        }

        /// Adds the next slice of the file.
        mutating func add(_ part: ExportPart<SliceContent>) {
            add(
                part.content,
                firstRecord: part.firstRecordNumber,
                firstLine: part.firstLineNumber,
                part.positionIDs
            )
        }

        /// Adds the next slice, whose numbers begin at a record and a line of the file; trip ids of
        /// positions are made of these numbers.
        mutating func add(
            _ slice: SliceContent,
            firstRecord: Int,
            firstLine: Int,
            _ ids: SourcePositionIDs? = nil
        ) {
            switch slice.trips {
            case .kept(let batch):
                let raised = batch.raised(records: firstRecord, lines: firstLine)
                batches.append(ids?.identified(raised, tripIDs: tripIDIndex) ?? raised)
            case .addedUp(let sums):
                if totals == nil { totals = sums } else { totals?.add(sums) }
            }
            overflows += slice.overflows
            for (lookup, tally) in slice.tallies.enumerated() { lookupTallies[lookup] += tally }
            regions += slice.regions
            if reservedRecord == nil, let index = slice.reservedRecord {
                reservedRecord = firstRecord + index
            }
            if excessiveRecord == nil, let index = slice.excessiveRecord {
                excessiveRecord = firstRecord + index
            }
        }

        /// Gives all trips another file index in order of exports.
        mutating func number(_ fileIndex: Int) {
            for batch in batches.indices { batches[batch].fileIndex = fileIndex }
        }
    }
}
