import TripDomain

/// The lines of claims in the account of a run.
///
/// A trip's amount is the sum over its lines. In the ledger each line keeps its own: that of the
/// base line is `accepted`, those of the others are `merged`, each in its own file.
struct LineAccount {
    /// A trip, by the file and the record of its base line.
    struct TripKey: Hashable {
        let file: Int
        let record: Int
    }

    /// All lines that are no trip, with their terms.
    private(set) var versions: [TripVersion] = []
    /// Per file, the amounts that its accepted trips have from lines merged into them.
    private(set) var acceptedCents: [Int64]
    /// The same of each trip that is not accepted.
    private(set) var centsOfTrip: [TripKey: Int64] = [:]

    /// Computes the account.
    ///
    /// - Parameters:
    ///   - exports: All files read.
    ///   - terms: The trips that are not accepted, with their terms.
    /// - Complexity: O(*n*) in the lines.
    init(_ exports: ClassifiedExports, terms: [TripKey: LedgerTerm]) {
        acceptedCents = [Int64](repeating: 0, count: exports.files.count)
        for file in exports.files {
            versions += file.content.lines.setAside
            for line in file.content.lines.merged {
                let key = TripKey(file: line.tripFile, record: line.tripRecord)
                let cents = line.version.amountCents ?? 0
                guard let term = terms.isEmpty ? nil : terms[key] else {
                    acceptedCents[line.tripFile] += cents
                    versions.append(line.version)
                    continue
                }
                // The line goes where its trip goes.
                centsOfTrip[key, default: 0] += cents
                versions.append(line.version.with(term))
            }
        }
    }
}

extension TripVersion {
    /// The same version with another term.
    fileprivate func with(_ term: LedgerTerm) -> TripVersion {
        TripVersion(
            tripID: tripID,
            term: term,
            fileIndex: fileIndex,
            recordNumber: recordNumber,
            lineNumber: lineNumber,
            amountCents: amountCents
        )
    }
}
