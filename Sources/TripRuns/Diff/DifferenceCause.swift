import TripDomain

/// The cause why trips contribute something else to the KPIs of a later generation.
public struct DifferenceCause: Sendable, Hashable {
    /// The kinds of causes, in the order in which they are applied.
    public enum Kind: String, Sendable, CaseIterable {
        /// An edit of a reference file.
        case reference
        /// An edit of rules, derived fields, look-ups, or of what is counted.
        case rules
        /// Overrides that expired with newer data, or are in force again.
        case expiry
        /// Several of these, taken together.
        case both
        /// The rest that several edits do: only together, each of them, or against each other.
        case together
        /// Withdrawn trips: their file was replaced or excluded, or no longer contains them.
        case withdrawn
        /// Trips of which another record is accepted.
        case corrected
        /// Trips that the earlier generation did not have, picked up before its data ended.
        case late
        /// Trips picked up after the data of the earlier generation ended.
        case new
        /// The remainder: the record is the same, but gives other values.
        case remainder
        /// All causes in one: the trips of a generation lie elsewhere, so that only its totals are
        /// compared.
        case totals
    }

    /// The kind of cause.
    public let kind: Kind
    /// The name that is shown.
    public let name: String
}

/// The trips of one cause.
struct DifferenceMove: Sendable {
    /// The cell keys that trips move from and to.
    struct Way: Hashable, Sendable {
        let from: UInt32
        let to: UInt32
    }

    /// The trips that move one way.
    struct Moved: Hashable, Sendable {
        /// Trips that move less those that are taken back.
        var trips: Int64 = 0
        /// Their known costs.
        var costCents: Int64 = 0
        /// Their contribution before, to the old cell.
        var before = TripSums()
        /// Their contribution now, to the new cell.
        var after = TripSums()
        /// The first of them.
        var samples: [Sample] = []

        /// Samples kept.
        static let sampleCount = 3
    }

    /// A sample trip.
    struct Sample: Hashable, Comparable, Sendable {
        /// Whether its number is that of the earlier generation.
        let isOfEarlier: Bool
        let number: UInt32

        static func < (left: Sample, right: Sample) -> Bool {
            (left.isOfEarlier ? 0 : 1, left.number) < (right.isOfEarlier ? 0 : 1, right.number)
        }
    }

    private(set) var ways: [Way: Moved] = [:]

    /// Adds a trip; one that contributes the same as before is ignored.
    mutating func add(_ before: TripContribution, _ after: TripContribution, _ sample: Sample) {
        guard before != after else { return }
        let way = Way(from: before.cellKey, to: after.cellKey)
        ways[way, default: Moved()].add(before, after, sample, count: 1)
    }

    /// Takes back a trip that was added elsewhere: it moves from there to where it was before.
    mutating func takeBack(
        _ before: TripContribution,
        _ after: TripContribution,
        _ sample: Sample
    ) {
        guard before != after else { return }
        let way = Way(from: after.cellKey, to: before.cellKey)
        ways[way, default: Moved()].add(after, before, sample, count: -1)
    }

    /// Adds later trips.
    static func += (left: inout DifferenceMove, right: DifferenceMove) {
        for (way, moved) in right.ways { left.ways[way, default: Moved()] += moved }
    }
}

extension DifferenceMove.Moved {
    fileprivate mutating func add(
        _ one: TripContribution,
        _ other: TripContribution,
        _ sample: DifferenceMove.Sample,
        count: Int64
    ) {
        trips += count
        costCents += count * (one.costCents ?? other.costCents ?? 0)
        if samples.count < Self.sampleCount { samples.append(sample) }
        before.add(one)
        after.add(other)
    }

    fileprivate static func += (
        left: inout DifferenceMove.Moved,
        right: DifferenceMove.Moved
    ) {
        left.trips += right.trips
        left.costCents += right.costCents
        left.before += right.before
        left.after += right.after
        left.samples += right.samples.prefix(Self.sampleCount - left.samples.count)
    }
}

extension SingleEdits {
    /// The edits as causes, then what several of them do.
    var causes: [DifferenceCause] {
        let single = zip(names, subjects).map { name, subject in
            switch subject {
            case .reference: DifferenceCause(kind: .reference, name: name)
            case .rules: DifferenceCause(kind: .rules, name: name)
            case .expiry: DifferenceCause(kind: .expiry, name: name)
            case .both: DifferenceCause(kind: .both, name: name)
            }
        }
        let together = Interplay.allCases.map {
            DifferenceCause(kind: .together, name: $0.rawValue)
        }
        return single + (names.count > 1 ? together : [])
    }
}
