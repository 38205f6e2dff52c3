import TripDomain
import TripEngine
import TripRules

extension FileReport {
    /// Takes what is known of a file that was read.
    ///
    /// - Parameters:
    ///   - file: The file, its trips added up.
    ///   - setting: The plan, compiled.
    ///   - lastPickups: Per day on which a file was taken in, the last pick-up up to its end.
    mutating func take(
        _ file: ExportsReading.ReadFile,
        _ setting: ShardSetting,
        lastPickups: [Int64?]
    ) {
        let (summary, content) = (file.summary, file.content)
        archiveHash = summary.digest.archiveHash ?? ""
        contentHash = summary.digest.contentHash ?? ""
        archiveSize = Int64(summary.digest.archiveSize)
        expandedSize = Int64(summary.digest.expandedSize)
        endsInLineBreak = summary.digest.endsInLineBreak
        layout = summary.layoutName
        records = Int64(summary.counts.records)
        rejects = Int64(summary.counts.rejects)
        listedRejects = Int64(file.rejects.count)
        lines = Int64(summary.counts.physicalLines)
        blankLines = Int64(summary.counts.blankLines)
        read = summary.read
        for reject in file.rejects {
            rejected += LedgerAmount(
                items: Int64(reject.itemCount),
                cents: reject.amountCents ?? 0,
                unpriced: reject.isUnpriced ? Int64(reject.itemCount) : 0
            )
            if reject.reason == .noUnit { unitless += Int64(reject.itemCount) }
        }
        repeated = summary.repetitions.reduce(0) { $0 + Int64($1.count) }
        let totals = content.totals ?? TripTotals(rules: setting.classifier.rules)
        valid = totals.amount
        countedTrips = totals.counted.trips
        tripOrigins = Origins(
            generated: summary.tripOrigins.generated,
            real: summary.tripOrigins.real
        )
        rejectOrigins = Origins(
            generated: summary.rejectOrigins.generated,
            real: summary.rejectOrigins.real
        )
        lookups = zip(setting.classifier.lookups, content.lookupTallies).map { lookup, tally in
            Lookup(
                name: lookup.definition.name,
                keyed: tally.keyed,
                unmatched: tally.unmatched
            )
        }
        (regionsKnown, regionsDifferent) = (content.regions.known, content.regions.different)
        overflows = Int64(content.overflows)
        guard !setting.plan.comparesVersions else { return }
        sums = totals.finest
        self.lastPickups = zip(setting.days, lastPickups).map {
            LastPickup(day: $0, seconds: $1)
        }
    }
}

extension ExportsReading.ReadFile {
    /// A file of a divided run, as its task reported it: without its trips.
    ///
    /// - Parameters:
    ///   - report: The report, which has no refusal.
    ///   - rejects: The file's rejects.
    ///   - setting: The plan, compiled.
    ///   - path: The report's path, for messages.
    /// - Throws: ``RunError`` with code `noUsableInput` where the report does not fit the plan.
    init(
        _ report: FileReport,
        rejects: [Reject],
        _ setting: ShardSetting,
        path: String
    ) throws(RunError) {
        let classifier = setting.classifier
        let names = classifier.lookups.map(\.definition.name)
        guard report.lookups.map(\.name) == names else {
            throw ShardFile.unfit(path, "lookups", "are other look-ups than those of the plan")
        }
        guard rejects.count == Int(report.listedRejects) else {
            throw ShardFile.unfit(
                path,
                "listed_rejects",
                "is \(report.listedRejects), and the list beside it has \(rejects.count)"
            )
        }
        var totals: TripTotals?
        if let sums = report.sums {
            totals = TripTotals.of(
                sums,
                rules: classifier.rules,
                declared: classifier.shape.declared
            )
            guard totals != nil else {
                throw ShardFile.unfit(path, "sums", "have a class, basis or name of another plan")
            }
        }
        let content = ExportsReading.FileContent(
            ExportsReading.FileContent.ReportedTrips(
                valid: report.valid,
                counted: report.countedTrips
            ),
            totals: totals,
            overflows: Int(report.overflows),
            tallies: report.lookups.map { lookup in
                var tally = TripClassifier.LookupTally()
                (tally.keyed, tally.unmatched) = (lookup.keyed, lookup.unmatched)
                return tally
            },
            regions: RegionComparison(
                known: report.regionsKnown,
                different: report.regionsDifferent
            ),
            tripIDIndex: classifier.shape.tripIDIndex
        )
        self.init(
            entry: setting.entry(
                report.file,
                contentHash: report.contentHash,
                archiveHash: report.archiveHash
            ),
            location: "",
            summary: report.summary(rejects),
            rejectTexts: [],
            content: content
        )
    }
}

extension FileReport {
    fileprivate func summary(_ rejects: [Reject]) -> ExportSummary {
        ExportSummary(
            rejects: rejects,
            repetitions: repetitions.map {
                // The reference stands for the id until the importer opens it.
                RepeatedUnit(
                    tripID: $0.ref,
                    recordNumber: $0.record,
                    lineNumber: $0.line,
                    count: $0.count
                )
            },
            read: read,
            counts: ScanCounts(
                lines: Int(lines),
                blankLines: Int(blankLines),
                records: Int(records),
                rejects: Int(self.rejects)
            ),
            digest: SourceDigest(
                archiveHash: archiveHash,
                archiveSize: Int(archiveSize),
                contentHash: contentHash,
                expandedSize: Int(expandedSize),
                endsInLineBreak: endsInLineBreak
            ),
            layoutName: layout,
            tripOrigins: IDOrigins(generated: tripOrigins.generated, real: tripOrigins.real),
            rejectOrigins: IDOrigins(generated: rejectOrigins.generated, real: rejectOrigins.real)
        )
    }
}
