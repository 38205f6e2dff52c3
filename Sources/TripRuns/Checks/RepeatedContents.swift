import TripDomain
import TripEngine
import TripPipeline

/// Files with one content whose trips all count, since the id of a trip is its place.
///
/// Mostly one export that was delivered twice, under two names or in two folders. Where ids are
/// read from columns, the trips of the second file are duplicates, and nothing counts twice.
struct RepeatedContents {
    /// The files whose content an earlier one in order of exports has.
    let count: Int64
    /// The first of them, the file whose content it has, and its records.
    private let first: (path: String, other: String, records: Int)?

    /// Looks at the files in force.
    ///
    /// - Parameters:
    ///   - files: The indexes of the files that are asked about, in order of exports: one of two
    ///     files with one content must be among them.
    ///   - read: All files.
    ///   - sources: The sources of the pipeline.
    /// - Complexity: O(*n*) in the files.
    init(of files: Set<Int>, _ read: [CheckedFile], _ sources: [SourceDefinition]) {
        var known: [String: Int] = [:]
        var count: Int64 = 0
        var first: (path: String, other: String, records: Int)?
        for (index, file) in read.enumerated()
        where file.isCurrent && sources[file.entry.sourceIndex].hasPositionIDs {
            // The logs of two quiet days are alike, and nothing of them counts.
            guard file.records > 0, !file.contentHash.isEmpty else { continue }
            guard let other = known[file.contentHash] else {
                known[file.contentHash] = index
                continue
            }
            guard files.contains(index) || files.contains(other) else { continue }
            count += 1
            if first == nil {
                first = (file.entry.path, read[other].entry.path, file.records)
            }
        }
        (self.count, self.first) = (count, first)
    }

    /// What was found, for people; nil where nothing was.
    var finding: String? {
        guard let first else { return nil }
        let others = count - 1
        return "\(first.path) has the content of \(first.other), and the trips of its "
            + "\(Counted.text(first.records, "record")) count twice, since the id of a trip is its "
            + "place" + (others == 0 ? "" : " (and \(Counted.text(others, "file")) more)")
            + ": if they are one export, leave it out with --skip \(ShellWord.quoted(first.path)), "
            + "after `triptych rollback` where it is published"
    }
}

extension SourceDefinition {
    /// Whether the id of a trip is its place in its file.
    var hasPositionIDs: Bool {
        layouts.contains { $0.fields.contains(where: \.isSourcePosition) }
    }
}
