import TripDomain
import TripEngine
import TripPipeline

/// What the trip ids of a run's files show: records of one file that replace each other, files that
/// repeat others, and names that decide which of two files is later.
struct RepeatedIDs {
    /// A record, for messages: its file, number and line, and nothing of its content.
    struct Place {
        let path: String
        let record: Int
        let line: Int

        var text: String { "\(path) record \(record) (line \(line))" }
    }

    /// Trips of different records of one file with one trip id, of which only the last counts.
    struct WithinFile {
        var count: Int64 = 0
        /// Whether the records of the first file list units, each a trip.
        var listsUnits = false
        var first: (earlier: Place, later: Place)?
    }

    /// A file that repeats the trip ids of another one.
    struct Snapshot {
        let path: String
        let other: String
        /// The trip ids of the other file, and how many of them the file has as well.
        let ids: Int64
        let common: Int64
    }

    /// Two files of which the one whose name has the greater number, or month, counts as earlier,
    /// or whose names tell no order.
    struct Misordered {
        let later: String
        let earlier: String
    }

    /// A file with fewer ids shows nothing when it is repeated: corrections are sent so.
    static let fewestIDs = 3

    let withinFile: WithinFile
    /// The greatest share of another file's ids that a new file repeats; nil where none does.
    let snapshot: Snapshot?
    let misordered: [Misordered]

    /// Of exports whose trip ids are unique, so that no trip is kept to compare: a repeated id ends
    /// such a run.
    static let ofUniqueIDs = RepeatedIDs(withinFile: WithinFile(), snapshot: nil, misordered: [])

    private init(withinFile: WithinFile, snapshot: Snapshot?, misordered: [Misordered]) {
        self.withinFile = withinFile
        self.snapshot = snapshot
        self.misordered = misordered
    }

    /// Looks at some files.
    ///
    /// - Parameters:
    ///   - files: Their indexes in order of exports.
    ///   - exports: All files.
    ///   - trips: All valid trips.
    ///   - sources: The pipeline's sources.
    init(
        of files: Set<Int>,
        _ exports: ClassifiedExports,
        _ trips: ResolvedTrips,
        _ sources: [SourceDefinition]
    ) {
        let entries = exports.files.map(\.entry)
        var replaced = exports.replacedFiles
        for pair in trips.resolution.replacements {
            replaced.insert(
                SharedIDs.FilePair(
                    earlier: trips.batches[Int(pair.earlier.batch)].fileIndex,
                    later: trips.batches[Int(pair.later.batch)].fileIndex
                )
            )
        }
        self.init(
            of: files,
            entries,
            isCurrent: exports.isCurrent,
            sources,
            withinFile: Self.foundWithinFile(files, entries, trips, sources),
            shared: trips.resolution.sharedIDs,
            replaced: replaced
        )
    }

    /// Looks at some files whose trip ids were compared before.
    ///
    /// - Parameters:
    ///   - files: Their indexes in order of exports.
    ///   - entries: All files in order of exports.
    ///   - isCurrent: Per file, whether its records are in force.
    ///   - sources: The pipeline's sources.
    ///   - withinFile: The records of these files that replace another one of the same file.
    ///   - shared: How many trip ids files have in common.
    ///   - replaced: Pairs of files of which a record of the later one replaced one of the earlier.
    init(
        of files: Set<Int>,
        _ entries: [FileRegister.Entry],
        isCurrent: [Bool],
        _ sources: [SourceDefinition],
        withinFile: WithinFile,
        shared: SharedIDs,
        replaced: Set<SharedIDs.FilePair>
    ) {
        self.withinFile = withinFile
        snapshot = Self.foundSnapshot(files, entries, shared, sources)
        misordered = Self.foundMisordered(files, entries, isCurrent, replaced, sources)
    }

    private static func foundWithinFile(
        _ files: Set<Int>,
        _ entries: [FileRegister.Entry],
        _ trips: ResolvedTrips,
        _ sources: [SourceDefinition]
    ) -> WithinFile {
        var found = WithinFile()
        var first: (earlier: TripPosition, later: TripPosition)?
        for pair in trips.resolution.replacements {
            guard let earlier = pair.withinFile,
                files.contains(trips.batches[Int(pair.later.batch)].fileIndex)
            else { continue }
            found.count += 1
            let isFirst = first.map { known in
                (pair.later.batch, pair.later.row) < (known.later.batch, known.later.row)
            }
            if isFirst ?? true { first = (earlier, pair.later) }
        }
        func place(_ position: TripPosition) -> Place {
            let batch = trips.batches[Int(position.batch)]
            let row = Int(position.row)
            return Place(
                path: entries[batch.fileIndex].path,
                record: Int(batch.recordNumbers[row]),
                line: Int(batch.lineNumbers[row])
            )
        }
        guard let first else { return found }
        found.first = (place(first.earlier), place(first.later))
        let file = trips.batches[Int(first.later.batch)].fileIndex
        found.listsUnits = sources[entries[file].sourceIndex].layouts
            .contains { $0.fields.contains { $0.separator != nil } }
        return found
    }

