public import TripDomain

/// The lines of all claims of one source, joined into trips.
///
/// The result depends on the lines and on the order of exports alone.
public struct JoinedClaims: Sendable {
    /// A line that was merged into the trip of its claim.
    public struct Merged: Sendable, Hashable {
        /// The line.
        public let line: TripPosition
        /// The base line of its trip.
        public let trip: TripPosition
    }

    /// A line that is in no trip, with its term.
    public struct SetAside: Sendable, Hashable {
        /// The line.
        public let line: TripPosition
        /// `duplicate`, `superseded` or `withdrawn`.
        public let term: LedgerTerm
        /// The base line of the trip that it was a part of; the line itself where there is none.
        public let trip: TripPosition
    }

    /// A line that cannot be joined.
    public struct Fault: Sendable, Hashable {
        /// The line.
        public let line: TripPosition
        /// The base line of a trip of its claim; nil where the claim has none.
        public let trip: TripPosition?
        /// The field that failed; of a line without its base line, the first shared field in which
        /// the base lines of its claim differ; nil where the claim has none.
        public let field: String?
        /// Why it is set aside.
        public let reason: RejectReason
    }

    /// The trips, of each batch that has any, in order of exports: the fields of their base lines
    /// with the sums over all lines; not classified yet.
    public let trips: [TripBatch]
    /// The lines merged into a trip, in order of exports.
    public let merged: [Merged]
    /// The lines of no trip in force, in order of exports.
    public let setAside: [SetAside]
    /// The lines that cannot be joined, in order of exports.
    public let faults: [Fault]
    /// Pairs of files of which a claim of the later one replaced one of the earlier, by index.
    public let replacedFiles: Set<SharedIDs.FilePair>

    /// Base lines whose trips a later version of their claim lacks, with the first line of that
    /// version.
    public let lost: [(earlier: TripPosition, later: TripPosition)]

    /// The first line of each replacement and void of which no claim is here that it replaces or
    /// voids, in order of exports.
    public let unmatched: [TripPosition]

    /// Joins the lines of a source.
    ///
    /// - Parameters:
    ///   - delivered: The lines.
    ///   - shape: Their columns.
    ///   - threadCount: Threads to use; the result does not depend on it.
    /// - Complexity: O(*n* log *n*) in the lines; some 100 bytes for each.
    public init(_ delivered: DeliveredLines, shape: TripShape, threadCount: Int) {
        let claimLines = ClaimLines(delivered, shape: shape)
        let claims = ClaimGroups(claimLines)
        // Enough pieces that no thread waits long for another.
        let pieceCount = 64
        let states = Parallel.map(pieceCount, threads: threadCount) { piece in
            let range = claims.count * piece / pieceCount..<claims.count * (piece + 1) / pieceCount
            return range.map { ClaimVersions.state(of: claims[$0], claimLines) }
        }.flatMap(\.self)
        let unmatched = states.flatMap(\.references).filter { reference in
            reference.claims.allSatisfy { claims[Int($0)].isEmpty }
        }
        let terms = ReplacedClaims(states).terms
        let outcomes = Parallel.map(pieceCount, threads: threadCount) { piece in
            let range = claims.count * piece / pieceCount..<claims.count * (piece + 1) / pieceCount
            return range.reduce(into: ClaimOutcome()) { outcome, claim in
                outcome.add(states[claim], term: terms[claim], claimLines)
            }
        }
        var outcome = ClaimOutcome()
        for piece in outcomes { outcome.append(piece) }
        outcome.sort()
        let positions = claimLines.positions
        merged = outcome.trips.flatMap { trip in
            trip.merged.map { Merged(line: positions[$0], trip: positions[trip.base]) }
        }.sorted { $0.line < $1.line }
        setAside = outcome.setAside.map {
            SetAside(line: positions[$0.line], term: $0.term, trip: positions[$0.trip])
        }
        let orphans = outcome.orphans.map { orphan in
            Fault(
                line: positions[orphan.line],
                trip: orphan.trip.map { positions[$0] },
                field: orphan.field.map { delivered.definition.shared[$0] },
                reason: .orphanLine
            )
        }
        let excessive = outcome.excessive.map { excess in
            Fault(
                line: positions[excess.line],
                trip: positions[excess.trip],
                field: delivered.definition.sums[excess.field].field,
                reason: .outOfRange
            )
        }
        self.unmatched = unmatched.map { positions[$0.line] }.sorted { $0 < $1 }
        lost = outcome.lost.map { (positions[$0.earlier], positions[$0.later]) }
        faults = (claimLines.faults + orphans + excessive).sorted { $0.line < $1.line }
        replacedFiles = Set(
            outcome.replacements.map { pair in
                SharedIDs.FilePair(
                    earlier: delivered.batches[Int(positions[pair.earlier].batch)].fileIndex,
                    later: delivered.batches[Int(positions[pair.later].batch)].fileIndex
                )
            }
        )
        trips = SummedTrips(outcome.trips, claimLines, delivered, shape).batches
    }
}

extension TripPosition {
    /// Whether a trip was read before another.
    static func < (left: TripPosition, right: TripPosition) -> Bool {
        left.batch != right.batch ? left.batch < right.batch : left.row < right.row
    }
}

/// The lines of each claim, in order of exports.
private struct ClaimGroups: Sendable {
    private let lines: [UInt32]
    private let starts: [Int]

    /// The number of claims; the claim of number 0 has no lines.
    var count: Int { starts.count - 1 }

    init(_ claimLines: ClaimLines) {
        var starts = [Int](repeating: 0, count: claimLines.claimCount + 2)
        for claim in claimLines.claims { starts[Int(claim) + 1] += 1 }
        for claim in 1..<starts.count { starts[claim] += starts[claim - 1] }
        var next = starts
        var lines = [UInt32](repeating: 0, count: claimLines.claims.count)
        for (line, claim) in claimLines.claims.enumerated() {
            lines[next[Int(claim)]] = UInt32(line)
            next[Int(claim)] += 1
        }
        self.lines = lines
        self.starts = starts
    }

    subscript(claim: Int) -> ArraySlice<UInt32> { lines[starts[claim]..<starts[claim + 1]] }
}
