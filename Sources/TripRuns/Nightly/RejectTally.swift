public import TripDomain

/// Rejects of one reason and field in a run, with the position of the first, and without any
/// content.
public struct RejectTally: Sendable, Hashable {
    /// The reason.
    public let reason: RejectReason
    /// The field that failed; nil where the whole record failed.
    public let field: String?
    /// The number of rejects: records, or trips of one record.
    public private(set) var count: Int
    /// The items of the ledger that they are: a record of several units is as many items.
    public private(set) var itemCount: Int
    /// The position of the first of them.
    public let first: SourcePosition

    private struct Key: Hashable {
        let reason: RejectReason
        let field: String?
    }

    /// Counts rejects by reason and field, the most frequent first.
    ///
    /// - Parameters:
    ///   - rejects: The rejects, in order of exports.
    ///   - paths: The paths of the run's files, by their index in order of exports.
    /// - Returns: The counts; of equal ones, the one whose first reject comes first.
    static func of(_ rejects: some Sequence<Reject>, paths: [String]) -> [RejectTally] {
        var tallies: [RejectTally] = []
        var indexes: [Key: Int] = [:]
        for reject in rejects {
            let key = Key(reason: reject.reason, field: reject.field)
            if let index = indexes[key] {
                tallies[index].count += 1
                tallies[index].itemCount += reject.itemCount
                continue
            }
            indexes[key] = tallies.count
            let place = SourcePosition(
                file: paths[reject.fileIndex],
                recordNumber: reject.recordNumber,
                lineNumber: reject.lineNumber
            )
            tallies.append(
                RejectTally(
                    reason: reject.reason,
                    field: reject.field,
                    count: 1,
                    itemCount: reject.itemCount,
                    first: place
                )
            )
        }
        return tallies.enumerated()
            .sorted { ($1.element.itemCount, $0.offset) < ($0.element.itemCount, $1.offset) }
            .map(\.element)
    }
}