    private static func foundSnapshot(
        _ files: Set<Int>,
        _ entries: [FileRegister.Entry],
        _ shared: SharedIDs,
        _ sources: [SourceDefinition]
    ) -> Snapshot? {
        var found: Snapshot?
        // In order of exports, so that of equal shares the first is named.
        let pairs = shared.counts.sorted {
            ($0.key.earlier, $0.key.later) < ($1.key.earlier, $1.key.later)
        }
        for (pair, count) in pairs where files.contains(pair.earlier) || files.contains(pair.later)
        {
            // Of a known and a new file, the new one is said to repeat the other.
            let isLaterNew = files.contains(pair.later)
            let (file, other) =
                isLaterNew ? (pair.later, pair.earlier) : (pair.earlier, pair.later)
            let source = entries[file].sourceIndex
            let ids = shared.idsOfFile[other] ?? 0
            guard source == entries[other].sourceIndex, ids >= fewestIDs,
                // There a file is declared to replace nothing.
                sources[source].replaces != .nothing
            else { continue }
            let (common, known) = (Int64(count), found)
            guard known.map({ common * $0.ids > $0.common * Int64(ids) }) ?? true else { continue }
            found = Snapshot(
                path: entries[file].path,
                other: entries[other].path,
                ids: Int64(ids),
                common: common
            )
        }
        return found
    }

    /// Pairs of files whose names alone say which is later, and say it otherwise than their numbers
    /// and months do, or where these do not say it.
    private static func foundMisordered(
        _ files: Set<Int>,
        _ entries: [FileRegister.Entry],
        _ isCurrent: [Bool],
        _ replaced: Set<SharedIDs.FilePair>,
        _ sources: [SourceDefinition]
    ) -> [Misordered] {
        var pairs = replaced.filter { $0.earlier < $0.later }
        var inForce: [String: Int] = [:]
        for (index, entry) in entries.enumerated()
        where isCurrent[index] && sources[entry.sourceIndex].replaces == .period {
            inForce["\(entry.sourceIndex) \(entry.period)"] = index
        }
        for (index, entry) in entries.enumerated() where !isCurrent[index] {
            guard let later = inForce["\(entry.sourceIndex) \(entry.period)"], index < later else {
                continue
            }
            pairs.insert(SharedIDs.FilePair(earlier: index, later: later))
        }
        return pairs.sorted { ($0.earlier, $0.later) < ($1.earlier, $1.later) }.compactMap { pair in
            let (earlier, later) = (entries[pair.earlier], entries[pair.later])
            guard files.contains(pair.earlier) || files.contains(pair.later),
                earlier.sourceIndex == later.sourceIndex,
                NaturalOrder.read(earlier.orderKey, later.orderKey) != .before
            else { return nil }
            if case .field = sources[later.sourceIndex].order { return nil }
            return Misordered(later: later.path, earlier: earlier.path)
        }
    }
}

extension RepeatedIDs {
    /// What was found about the measures that a check names, for people.
    func findings(naming measures: Set<String>) -> [String] {
        var texts: [String] = []
        if let (earlier, later) = withinFile.first,
            measures.contains("superseded_same_file")
                || measures.contains("superseded_same_file_pct")
        {
            let count = withinFile.count
            texts.append(
                "\(Counted.text(count, "trip")) \(count == 1 ? "has" : "have") the trip id of one in "
                    + "a different record of the same file, and only the last of them counts; first "
                    + "\(later.text), after line \(earlier.line): "
                    + (withinFile.listsUnits
                        ? "if the same unit went out twice, compose `trip_id` of a column that "
                            + "tells the records apart, too"
                        : "compose `trip_id` of more columns")
                    + "; where they are corrections, allow so many: "
                    + "{id: once, warn_if: \"superseded_same_file > 100\"}"
            )
        }
        if let snapshot, measures.contains("repeated_ids_pct") {
            texts.append(
                "\(snapshot.path) repeats \(Counted.number(snapshot.common)) of the "
                    + "\(Counted.text(snapshot.ids, "trip id")) of \(snapshot.other), and trips "
                    + "that it no longer has still count: if it takes the place of that file, say "
                    + "so with `replaces: period`, or send it under the same name; `order` says "
                    + "which is later"
            )
        }
        if let first = misordered.first, measures.contains("misordered_files") {
            let others = misordered.count - 1
            texts.append(
                "\(first.later) counts as later than \(first.earlier), by their names as text"
                    + (others == 0 ? "" : " (and \(Counted.text(others, "pair")) more)")
                    + ": say which is later with `order`, and which takes the place of which with "
                    + "`replaces`"
            )
        }
        return texts
    }
}
