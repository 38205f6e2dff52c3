import TripDomain
import TripEngine
import TripPipeline

/// The entries of the input folder, matched to the sources of a pipeline: each is read, waits, or
/// is named with the reason why it is not read.
struct MatchedFiles: Sendable {
    /// A file that belongs to a source.
    struct Arrival: Sendable, Hashable {
        let sourceIndex: Int
        let file: LandingFile
    }

    /// An entry that a source claims by its name and that cannot be read.
    struct Unreadable: Sendable {
        let sourceIndex: Int
        let path: String
        let objection: LandingEntry.Objection
    }

    /// Files to read, by path.
    private(set) var arrivals: [Arrival] = []
    /// Entries that are not read although nothing is wrong with the sources' own files.
    private(set) var unread: [UnreadEntry] = []
    /// Entries that sources claim and that cannot be read.
    private(set) var unreadable: [Unreadable] = []
    /// Files that match no source.
    private(set) var unclaimed: [String] = []

    private let patterns: FilePatterns
    private let settleSeconds: [Int64]
    private let now: Int64
    /// The files that the folder has, by their paths without `.gz`.
    private let present: PathSet
    /// The files that were taken in before, likewise.
    private let known: PathSet

    /// Matches the entries of a folder to sources.
    ///
    /// - Parameters:
    ///   - entries: The entries found.
    ///   - sources: The pipeline's sources.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - skipped: Paths that the operator leaves out.
    ///   - known: The paths of all files that were taken in before.
    /// - Throws: ``RunError`` with code `badPipeline` where two sources match one file.
    init(
        entries: [LandingEntry],
        sources: [SourceDefinition],
        now: Int64,
        skipped: PathSet,
        known: [String] = []
    ) throws(RunError) {
        patterns = FilePatterns(sources)
        settleSeconds = sources.map(\.settleSeconds)
        self.now = now
        self.known = PathSet(known.map { LogicalPath.plain(UnseenCharacters.named(in: $0)) })
        present = PathSet(
            entries.compactMap { entry in
                guard case .file(let file) = entry.kind else { return nil }
                return LogicalPath.plain(file.path)
            }
        )
        for entry in entries where !skipped.contains(entry.path) {
            if QuietNames.isShadow(entry.path) { continue }
            if let marked = marked(entry) {
                unread.append(marked)
            } else {
                try place(entry)
            }
        }
        unclaimed = GeneratedFiles.removed(from: unclaimed)
    }

    /// The note about an entry whose name marks it as unfinished or set aside; nil for all others.
    private func marked(_ entry: LandingEntry) -> UnreadEntry? {
        // What lies in a folder is looked at entry by entry.
        if case .folder = entry.kind { return nil }
        for reading in NameMarks.readings(of: entry.bytes) {
            guard patterns.claim(entry.bytes, as: reading.base) else { continue }
            if reading.mark == .unfinished {
                return .waits(entry.path, "its name marks it as unfinished")
            }
            guard reading.mark != .copy || isExport(reading.base) else { continue }
            return setAside(entry, of: reading.base, reading.mark)
        }
        guard let base = patterns.baseBeforeStar(of: entry.bytes, where: isExport) else {
            return nil
        }
        return setAside(entry, of: base, .copy)
    }

    /// Whether there is, or was, an export of a path.
    private func isExport(_ path: [UInt8]) -> Bool {
        let plain = LogicalPath.plain(VisibleText.of(path, encoding: .utf8))
        return present.contains(plain) || known.contains(plain)
    }

    private func setAside(
        _ entry: LandingEntry,
        of path: [UInt8],
        _ mark: NameMarks.Mark
    ) -> UnreadEntry {
        let base = VisibleText.of(path, encoding: .utf8)
        let isPresent = present.contains(LogicalPath.plain(base))
        // Scripts rename what a run has taken in.
        let isDone = mark == .processed && known.contains(LogicalPath.plain(base))
        var reason = "its name is that of a copy of \(base)"
        if mark == .copy {
            reason += "; if it is an export of its own, give it another name"
        } else if !isDone, !isPresent {
            reason += ", which is not here; move the copy out of the folder, or rename it"
        }
        let wasRead = known.contains(LogicalPath.plain(entry.path))
        if wasRead { reason += "; trips of it that were published before still count" }
        return UnreadEntry(
            path: entry.path,
            fate: .leftAside,
            reason: reason,
            isInDoubt: mark == .copy || wasRead || !(isPresent || isDone)
        )
    }

    /// Sorts an entry whose name has no mark.
    private mutating func place(_ entry: LandingEntry) throws(RunError) {
        switch entry.kind {
        case .file(let file):
            guard let source = try patterns.source(of: entry) else {
                leave(entry)
                return
            }
            // A time in the future shows that clocks differ, not that the file is being written.
            guard !(0..<settleSeconds[source]).contains(now - file.modifiedAt) else {
                unread.append(.waits(file.path, "it was still being written to"))
                return
            }
            arrivals.append(Arrival(sourceIndex: source, file: file))
        case .folder:
            guard let source = patterns.sourceOfFolder(entry.bytes) else { return }
            let objection = LandingEntry.Objection(
                finding: "is a folder, and its name is that of an export",
                remedy: "Deliver the export as a file, or rename the folder."
            )
            unreadable.append(
                Unreadable(sourceIndex: source, path: entry.path, objection: objection)
            )
        case .unreadable(let objection):
            let reached = objection.hidesEntries ? patterns.sourceReaching(entry.bytes) : nil
            if let source = try patterns.source(of: entry) ?? reached {
                unreadable.append(
                    Unreadable(sourceIndex: source, path: entry.path, objection: objection)
                )
            } else {
                unread.append(
                    UnreadEntry(
                        path: entry.path,
                        fate: .notRead,
                        reason: "it \(objection.finding)",
                        isInDoubt: true
                    )
                )
            }
        }
    }

