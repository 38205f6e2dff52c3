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
    /// - Parameters:
    ///   - taken: The files that are taken in, and whether each of them is in force.
    ///   - accepting: The paths of the files that the operator lets go.
    /// - Returns: The files of which the run has neither the content nor a replacement.
    /// - Complexity: O(*n*) in the files.
    func gone(
        from taken: [(file: ExportsReading.ReadFile, isCurrent: Bool)],
        accepting: PathSet
    ) -> [ShardFiles.GoneFile] {
        let paths = Set(taken.map { key($0.file.entry) })
        let periods = Set(
            taken.map { Period(source: name($0.file.entry), text: $0.file.entry.period) }
        )
        let contents = Set(
            taken.filter(\.isCurrent).map {
                Content(source: name($0.file.entry), hash: $0.file.entry.contentHash)
            }
        )
        return files.filter { file in
            guard !contents.contains(Content(source: file.source, hash: file.contentHash)) else {
                return false
            }
            switch sources.first(where: { $0.name == file.source })?.replaces {
            case .samePath: return !paths.contains(PathKey(source: file.source, path: file.path))
            case .period: return !periods.contains(Period(source: file.source, text: file.period))
            case .nothing, nil: return true
            }
        }.map { file in
            ShardFiles.GoneFile(
                source: file.source,
                path: file.path,
                clause: SmallerFiles.clause(losing: file.valid),
                isAccepted: accepting.contains(file.path)
            )
        }
    }

    private struct Period: Hashable {
        let source: String
        let text: String
    }

    private struct Content: Hashable {
        let source: String
        let hash: String
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
            entry: FileRegister.Entry(
                sourceIndex: sourceIndex,
                path: file.path,
                // Before the content of the list, which is the first.
                sequence: 0,
                contentHash: file.contentHash,
                archiveHash: "",
                orderKey: file.orderKey,
                period: file.period,
                isNew: false,
                takenIn: nil
            ),
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
