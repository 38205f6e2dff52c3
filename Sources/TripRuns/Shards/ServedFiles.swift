import TripDomain
import TripEngine
import TripPipeline
import TripRules

/// The files in force of the generation that a plan was made of, and what becomes of them.
///
/// A run on one machine keeps every content in its archive, so that a file which is refused, or
/// gone from the folder, leaves its trips in force. A divided run has the files of its list alone.
struct ServedFiles {
    private let files: [ShardPlan.ServedFile]
    private let sources: [SourceDefinition]
    private let tripIDIndex: Int

    /// Takes those of a plan.
    ///
    /// - Parameter setting: The plan, compiled.
    init(_ setting: ShardSetting) {
        files = setting.plan.served?.files ?? []
        sources = setting.pipeline.sources
        tripIDIndex = setting.classifier.shape.tripIDIndex
    }

    /// The files whose contents those that were read can replace, as files without their trips.
    ///
    /// How many of their trips count is not known.
    ///
    /// - Parameter read: The files that were read.
    /// - Returns: All but those that were read again; of sources that the pipeline has.
    func replaceable(by read: [ExportsReading.ReadFile]) -> [ExportsReading.ReadFile] {
        let again = Set(read.filter { !$0.entry.isNew }.map { key($0.entry) })
        return files.compactMap { file in
            guard let index = sources.firstIndex(where: { $0.name == file.source }),
                !again.contains(PathKey(source: file.source, path: file.path))
            else { return nil }
            return ExportsReading.ReadFile(file, sourceIndex: index, tripIDIndex)
        }
    }

    /// The files whose trips would be in force no more.
    ///
    /// A file is lost where its content would still be in force beside what is taken in, as it is
    /// in the archive of one machine, and what is taken in cannot stand for it.
    ///
    /// - Parameters:
    ///   - taken: The files that are taken in, and whether each of them is in force.
    ///   - accepting: The paths of the files that the operator lets go.
    /// - Returns: The files of which the run has neither the content nor a replacement.
    /// - Complexity: O(*n* log *n*) in the files.
    func gone(
        from taken: [(file: ExportsReading.ReadFile, isCurrent: Bool)],
        accepting: PathSet
    ) -> [ShardFiles.GoneFile] {
        let inForce = Set(taken.filter(\.isCurrent).map(\.file.entry))
        let there = Set(inForce.map { Content(key: key($0), hash: $0.contentHash) })
        let missing = files.filter { file in
            let key = PathKey(source: file.source, path: file.path)
            return !there.contains(Content(key: key, hash: file.contentHash))
        }
        let entries = missing.map { file in
            sources.firstIndex { $0.name == file.source }
                .map { FileRegister.Entry(file, sourceIndex: $0) }
        }
        let register = FileRegister(
            entries.compactMap(\.self) + taken.map(\.file.entry),
            sources: sources
        )
        let places = Dictionary(
            zip(register.entries, register.entries.indices),
            uniquingKeysWith: { first, _ in first }
        )
        let copies = Copies(register.entries, inForce: inForce)
        return zip(missing, entries).filter { _, entry in
            // Its source is no more.
            guard let entry, let place = places[entry] else { return true }
            guard register.isCurrent[place] else { return false }
            return sources[entry.sourceIndex].hasPositionIDs
                || !copies.standFor(entry, at: place)
        }.map { file, _ in
            ShardFiles.GoneFile(
                source: file.source,
                path: file.path,
                clause: SmallerFiles.clause(losing: file.valid),
                isAccepted: accepting.contains(file.path)
            )
        }
    }

    /// One content of one path.
    private struct Content: Hashable {
        let key: PathKey
        let hash: String
    }

    /// The contents in force under other paths, by their places in order of exports.
    private struct Copies {
        private struct Key: Hashable {
            let sourceIndex: Int
            let hash: String
        }

        private var last: [Key: Int] = [:]
        /// Before each place, how many files are in force.
        private var countBefore: [Int] = [0]

        init(_ entries: [FileRegister.Entry], inForce: Set<FileRegister.Entry>) {
            for (place, entry) in entries.enumerated() {
                let isInForce = inForce.contains(entry)
                countBefore.append(countBefore[place] + (isInForce ? 1 : 0))
                guard isInForce else { continue }
                last[Key(sourceIndex: entry.sourceIndex, hash: entry.contentHash)] = place
            }
        }

        /// Whether a copy decides the same versions: it comes later, or nothing in force comes
        /// between.
        func standFor(_ entry: FileRegister.Entry, at place: Int) -> Bool {
            let key = Key(sourceIndex: entry.sourceIndex, hash: entry.contentHash)
            guard let copy = last[key] else { return false }
            return copy > place || countBefore[copy + 1] == countBefore[place]
        }
    }

    private func name(_ entry: FileRegister.Entry) -> String { sources[entry.sourceIndex].name }

    private func key(_ entry: FileRegister.Entry) -> PathKey {
        PathKey(source: name(entry), path: entry.path)
    }
}

extension ExportsReading.ReadFile {
    /// A content of the served generation, of which its account alone is known.
    fileprivate init(_ file: ShardPlan.ServedFile, sourceIndex: Int, _ tripIDIndex: Int) {
        self.init(
            entry: FileRegister.Entry(file, sourceIndex: sourceIndex),
            location: "",
            summary: ExportSummary(
                rejects: [],
                repetitions: [],
                read: file.valid,
                counts: ScanCounts(lines: 0, blankLines: 0, records: 0, rejects: 0),
                digest: SourceDigest(
                    archiveHash: "",
                    archiveSize: 0,
                    contentHash: file.contentHash,
                    expandedSize: 0,
                    endsInLineBreak: true
                ),
                layoutName: "",
                tripOrigins: IDOrigins(generated: 0, real: 0),
                rejectOrigins: IDOrigins(generated: 0, real: 0)
            ),
            rejectTexts: [],
            content: ExportsReading.FileContent(
                ExportsReading.FileContent.ReportedTrips(valid: file.valid, counted: 0),
                totals: nil,
                overflows: 0,
                tallies: [],
                regions: RegionComparison(),
                tripIDIndex: tripIDIndex
            )
        )
    }
}

extension FileRegister.Entry {
    /// A content of the served generation, before the content of the list, which is the first.
    fileprivate init(_ file: ShardPlan.ServedFile, sourceIndex: Int) {
        self.init(
            sourceIndex: sourceIndex,
            path: file.path,
            sequence: 0,
            contentHash: file.contentHash,
            archiveHash: "",
            orderKey: file.orderKey,
            period: file.period,
            isNew: false,
            takenIn: nil
        )
    }
}
