import TripDomain

/// The outcomes of the versions of trips that have several.
///
/// It applies the same definition as ``TripResolution``, but to labels instead of values.
struct VersionOutcomes {
    let plan: FaultPlan
    let generator: TripGenerator

    /// Moves the versions that are not accepted to their terms.
    func apply(to tallies: inout [FileTally]) {
        for group in plan.groups {
            for (version, term) in zip(group, Self.terms(labels: group.map(\.label))) {
                guard term != .accepted else { continue }
                tallies[version.fileIndex].move(
                    version.trip,
                    regionIndex: generator.regionIndex(of: version.trip),
                    to: term
                )
            }
        }
    }

    /// The terms of versions in order of exports.
    ///
    /// The first version of the last sequence of equal ones is accepted, the first versions of
    /// earlier sequences are superseded, and all others are duplicates.
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
