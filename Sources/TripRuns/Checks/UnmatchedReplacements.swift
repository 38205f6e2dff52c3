import TripDomain
import TripEngine
import TripPipeline

/// Replacements and voids that found no claim which they replace or void, so that an original may
/// still count.
///
/// Mostly the export names that claim in a column that `replaces` does not name. Of an export whose
/// history begins later, the claim came before it.
struct UnmatchedReplacements {
    /// How many there are.
    let count: Int64
    /// The first line of the first of them.
    let first: RepeatedIDs.Place?
    /// Whether its source says which column names the claim.
    private let namesClaim: Bool

    /// None: of exports whose lines are not joined.
    static let none = UnmatchedReplacements()

    private init() { (count, first, namesClaim) = (0, nil, false) }

    /// Counts those that some files brought.
    ///
    /// - Parameters:
    ///   - files: Their indexes in order of exports.
    ///   - exports: All files.
    ///   - sources: The sources of the pipeline.
    init(of files: Set<Int>, _ exports: ClassifiedExports, _ sources: [SourceDefinition]) {
        let lines = exports.unmatchedReplacements.filter { files.contains($0.fileIndex) }
        count = Int64(lines.count)
        guard let line = lines.first else {
            (first, namesClaim) = (nil, false)
            return
        }
        let entry = exports.files[line.fileIndex].entry
        first = RepeatedIDs.Place(
            path: entry.path,
            record: line.recordNumber,
            line: line.lineNumber
        )
        namesClaim = sources[entry.sourceIndex].lines?.replaced.isEmpty == false
    }

    /// What was found, for people; nil where nothing was.
    var finding: String? {
        guard let first else { return nil }
        let found = Counted.text(count, "replacement or void", plural: "replacements and voids")
        return "\(found) found no claim to replace or void; first \(first.text): "
            + (namesClaim
                ? "if that claim is in no export here, nothing is lost; else `replaces` names "
                    + "another column than the one in which it stands"
                : "if the claim in question stands in another column, name that: `replaces`; or "
                    + "`claim` names a number that is new for each correction: take the one they "
                    + "share (CCLF: CLM_CNTL_NUM)")
    }
}
