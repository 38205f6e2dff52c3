import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// The files of a run: all known files, from the archive, and all new ones.
struct FileIntake {
    /// A file to read and where its bytes are.
    struct File: Sendable {
        let entry: FileRegister.Entry
        let location: String
    }

    /// A file that cannot be taken in.
    struct Refusal: Sendable {
        let path: String
        let sourceIndex: Int
        let reason: String
        let remedy: String
        /// Whether `--skip` helps: of several files that are the same export, for all but the
        /// published one.
        let maySkip: Bool
        /// Whether it can be read, and another file is the same export.
        let isTwin: Bool
    }

    let pipeline: PipelineDefinition
    let archive: Archive
    let landing: LandingFolder
    /// Files of the delivery that cannot be ordered or contradict each other.
    private(set) var refusals: [Refusal] = []
    /// Files that were written to while they were read; they wait for the next run.
    private(set) var changed: [UnreadEntry] = []
    /// The excluded contents that the input folder has again.
    var excludedAgain: [Exclusion] = []
    /// Files taken in for the first time, without sequence yet.
    private(set) var arrivals: [Arrival] = []

    /// A new content of a path.
    struct Arrival: Sendable {
        let sourceIndex: Int
        let path: String
        /// SHA-256 of the bytes; empty where the path is new, until it is copied.
        var archiveHash: String
        /// SHA-256 of the expanded content; empty where the path is new, until it is copied or,
        /// where it is compressed, read.
        var contentHash: String
        /// Where its bytes are: the delivered file, later the copy.
        var location: String
        /// The delivered file's state when the folder was listed; nil for a file of the archive.
        var state: FileState?
        let orderKey: String
        let period: String
    }

    init(pipeline: PipelineDefinition, archive: Archive, landing: LandingFolder) {
        self.pipeline = pipeline
        self.archive = archive
        self.landing = landing
    }

    /// Finds the new arrivals: paths whose bytes differ from their latest known ones.
    ///
    /// - Parameters:
    ///   - delivery: The files of the folder, matched to sources.
    ///   - known: All files of the served generation.
    ///   - exclusions: The exclusions of rollbacks.
    ///   - threadCount: How many files are hashed at once.
    ///   - progress: Where progress is shown.
    /// - Throws: Any error of hashing besides `SourceFault`, for which the file is refused.
    /// - Complexity: Only files whose path is known are read.
    mutating func findNewFiles(
        _ delivery: MatchedFiles,
        known: [SourceFileEntry],
        exclusions: [Exclusion],
        threadCount: Int,
        progress: Progress
    ) throws {
        var latest: [PathKey: SourceFileEntry] = [:]
        for file in known {
            let key = PathKey(file)
            if (latest[key]?.sequence ?? 0) < file.sequence { latest[key] = file }
        }
        let candidates = withoutDuplicates(withoutExcluded(delivery.arrivals, exclusions), latest)
        let done = FileProgress(progress, stage: "comparing", total: candidates.count)
        let keys = candidates.map {
            PathKey(source: pipeline.sources[$0.sourceIndex].name, path: $0.file.path)
        }
        let hashes = Parallel.map(candidates.count, threads: threadCount) {
            [landing, latest] index in
            let file = candidates[index].file
            defer { done.add() }
            return Result {
                guard latest[keys[index]] != nil else { return "" }
                return try ContentHash.ofFile(path: landing.location(of: file), name: file.path)
            }
        }
        done.end()
        for ((arrival, key), result) in zip(zip(candidates, keys), hashes) {
            let source = pipeline.sources[arrival.sourceIndex]
            let location = landing.location(of: arrival.file)
            let hash: String
            do {
                hash = try result.get()
            } catch let fault as SourceFault where fault.isOfFile {
                refuse(arrival.file.path, arrival.sourceIndex, fault)
                continue
            }
            var contentHash = ""
            if let before = latest[key] {
                if before.archiveHash == hash { continue }
                contentHash = expandedHash(location, source: source)
                // The file was only compressed again, or expanded: it is the same export.
                if before.contentHash == contentHash { continue }
            }
            add(arrival, hash: hash, contentHash: contentHash, location: location)
        }
    }

    /// The hash of a file's expanded content; empty where it cannot be read.
    func expandedHash(_ location: String, source: SourceDefinition) -> String {
        // A damaged file is refused, with its reason, when its records are read.
        (try? ContentHash.ofExpanded(path: location, limits: source.expansion)) ?? ""
    }

    private mutating func add(
        _ arrival: MatchedFiles.Arrival,
        hash: String,
        contentHash: String,
        location: String
    ) {
        let path = arrival.file.path
        let source = pipeline.sources[arrival.sourceIndex]
        guard let orderKey = FileRegister.orderKey(path: path, source: source) else {
            refuse(path, arrival.sourceIndex, Self.misfit("order"), Self.nameAdvice)
            return
        }
        guard let period = FileRegister.period(path: path, source: source) else {
            refuse(path, arrival.sourceIndex, Self.misfit("period"), Self.nameAdvice)
            return
        }
        arrivals.append(
            Arrival(
                sourceIndex: arrival.sourceIndex,
                path: path,
                archiveHash: hash,
                contentHash: contentHash,
                location: location,
                state: arrival.file.state,
                orderKey: orderKey,
                period: period
            )
        )
    }

    /// Why a file is refused whose name a pattern of its source captures nothing from.
    static func misfit(_ key: String) -> String {
        "the file's name does not fit the source's `\(key)` pattern"
    }

    /// What to do about such a name.
    static let nameAdvice = "Name it as the other exports are named."

