import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// What a run makes of totals that other machines added up.
extension ImportedTotals {
    /// The input of the checks: all files are new to a full rebuild.
    var measured: MeasuredTrips {
        var ledger = Ledger()
        var (records, unitless): (Int64, Int64) = (0, 0)
        var tallies: [TripClassifier.LookupTally] = []
        var regions = RegionComparison()
        for file in files {
            ledger += file.ledger
            records += file.report.records + file.report.rejects
            if file.isCurrent { unitless += file.report.unitless }
            if tallies.isEmpty {
                tallies = file.report.lookups.map { _ in TripClassifier.LookupTally() }
            }
            for (index, lookup) in zip(tallies.indices, file.report.lookups) {
                tallies[index].keyed += lookup.keyed
                tallies[index].unmatched += lookup.unmatched
            }
            guard file.isCurrent else { continue }
            regions += RegionComparison(
                known: file.report.regionsKnown,
                different: file.report.regionsDifferent
            )
        }
        let (all, checked) = (Set(files.indices), files.map { CheckedFile($0) })
        return MeasuredTrips(
            areAll: false,
            ledger: ledger,
            unitless: unitless,
            records: records,
            sums: cube.total,
            regions: regions,
            tallies: tallies,
            dataThrough: dataThrough,
            latestMonth: latestMonth,
            total: cube.extent,
            repeats: repeats,
            cutFiles: CutFiles(of: all, checked),
            cutClaims: CutClaims.none,
            replacements: UnmatchedReplacements.none,
            contents: RepeatedContents(of: all, checked, sources),
            rejectedFiles: files.filter { $0.isCurrent && $0.ledger.isMostlyRejected }
                .map(\.entry.path)
        )
    }

    /// What the trip ids of the files show.
    private var repeats: RepeatedIDs {
        guard results.plan.comparesVersions else { return .ofUniqueIDs }
        let position = positions
        func pairs(
            _ pairs: KeyPath<PartitionReport, [PartitionReport.FilePair]>
        ) -> [SharedIDs.FilePair: Int] {
            var counts: [SharedIDs.FilePair: Int] = [:]
            for pair in results.parts.flatMap({ $0[keyPath: pairs] }) {
                guard let earlier = position[pair.earlier], let later = position[pair.later] else {
                    continue
                }
                let files = SharedIDs.FilePair(earlier: earlier, later: later)
                counts[files, default: 0] += Int(pair.count)
            }
            return counts
        }
        var ids: [Int: Int] = [:]
        var withinFile = RepeatedIDs.WithinFile()
        for (index, file) in files.enumerated() {
            guard let account = accounts[file.report.file] else { continue }
            ids[index] = Int(account.ids)
            withinFile.count += account.replacedWithin
            // The files are in order of exports, so that the first one found is the first.
            guard withinFile.first == nil, let first = account.firstWithin else { continue }
            withinFile.first = (place(first.earlier), place(first.later))
        }
        return RepeatedIDs(
            of: Set(files.indices),
            files.map(\.entry),
            isCurrent: files.map(\.isCurrent),
            sources,
            withinFile: withinFile,
            shared: SharedIDs(counts: pairs(\.sharedIDs), idsOfFile: ids),
            replaced: Set(pairs(\.replacements).keys)
        )
    }

    /// The index of each file that is taken in, by its index in the plan.
    private var positions: [Int: Int] {
        Dictionary(uniqueKeysWithValues: files.enumerated().map { ($1.report.file, $0) })
    }

    private func place(_ place: PartitionReport.Place) -> RepeatedIDs.Place {
        RepeatedIDs.Place(
            path: results.plan.files[place.file].path,
            record: place.record,
            line: place.line
        )
    }

    /// Whether every trip id occurs once; nil where versions were not compared and no file shows
    /// that one does not.
    var tripIDCheck: CheckResult? {
        guard results.plan.comparesVersions else { return repeatedContentCheck }
        let first = results.parts.compactMap(\.firstRepetition).min { left, right in
            (left.later.file, left.later.record) < (right.later.file, right.later.record)
        }
        let older = files.reduce(Int64(0)) { count, file in
            count + file.ledger[.superseded].items + file.ledger[.duplicate].items
                - (file.isCurrent ? file.report.repeated : 0)
        }
        return .tripIDs(
            repeated: first.map { (place($0.earlier).text, place($0.later).text) },
            count: Int(older),
            accepted: acceptedCount
        )
    }

