/// Why trips add something else to the KPIs of a later generation.
struct DifferenceCause: Sendable, Hashable {
    /// The kinds of causes, in the order in which they are taken.
    enum Kind: String, Sendable, CaseIterable {
        /// An edit of a reference file.
        case reference
        /// An edit of rules, derived fields, look-ups, or of what is counted.
        case rules
        /// Overrides that the data has outlived, or has not any more.
        case expiry
        /// Several of these, which cannot be told apart.
        case both
        /// Trips that are no longer there: their file was replaced or held, or says nothing of them.
        case withdrawn
        /// Trips of which another record stands.
        case corrected
        /// Trips that the earlier generation did not have, made before its data ended.
        case late
        /// Trips made after the data of the earlier generation ended.
        case new
        /// What remains: the record is the same, and is read otherwise.
        case remainder
    }

    let kind: Kind
    /// What people read.
    let name: String
}

/// The trips of one cause.
struct DifferenceMove: Sendable {
    /// From which place trips go to which.
    struct Way: Hashable, Sendable {
        let from: UInt32
        let to: UInt32
    }

    /// The trips that go one way.
    struct Moved: Hashable, Sendable {
        var trips: Int64 = 0
        /// What they added before, where they stood.
        var before = PlacedSums()
        /// What they add now, where they stand.
        var after = PlacedSums()
        /// The first of them.
        var samples: [Sample] = []

        /// Samples kept.
        static let sampleCount = 3
    }

    /// A trip to look at.
    struct Sample: Hashable, Comparable, Sendable {
        /// Whether its number is that of the earlier generation.
        let isOfEarlier: Bool
        let number: UInt32

        static func < (left: Sample, right: Sample) -> Bool {
            (left.isOfEarlier ? 0 : 1, left.number) < (right.isOfEarlier ? 0 : 1, right.number)
        }
    }

    private(set) var ways: [Way: Moved] = [:]

    /// Adds a trip; one that adds the same as before is none.
    mutating func add(_ before: PlacedTrip, _ after: PlacedTrip, _ sample: Sample) {
        guard before != after else { return }
        let way = Way(from: before.place, to: after.place)
        ways[way, default: Moved()].add(before, after, sample)
    }

    /// Adds later trips.
    static func += (left: inout DifferenceMove, right: DifferenceMove) {
        for (way, moved) in right.ways { left.ways[way, default: Moved()] += moved }
    }
}

extension DifferenceMove.Moved {
    fileprivate mutating func add(
        _ one: PlacedTrip,
        _ other: PlacedTrip,
        _ sample: DifferenceMove.Sample
    ) {
        trips += 1
        if samples.count < Self.sampleCount { samples.append(sample) }
        before.add(one)
        after.add(other)
    }

    fileprivate static func += (
        left: inout DifferenceMove.Moved,
        right: DifferenceMove.Moved
    ) {
        left.trips += right.trips
        left.before += right.before
        left.after += right.after
        left.samples += right.samples.prefix(Self.sampleCount - left.samples.count)
    }
}

extension EditSteps {
    /// The steps as causes.
    var causes: [DifferenceCause] {
        zip(names, subjects).map { name, subject in
            switch subject {
            case .reference: DifferenceCause(kind: .reference, name: name)
            case .rules: DifferenceCause(kind: .rules, name: name)
            case .expiry: DifferenceCause(kind: .expiry, name: name)
            case .both: DifferenceCause(kind: .both, name: name)
            }
        }
    }
}
