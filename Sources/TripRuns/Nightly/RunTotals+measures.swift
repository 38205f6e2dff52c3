import TripDomain
import TripEngine
import TripMart
import TripRules

extension RunTotals {
    /// The input of the checks, for some of the files.
    ///
    /// - Parameters:
    ///   - files: The indexes of the files in order of exports.
    ///   - areAll: Whether they are all files, and were known before.
    /// - Returns: Their account, sums and look-ups.
    func measured(files: Set<Int>, areAll: Bool) -> MeasuredTrips {
        var ledger = Ledger()
        var records: Int64 = 0
        var tallies: [TripClassifier.LookupTally] = []
        for (index, file) in exports.files.enumerated() where files.contains(index) {
            ledger += runLedger.ledgers[index]
            records += Int64(file.summary.counts.records + file.summary.counts.rejects)
            if tallies.isEmpty {
                tallies = file.content.lookupTallies
            } else {
                for (lookup, tally) in file.content.lookupTallies.enumerated() {
                    tallies[lookup] += tally
                }
            }
        }
        return MeasuredTrips(
            areAll: areAll,
            ledger: ledger,
            records: records,
            sums: countedSums(files: files),
            regions: exports.inForce(among: files).reduce(into: RegionComparison()) {
                $0 += $1.content.regions
            },
            tallies: tallies,
            dataThrough: cube.dataThrough,
            latestMonth: cube.latestMonth
        )
    }

    /// The sums of the counted trips in force that come from some of the files.
    private func countedSums(files: Set<Int>) -> KPISums {
        // In the first run, and in every full one, the cube has these sums already.
        if files.count == exports.files.count { return cube.total }
        guard let trips else {
            return exports.inForce(among: files).compactMap(\.content.totals)
                .reduce(into: KPISums()) { $0 += $1.counted }
        }
        let classOfRule = [TripClass.undetermined] + rules.map(\.tripClass)
        var sumsOfRule = [TripSums](repeating: TripSums(), count: classOfRule.count)
        for (index, batch) in trips.batches.enumerated() where files.contains(batch.fileIndex) {
            let view = KPIView(batch, shape: shape)
            let leftOut = trips.resolution.accepted.leftOut(batch: index)
            for row in 0..<batch.count
            where (leftOut.isEmpty || !leftOut[row]) && view.isCounted(row) {
                sumsOfRule[view.ruleNumber(row)]
                    .add(cost: view.cost(row), miles: view.miles(row))
            }
        }
        return zip(sumsOfRule, classOfRule).reduce(into: KPISums()) { $0.add($1.0, of: $1.1) }
    }
}

extension ClassifiedExports {
    /// The files among these whose records are in force, in order of exports.
    func inForce(among indexes: Set<Int>) -> [ExportsReading.ReadFile] {
        files.indices.filter { isCurrent[$0] && indexes.contains($0) }.map { files[$0] }
    }
}
