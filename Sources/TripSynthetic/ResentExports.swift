import TripDomain

/// Writes one export again with other content, and one under another name.
struct ResentExports {
    let options: SyntheticOptions
    let generator: TripGenerator
    let plan: FaultPlan
    let forms: [ExportFileWriter.Form]
    let names: [String]

    /// Writes the middle export again: without some of its trips, and with other amounts.
    ///
    /// - Returns: The counts of the new content and of the first sending; nil without faults.
    func writeResent(
        below folder: String,
        _ tallies: [FileTally]
    ) throws(SyntheticFault) -> (tally: FileTally, first: FileTally)? {
        guard options.hasFaults else { return nil }
        let index = names.count / 2
        let target = folder + "/" + SyntheticMark.resentFolder
        try ExportSink.makeFolder(target)
        let writer = ExportFileWriter(
            generator: generator,
            insertions: plan.insertions[index],
            form: forms[index],
            fileIndex: index,
            revision: ExportFileWriter.Revision(kept: plan.sources[index])
        )
        var fresh = tallies
        fresh[index] = try writer.write(folder: target, path: names[index])
        // The versions have the same outcomes; those in other files are counted already.
        for group in plan.groups {
            for (version, term) in zip(group, VersionOutcomes.terms(labels: group.map(\.label)))
            where version.fileIndex == index && term != .accepted {
                fresh[index].move(
                    version.trip,
                    regionIndex: generator.regionIndex(of: version.trip),
                    to: term
                )
            }
        }
        return (fresh[index], tallies[index])
    }

    /// Writes the export after the middle one under another name, packed the other way.
    ///
    /// - Returns: The counts of the copy and of its source; nil without faults.
    func writeRenamed(
        below folder: String,
        _ tallies: [FileTally]
    ) throws(SyntheticFault) -> (tally: FileTally, source: FileTally)? {
        guard options.hasFaults else { return nil }
        let index = min(names.count - 1, names.count / 2 + 1)
        let target = folder + "/" + SyntheticMark.renamedFolder
        try ExportSink.makeFolder(target)
        var form = forms[index]
        form.isGzip.toggle()
        let suffix = form.isGzip ? ".csv.gz" : ".csv"
        let name = generator.schedule.files[index].stem + "_copy" + suffix
        let writer = ExportFileWriter(
            generator: generator,
            insertions: plan.insertions[index],
            form: form,
            fileIndex: index,
            revision: nil
        )
        var tally = try writer.write(folder: target, path: name)
        tally.makeAllDuplicates()
        return (tally, tallies[index])
    }
}

extension FileTally {
    /// Counts every valid record as a duplicate of the one it was copied from.
    ///
    /// Versions of one trip within the source are equal, so the copy, which comes right after it,
    /// changes nothing.
    mutating func makeAllDuplicates() {
        add(self[.accepted], to: .duplicate)
        terms[.accepted] = LedgerAmount()
        monthRegions = [MonthRegion](repeating: MonthRegion(), count: monthRegions.count)
        codeCounts = [Int](repeating: 0, count: codeCounts.count)
    }
}
