/// Why trips add something else to the KPIs of a later generation.
struct DifferenceCause: Sendable, Hashable {
    /// The kinds of causes, in the order in which they are taken.
    enum Kind: String, Sendable, CaseIterable {
        /// An edit of a reference file.
        case reference
        /// An edit of rules, derived fields, look-ups, or of what is counted.
        case rules
        /// Trips that are no longer there: their file was replaced or held, or says nothing of them.
        case withdrawn
        /// Trips of which another record stands.
        case corrected
        /// Trips that came late: made before the data of the earlier generation ended.
        case late
        /// Trips made after the data of the earlier generation ended.
        case new
        /// What remains: the record is the same, and is read otherwise.
        case remainder

        /// Whether its trips are numbered as in the earlier generation.
        var isOfEarlier: Bool { [.reference, .rules, .withdrawn].contains(self) }
    }

    let kind: Kind
    /// What people read.
    let name: String
}

/// The trips of one cause.
struct DifferenceMove: Sendable {
    /// From which standing trips go to which.
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
    }

    /// Samples kept.
    static let sampleCount = 3

    private(set) var ways: [Way: Moved] = [:]
    /// The numbers of the first of them; in the later generation, or in the earlier where they are gone.
    private(set) var samples: [UInt32] = []

    /// Adds a trip; one that adds the same as before is none.
    mutating func add(_ before: PlacedTrip, _ after: PlacedTrip, number: UInt32) {
        guard before != after else { return }
        let way = Way(from: before.standing, to: after.standing)
        ways[way, default: Moved()].add(before, after)
        if samples.count < Self.sampleCount { samples.append(number) }
    }

    /// Adds later trips.
    static func += (left: inout DifferenceMove, right: DifferenceMove) {
        for (way, moved) in right.ways {
            left.ways[way, default: Moved()] += moved
        }
        left.samples += right.samples.prefix(sampleCount - left.samples.count)
    }
}

extension DifferenceMove.Moved {
    fileprivate mutating func add(_ one: PlacedTrip, _ other: PlacedTrip) {
        trips += 1
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
    }
}

extension EditSteps {
    /// The steps as causes.
    ///
    /// Reference files come first, so that a step that ends with one has nothing else.
    var causes: [DifferenceCause] {
        zip(names, areReferences).map { name, isReference in
            DifferenceCause(kind: isReference ? .reference : .rules, name: name)
        }
    }
}
