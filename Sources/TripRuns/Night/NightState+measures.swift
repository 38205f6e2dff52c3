import TripDomain
import TripEngine
import TripMart

extension NightState {
    /// The sums of the counted trips that stand and come from some of the files.
    func tonightSums(files: Set<Int>) -> KPISums {
        // The first night, and every full one: the cube has added them up already.
        if files.count == exports.files.count { return cube.total }
        let classOfRule = [TripClass.undetermined] + rules.map(\.tripClass)
        var sums = KPISums()
        for (index, batch) in batches.enumerated() where files.contains(batch.fileIndex) {
            let view = KPIView(batch, shape: shape)
            let leftOut = resolution.accepted.leftOut(batch: index)
            for row in 0..<batch.count
            where (leftOut.isEmpty || !leftOut[row]) && view.isCounted(row) {
                sums.add(
                    tripClass: classOfRule[view.ruleNumber(row)],
                    cost: view.cost?.value(row),
                    miles: view.miles?.value(row)
                )
            }
        }
        return sums
    }

    /// How often the region differs from the one the export itself names, in `export_visn`.
    ///
    /// The export's word never decides. Compared are trips that have both; numbers are compared
    /// as numbers, so that `8` agrees with `08`.
    func regionDisagreement(files: Set<Int>) -> (different: Int64, known: Int64) {
        guard let index = shape.columns.firstIndex(where: { $0.name == "export_visn" }) else {
            return (0, 0)
        }
        var (different, known) = (Int64(0), Int64(0))
        for batch in batches where files.contains(batch.fileIndex) {
            let region = batch.columns[shape.regionIndex].texts
            let named = batch.columns[index].texts
            var agreements: [UInt64: Bool] = [:]
            for row in 0..<batch.count {
                let (code, namedCode) = (Int(region.codes[row]), Int(named.codes[row]))
                guard code != 0, namedCode != 0 else { continue }
                known += 1
                let pair = UInt64(code) << 32 | UInt64(namedCode)
                let agrees =
                    agreements[pair]
                    ?? Self.agree(region.string(code), named.string(namedCode))
                agreements[pair] = agrees
                if !agrees { different += 1 }
            }
        }
        return (different, known)
    }

    private static func agree(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return false }
        if let first = Int(left), let second = Int(right) { return first == second }
        return left == right
    }
}

extension NightExports {
    /// Trips of some files whose keys for a lookup are all there, and those without a match.
    func orphans(lookup: Int, files indexes: Set<Int>) -> (unmatched: Int64, keyed: Int64) {
        var (unmatched, keyed) = (Int64(0), Int64(0))
        for (index, file) in files.enumerated() where indexes.contains(index) {
            for tally in file.lookupTallies {
                unmatched += tally[lookup].unmatched
                keyed += tally[lookup].keyed
            }
        }
        return (unmatched, keyed)
    }
}