    /// The finding of two files in force with one content, whose ids occur twice without a
    /// comparison; nil where there are none.
    private var repeatedContentCheck: CheckResult? {
        var known: [String: String] = [:]
        for file in files
        where file.isCurrent && file.report.valid.items > 0
            && !sources[file.entry.sourceIndex].hasPositionIDs
        {
            let path = file.entry.path
            guard let other = known.updateValue(path, forKey: file.report.contentHash) else {
                continue
            }
            return .tripIDs(
                isRepeated: true,
                "\(path) has the content of \(other), so that its "
                    + "\(Counted.text(file.report.valid.items, "trip")) come twice, and the "
                    + "pipeline says `trip_ids: unique`"
            )
        }
        return nil
    }

    /// The sources that brought a content which the served generation does not have.
    var newSources: Set<String> {
        let smaller = Set(results.decision.acceptedSmaller.map(\.file))
        let new = files.filter { $0.entry.isNew && !smaller.contains($0.report.file) }
        return Set(new.map { sources[$0.entry.sourceIndex].name })
    }

    /// Fills in what a report says of the files and their trips.
    func describe(in report: inout RunReport, since mart: RunMart) throws {
        for file in files { report.ledger += file.ledger }
        report.files = files.map { ($0.entry.path, $0.ledger) }
        report.rejects = RejectTally.of(rejects, paths: files.map(\.entry.path))
        report.rejectedCorrections = rejects.count(where: \.isCorrection)
        report.newFileCount = files.count(where: \.entry.isNew)
        report.knownFileCount = files.count - report.newFileCount
        report.trips = acceptedCount
        report.previousTrips = mart.previousTrips
        report.takenTrips = files.filter(\.entry.isNew).reduce(0) {
            $0 + $1.ledger[.accepted].items
        }
        report.dataThrough = dataThrough
        report.latestMonth = latestMonth
        report.months = cube.monthSums
        report.moves = MonthMove.since(mart.served, cube.monthGroups)
        report.overrides = overrideNotes
        report.refused = refusals.map { ($0.path, $0.reason) }
        report.skipped = results.plan.skipped.map { ($0, false) }
        report.acceptedSmaller =
            results.decision.acceptedSmaller.map {
                (results.plan.files[$0.file].path, $0.clause)
            } + results.decision.gone.filter(\.isAccepted).map { ($0.path, $0.clause) }
        report.unread =
            results.plan.unread
            + results.decision.refusals.filter { $0.kind == .changed }
            .map { UnreadEntry.changed(results.plan.files[$0.file].path) }
        report.unclaimed = results.plan.unclaimed
        report.overflows = files.reduce(0) { $0 + Int($1.report.overflows) }
        report.takesTripIDsAsUnique = !results.plan.comparesVersions
    }

    /// The contents of the generation; its trips lie elsewhere.
    ///
    /// - Parameters:
    ///   - header: Its own row.
    ///   - setting: The configuration of the plan.
    ///   - clocks: When its sources are overdue.
    ///   - checks: The results of the checks.
    ///   - uri: Where its trips lie.
    /// - Returns: The contents.
    func contents(
        _ header: GenerationHeader,
        _ setting: RunConfiguration,
        _ clocks: SourceClocks,
        _ checks: [CheckResult],
        at uri: String
    ) -> GenerationContents {
        precondition(cube.isWhole, "a check withholds a run with more values than are grouped by")
        var summary = setting.summary(
            header: header,
            files: files.map { sourceFile($0) },
            clocks: clocks,
            cube: cube,
            checks: checks
        )
        var location = TripLocation(
            uri: uri,
            planHash: results.plan.hash,
            resultsHash: results.hash
        )
        (location.months, location.statuses) = (months, statuses)
        summary.tripLocation = location
        return GenerationContents(
            summary: summary,
            shape: setting.classifier.shape,
            batches: [],
            acceptedOrder: [],
            versions: [],
            rejects: rejects,
            rejectTexts: rejectTexts
        )
    }

    private func sourceFile(_ file: File) -> SourceFileEntry {
        let (entry, report) = (file.entry, file.report)
        var stored = SourceFileEntry(
            source: sources[entry.sourceIndex].name,
            path: entry.path,
            sequence: entry.sequence,
            contentHash: entry.contentHash,
            archiveHash: entry.archiveHash,
            archiveSize: report.archiveSize,
            expandedSize: report.expandedSize,
            orderKey: entry.orderKey,
            period: entry.period,
            layout: report.layout,
            recordCount: report.records + report.rejects,
            lineCount: report.lines,
            blankLineCount: report.blankLines,
            status: file.isCurrent ? .current : .withdrawn,
            ledger: file.ledger
        )
        stored.takenIn = entry.takenIn
        return stored
    }
}
