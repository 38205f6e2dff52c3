import TripDomain

/// Files that end within a line, although those of their source end in a line break.
///
/// An upload that breaks off inside the last value leaves a record with all its columns and a value
/// that is too short: `12.40` becomes `12.4`, or `1`. Nothing in the record shows it; only the line
/// break is missing. Some senders never write one after the last record, so that a file is compared
/// with the others of its source. A file that was cut just behind a line break cannot be told.
struct CutFiles {
    /// Their paths, in order of exports.
    let paths: [String]
    /// The first of them: its last line, and how many of the files it was compared with end in a
    /// line break.
    private let first: (line: Int, ended: Int, compared: Int)?

    /// Finds those among some files.
    ///
    /// - Parameters:
    ///   - files: Their indexes in order of exports.
    ///   - read: All files; each of these is compared with the others of its source that are in
    ///     force, or where there are none, with these.
    init(of files: Set<Int>, _ read: [CheckedFile]) {
        var paths: [String] = []
        var first: (line: Int, ended: Int, compared: Int)?
        // A file without a record has no last value.
        let all = read.indices.filter { read[$0].isCurrent && read[$0].items > 0 }
        for index in all where files.contains(index) && !read[index].endsInLineBreak {
            let file = read[index]
            let source = all.filter {
                $0 != index && read[$0].entry.sourceIndex == file.entry.sourceIndex
            }
            let earlier = source.filter { !files.contains($0) }
            let compared = earlier.isEmpty ? source : earlier
            let ended = compared.count { read[$0].endsInLineBreak }
            guard ended > 0, Self.isHabit(ended, of: compared.count) else { continue }
            paths.append(file.entry.path)
            first = first ?? (file.lines, ended, compared.count)
        }
        (self.paths, self.first) = (paths, first)
    }

    /// Whether the files of a source end in a line break: all of a few, nine of ten of many, since
    /// one of them may have been cut as well.
    private static func isHabit(_ ended: Int, of count: Int) -> Bool { ended * 10 >= count * 9 }

    /// What was found, for people; nil where nothing was.
    var finding: String? {
        guard let path = paths.first, let first else { return nil }
        let others = Counted.text(paths.count - 1, "more file")
        let more = paths.count == 1 ? "" : ", and so \(paths.count == 2 ? "does" : "do") \(others)"
        return "\(path) ends within line \(Counted.number(Int64(first.line))), without a line break"
            + "\(more), unlike \(Counted.number(Int64(first.ended))) of "
            + "\(Counted.text(first.compared, "other file")) of its source: its last value may be "
            + "cut; compare it with the sender's file, or get it again"
    }
}
