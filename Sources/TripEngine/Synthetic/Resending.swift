import TripDomain

/// Writes one export again with other content, and one under another name.
struct Resending {
    let options: SyntheticOptions
    let maker: TripMaker
    let plan: FaultPlan
    let forms: [ExportFileWriter.Form]
    let names: [String]

    /// Writes the middle export again: without some of its trips, and with other amounts.
    ///
    /// - Returns: What it holds, and what its first sending held; nil without faults.
    func writeResent(
        below folder: String,
        _ tallies: [FileTally]
    ) throws(EngineError) -> (tally: FileTally, first: FileTally)? {
        guard options.hasFaults else { return nil }
        let index = names.count / 2
        let target = folder + "/" + SyntheticMark.resentFolder
        try ExportSink.makeFolder(target)
        let writer = ExportFileWriter(
            maker: maker,
            insertions: plan.insertions[index],
            form: forms[index],
            fileIndex: index,
            revision: ExportFileWriter.Revision(kept: plan.sources[index])
        )
        var fresh = tallies
        fresh[index] = try writer.write(folder: target, path: names[index])
        // The same versions meet the same fates; those in other files are already accounted for.
        for group in plan.groups {
            for (version, term) in zip(group, VersionFates.terms(labels: group.map(\.label)))
            where version.fileIndex == index && term != .accepted {
                fresh[index].move(
                    version.trip,
                    regionIndex: maker.regionIndex(of: version.trip),
                    to: term
                )
            }
        }
        return (fresh[index], tallies[index])
    }

    /// Writes the export after the middle one under another name, packed the other way.
    ///
    /// - Returns: What the copy holds, and what its source held; nil without faults.
    func writeRenamed(
        below folder: String,
        _ tallies: [FileTally]
    ) throws(EngineError) -> (tally: FileTally, source: FileTally)? {
        guard options.hasFaults else { return nil }
        let index = min(names.count - 1, names.count / 2 + 1)
        let target = folder + "/" + SyntheticMark.renamedFolder
        try ExportSink.makeFolder(target)
        var form = forms[index]
        form.isGzip.toggle()
        let name = maker.schedule.files[index].stem + "_copy" + (form.isGzip ? ".csv.gz" : ".csv")
        let writer = ExportFileWriter(
            maker: maker,
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
    /// Every valid record repeats the one it was copied from: versions of one trip within the
    /// source are equal, so that the copy right behind it changes nothing.
    mutating func makeAllDuplicates() {
        add(self[.accepted], to: .duplicate)
        terms[.accepted] = LedgerAmount()
        monthRegions = [MonthRegion](repeating: MonthRegion(), count: monthRegions.count)
        codeCounts = [Int](repeating: 0, count: codeCounts.count)
    }
}
