import TripDomain

/// What becomes of each version of a trip that has several: the rule of the product, applied to
/// labels instead of values.
struct VersionFates {
    let plan: FaultPlan
    let maker: TripMaker

    /// Moves the versions that are not accepted to their terms.
    func apply(to tallies: inout [FileTally]) {
        for group in plan.groups {
            for (version, term) in zip(group, Self.terms(labels: group.map(\.label))) {
                guard term != .accepted else { continue }
                tallies[version.fileIndex].move(
                    version.trip,
                    regionIndex: maker.regionIndex(of: version.trip),
                    to: term
                )
            }
        }
    }

    /// The terms of versions in order of exports: of each run of equal ones the first counts, the
    /// last run's first is accepted, those of earlier runs are superseded.
    static func terms(labels: [Int]) -> [LedgerTerm] {
        var terms: [LedgerTerm] = []
        for (index, label) in labels.enumerated() {
            if index > 0, labels[index - 1] == label {
                terms.append(.duplicate)
            } else if labels[index...].contains(where: { $0 != label }) {
                terms.append(.superseded)
            } else {
                terms.append(.accepted)
            }
        }
        return terms
    }
}
