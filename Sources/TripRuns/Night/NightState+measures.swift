import TripDomain
import TripEngine
import TripMart

extension NightState {
    /// The sums of the counted trips that stand and come from some of the files.
    func tonightSums(files: Set<Int>) -> KPISums {
        // The first night, and every full one: the cube has added them up already.
        if files.count == exports.files.count { return cube.total }
        guard let trips else {
            return exports.standing(among: files).compactMap(\.content.totals)
                .reduce(into: KPISums()) { $0 += $1.counted }
        }
        let classOfRule = [TripClass.undetermined] + rules.map(\.tripClass)
        var sums = KPISums()
        for (index, batch) in trips.batches.enumerated() where files.contains(batch.fileIndex) {
            let view = KPIView(batch, shape: shape)
            let leftOut = trips.resolution.accepted.leftOut(batch: index)
            for row in 0..<batch.count
            where (leftOut.isEmpty || !leftOut[row]) && view.isCounted(row) {
                sums.add(
                    tripClass: classOfRule[view.ruleNumber(row)],
                    cost: view.cost(row),
                    miles: view.miles(row)
                )
            }
        }
        return sums
    }
}

extension NightExports {
    /// Those of some files whose records stand, in order of exports.
    func standing(among indexes: Set<Int>) -> [ExportsReading.ReadFile] {
        files.indices.filter { isCurrent[$0] && indexes.contains($0) }.map { files[$0] }
    }

    /// Trips of some files whose keys for a lookup are all there, and those without a match.
    func orphans(lookup: Int, files indexes: Set<Int>) -> (unmatched: Int64, keyed: Int64) {
        var (unmatched, keyed) = (Int64(0), Int64(0))
        for (index, file) in files.enumerated() where indexes.contains(index) {
            unmatched += file.content.lookupTallies[lookup].unmatched
            keyed += file.content.lookupTallies[lookup].keyed
        }
        return (unmatched, keyed)
    }
}
