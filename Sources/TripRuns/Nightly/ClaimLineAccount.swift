import TripDomain

/// A line of a claim that is no trip of its own.
struct ClaimLine: Sendable {
    /// Where the base line of a trip stands.
    struct Place: Hashable {
        let file: Int
        let record: Int
    }

    /// The line with its term, under the id of the trip that it is or was a part of.
    let version: TripVersion
    /// Of a line that was merged into a trip, the base line of that; nil of any other.
    let base: Place?
}

/// The lines of claims in the account of a run.
///
/// A trip's amount is the sum over its lines. In the ledger each line keeps its own: that of the
/// base line is `accepted`, those of the others are `merged`, each in its own file.
struct ClaimLineAccount {
    /// All lines that are no trip, with their terms.
    private(set) var versions: [TripVersion] = []
    /// Per file, the amounts that its accepted trips have from lines merged into them.
    private(set) var acceptedCents: [Int64]
    /// The same of each trip that is not accepted.
    private(set) var centsOfTrip: [ClaimLine.Place: Int64] = [:]

    /// Computes the account.
    ///
    /// - Parameters:
    ///   - exports: All files read.
    ///   - terms: The trips that are not accepted, with their terms.
    /// - Complexity: O(*n*) in the lines.
    init(_ exports: ClassifiedExports, terms: [ClaimLine.Place: LedgerTerm]) {
        acceptedCents = [Int64](repeating: 0, count: exports.files.count)
        for file in exports.files {
            for line in file.content.lines {
                var version = line.version
                if let base = line.base {
                    let cents = version.amountCents ?? 0
                    if let term = terms[base] {
                        // The line goes where its trip goes.
                        version.term = term
                        centsOfTrip[base, default: 0] += cents
                    } else {
                        acceptedCents[base.file] += cents
                    }
                }
                versions.append(version)
            }
        }
    }
}