    /// Names a file that no source claims.
    private mutating func leave(_ entry: LandingEntry) {
        if QuietNames.isFile(entry.path) { return }
        guard patterns.claimButForCase(entry.bytes) else {
            unclaimed.append(entry.path)
            return
        }
        unread.append(
            UnreadEntry(
                path: entry.path,
                fate: .notRead,
                reason: "`files` minds the case of letters, and no pattern is written as its name",
                isInDoubt: true
            )
        )
    }
}

/// The patterns of all sources.
struct FilePatterns: Sendable {
    private let names: [String]
    /// The patterns of each source.
    private let globs: [[Glob]]

    init(_ sources: [SourceDefinition]) {
        names = sources.map(\.name)
        globs = sources.map { $0.globs.map(Glob.init) }
    }

    /// The source that claims an entry; nil where none does.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The source's index.
    /// - Throws: ``RunError`` with code `badPipeline` where two sources do.
    func source(of entry: LandingEntry) throws(RunError) -> Int? {
        let claiming = sources(of: entry.bytes)
        guard claiming.count > 1 else { return claiming.first }
        throw RunError(
            .badPipeline,
            summary: "two sources match one file",
            what: "\(entry.path) matches the `files` of "
                + claiming.map { "`\(names[$0])`" }.joined(separator: " and ") + ".",
            remedies: ["Narrow the `files` of one source in pipeline.yaml."]
        )
    }

    /// The sources that claim a path; a pattern claims a compressed file by its plain name as well.
    private func sources(of path: [UInt8]) -> [Int] {
        let exact = globs.indices.filter { index in globs[index].contains { $0.matches(path) } }
        guard exact.isEmpty, let plain = Self.plain(path) else { return exact }
        return globs.indices.filter { index in globs[index].contains { $0.matches(plain) } }
    }

    /// Whether a source claims the path of a marked file as that of another file.
    ///
    /// A pattern that fits the marked name and not the plain one is about the marked name: `*.bak`.
    ///
    /// - Parameters:
    ///   - path: The path with the mark.
    ///   - base: The path without it.
    /// - Returns: Whether a source claims the plain name, and no pattern is about the marked one.
    func claim(_ path: [UInt8], as base: [UInt8]) -> Bool {
        !sources(of: base).isEmpty
            && !globs.joined().contains { $0.matches(path) && !Self.fits($0, base) }
    }

    /// The path before what the last `*` of a pattern stands for, where that is no part of a name.
    ///
    /// `*.csv*` was once advised for plain and compressed files, and claims `a.csv-wrong` too.
    ///
    /// - Parameters:
    ///   - path: The path of a file that a source claims.
    ///   - isExport: Whether there is an export of a path.
    /// - Returns: The path of the export that the file is taken for a copy of; nil where it is
    ///   none.
    func baseBeforeStar(of path: [UInt8], where isExport: ([UInt8]) -> Bool) -> [UInt8]? {
        for glob in globs.joined() {
            guard let plain = glob.withoutLastStar, glob.matches(path) else { continue }
            for count in path.indices.dropFirst().reversed() {
                let base = Array(path[..<count])
                guard plain.matches(base), path[count...].elementsEqual(".gz".utf8) == false,
                    isExport(base), claim(path, as: base)
                else { continue }
                return base
            }
        }
        return nil
    }

    /// The source that claims a folder's name as that of a file; nil where none does.
    ///
    /// A pattern without a dot, such as `claims_*`, fits folders by chance.
    func sourceOfFolder(_ path: [UInt8]) -> Int? {
        globs.indices.first { index in
            globs[index].contains {
                $0.text.utf8.contains(UInt8(ascii: ".")) && Self.fits($0, path)
            }
        }
    }

    /// The first source whose patterns claim files below a folder; nil where none do.
    func sourceReaching(_ folder: [UInt8]) -> Int? {
        globs.indices.first { index in globs[index].contains { $0.reaches(folder) } }
    }

    /// Whether a source claims a path if the case of letters a to z is not minded.
    func claimButForCase(_ path: [UInt8]) -> Bool {
        let lower = String(decoding: path, as: UTF8.self).lowercased()
        return globs.joined().contains { glob in
            Self.fits(Glob(text: glob.text.lowercased()), Array(lower.utf8))
        }
    }

    /// Whether a pattern claims a path, or the path of a compressed file by its plain name.
    static func fits(_ glob: Glob, _ path: [UInt8]) -> Bool {
        glob.matches(path) || plain(path).map { glob.matches($0) } ?? false
    }

    /// The path without `.gz`; nil where it does not end so.
    private static func plain(_ path: [UInt8]) -> ArraySlice<UInt8>? {
        path.count > 3 && path.suffix(3).elementsEqual(".gz".utf8) ? path.dropLast(3) : nil
    }
}