    /// Why a file is refused that is the same export as others.
    static func sameExport(as others: [String]) -> String {
        "it is the same export as " + others.joined(separator: ", ")
    }

    /// Copies new files into the archive for this run, which reads the copies: so the archive holds
    /// exactly what was classified.
    ///
    /// - Parameters:
    ///   - threadCount: How many files are copied at once.
    ///   - progress: Where progress is shown.
    /// - Throws: `MartError` where the copies cannot be written; a file that cannot be read is
    ///   refused.
    mutating func copy(threadCount: Int, progress: Progress) throws {
        guard !arrivals.isEmpty else { return }
        let done = FileProgress(progress, stage: "copying", total: arrivals.count)
        let results = Parallel.map(arrivals.count, threads: threadCount) {
            [arrivals, archive] number in
            defer { done.add() }
            return Result { try Self.copied(arrivals[number], number: number, to: archive) }
        }
        done.end()
        var copied: [Arrival] = []
        for (arrival, result) in zip(arrivals, results) {
            do {
                copied.append(try result.get())
            } catch let fault as SourceFault where fault.isOfFile {
                refuse(arrival.path, arrival.sourceIndex, fault)
            }
        }
        arrivals = copied
    }

    /// Copies one file; `number` distinguishes the copies of the run.
    static func copied(
        _ arrival: Arrival,
        number: Int,
        to archive: Archive
    ) throws -> Arrival {
        var copied = arrival
        let copy = try archive.beginCopy(number: number)
        let hash = try ContentHash.ofFile(path: arrival.location, name: arrival.path) {
            try copy.append($0)
        }
        let isSame = arrival.archiveHash.isEmpty || arrival.archiveHash == hash
        guard try isSame && isWhole(arrival, hash: hash) else {
            throw SourceFault(
                code: .changedWhileRead,
                position: SourcePosition(file: arrival.path),
                finding: "was written to while it was read",
                remedy: "Wait until the upload has ended; deliver under another name and rename."
            )
        }
        copied.location = try archive.end(copy, hash: hash)
        copied.archiveHash = hash
        // An uncompressed file is its own content.
        if !copy.isGzip { copied.contentHash = hash }
        return copied
    }

    /// Whether a copy is of one state of the delivered file.
    ///
    /// The file's state is that of the listing, by which the run found it settled. Writes that
    /// follow each other within one tick of the clock leave one state, so that a file which was
    /// written a moment ago is read a second time.
    static func isWhole(_ arrival: Arrival, hash: String) throws -> Bool {
        guard let state = arrival.state else { return true }
        guard FileState(path: arrival.location) == state else { return false }
        return try !state.isFresh
            || ContentHash.ofFile(path: arrival.location, name: arrival.path) == hash
    }

    /// Resolves files that are the same export, such as `a.csv` and `a.csv.gz`.
    ///
    /// With one content they count once. With several contents nothing shows which is later, so
    /// they are refused: otherwise the result would depend on which file a run happens to take.
    private mutating func withoutDuplicates(
        _ arrivals: [MatchedFiles.Arrival],
        _ latest: [PathKey: SourceFileEntry]
    ) -> [MatchedFiles.Arrival] {
        var byPath: [PathKey: [MatchedFiles.Arrival]] = [:]
        for arrival in arrivals {
            let source = pipeline.sources[arrival.sourceIndex].name
            byPath[PathKey(source: source, path: arrival.file.path), default: []].append(arrival)
        }
        var refused: Set<[UInt8]> = []
        for (key, twins) in byPath where twins.count > 1 {
            let source = pipeline.sources[twins[0].sourceIndex]
            let hashes = twins.map {
                expandedHash(landing.location(of: $0.file), source: source)
            }
            let isOneContent = Set(hashes).count == 1 && hashes[0] != ""
            let published = hashes.firstIndex { $0 != "" && $0 == latest[key]?.contentHash }
            // Of files with one content, the first by path is taken.
            for (index, twin) in twins.enumerated() where index > 0 || !isOneContent {
                refused.insert(Array(twin.file.path.utf8))
                guard !isOneContent else { continue }
                let others = twins.map(\.file.path).filter { $0 != twin.file.path }
                // Nothing shows which file is right; only the published one may stay.
                let mayStay = published == nil || index == published
                refuse(
                    twin.file.path,
                    twin.sourceIndex,
                    Self.sameExport(as: others)
                        + (index == published ? ", and is the one that is published" : ""),
                    "Keep the right one in the input folder, or leave the others out with --skip.",
                    maySkip: !mayStay,
                    isTwin: !hashes.contains("")
                )
            }
        }
        refusals.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return arrivals.filter { !refused.contains(Array($0.file.path.utf8)) }
    }

    /// Puts files that come from the archive before those of the input folder: they came earlier.
    mutating func prepend(_ earlier: [Arrival]) { arrivals = earlier + arrivals }

    /// Refuses a file that cannot be read; one that was written to meanwhile waits.
    private mutating func refuse(_ path: String, _ sourceIndex: Int, _ fault: SourceFault) {
        guard fault.code != .changedWhileRead else {
            changed.append(.changed(path))
            return
        }
        refuse(path, sourceIndex, fault.finding, fault.remedy)
    }

    mutating func refuse(
        _ path: String,
        _ sourceIndex: Int,
        _ reason: String,
        _ remedy: String,
        maySkip: Bool = true,
        isTwin: Bool = false
    ) {
        refusals.append(
            Refusal(
                path: UnseenCharacters.named(in: path),
                sourceIndex: sourceIndex,
                reason: reason,
                remedy: remedy,
                maySkip: maySkip,
                isTwin: isTwin
            )
        )
    }
}
