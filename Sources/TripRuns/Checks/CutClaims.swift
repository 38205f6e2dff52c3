import TripDomain

/// Claims that came again without a trip that they had, although nothing says that it was taken
/// back.
///
/// Mostly their lines lie in several files of one delivery, and the later file alone would count.
struct CutClaims {
    /// How many trips the claims lost.
    let count: Int64
    /// The first of these trips, and the first line of what came after it.
    let first: (earlier: RepeatedIDs.Place, later: RepeatedIDs.Place)?

    /// No such claims: of exports whose lines are not joined.
    static let none = CutClaims(count: 0, first: nil)

    private init(count: Int64, first: (earlier: RepeatedIDs.Place, later: RepeatedIDs.Place)?) {
        (self.count, self.first) = (count, first)
    }

    /// Counts those that some files brought.
    ///
    /// - Parameters:
    ///   - files: Their indexes in order of exports.
    ///   - exports: All files.
    init(of files: Set<Int>, _ exports: ClassifiedExports) {
        let lost = exports.lostTrips.filter { files.contains($0.later.fileIndex) }
        count = Int64(lost.count)
        func place(_ line: TripVersion) -> RepeatedIDs.Place {
            RepeatedIDs.Place(
                path: exports.files[line.fileIndex].entry.path,
                record: line.recordNumber,
                line: line.lineNumber
            )
        }
        first = lost.first.map { (place($0.earlier), place($0.later)) }
    }

    /// What was found, for people; nil where nothing was.
    var finding: String? {
        guard let first else { return nil }
        return "\(Counted.text(count, "trip")) of claims that came again without "
            + "\(count == 1 ? "it" : "them"), and \(count == 1 ? "counts" : "count") no more; first "
            + "\(first.earlier.text), after \(first.later.text): if lines of a claim lie in several "
            + "files of one delivery, let `order` give them the same text"
    }
}
