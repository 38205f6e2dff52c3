public import TripDomain
import TripEngine
import TripRules

/// The trips that one edit moves by itself, or that several edits move only with each other.
public struct EditMove: Sendable, Hashable {
    /// The edit, or what several do.
    public let name: String
    /// What several edits do; nil for one edit.
    public let interplay: Interplay?
    /// Counted trips of which a KPI changes.
    ///
    /// These change their class, basis, region or type, or begin or cease to count. What several
    /// edits do may be less than nothing.
    public private(set) var trips: Int64 = 0
    /// The change of the sums of all trips.
    public private(set) var change = KPISums()
    /// The known cost of the trips whose class changes, or that begin or cease to count.
    public private(set) var costCents: Int64 = 0
    /// The numbers of the first of the trips.
    public private(set) var samples: [Int64] = []
    /// The change of the in-house share after the rows before it, in hundredths of a point; nil
    /// where it is undefined.
    public internal(set) var points: Int64?

    /// Sums up trips.
    ///
    /// - Parameters:
    ///   - name: The edit, or what several do.
    ///   - interplay: What several edits do; nil for one edit.
    ///   - move: The trips.
    ///   - cellKeys: The cell keys, by number less one.
    init(_ name: String, _ interplay: Interplay?, _ move: DifferenceMove, _ cellKeys: [KPICellKey])
    {
        self.name = name
        self.interplay = interplay
        func tripClass(_ cellKey: UInt32) -> TripClass? {
            cellKey == KPICellKeys.none ? nil : cellKeys[Int(cellKey) - 1].tripClass
        }
        for (way, moved) in move.ways {
            let (from, to) = (tripClass(way.from), tripClass(way.to))
            trips += moved.trips
            if let from { change -= KPISums(moved.before, of: from) }
            if let to { change += KPISums(moved.after, of: to) }
            if from != to { costCents += moved.costCents }
            samples += moved.samples.map { Int64($0.number) }
        }
        samples = Array(Set(samples).sorted().prefix(DifferenceMove.Moved.sampleCount))
    }

    /// Sums up rows.
    ///
    /// - Parameters:
    ///   - name: The name of the sum.
    ///   - moves: The rows.
    ///   - now: The sums of all trips before them.
    ///   - planned: The sums of all trips after them.
    init(_ name: String, _ moves: [EditMove], from now: KPISums, to planned: KPISums) {
        self.name = name
        interplay = nil
        for move in moves {
            trips += move.trips
            change += move.change
            costCents += move.costCents
        }
        guard let old = now.inHousePercentHundredths, let new = planned.inHousePercentHundredths
        else { return }
        points = new - old
    }

    /// Whether nothing changes.
    var isEmpty: Bool { trips == 0 && change == KPISums() }
}

/// What several edits do that is not the sum of what each does alone.
public enum Interplay: String, Sendable, CaseIterable {
    /// Trips that no edit moves alone, or that end elsewhere than the one that moves them alone
    /// brings them.
    case together = "Only together"
    /// Trips that several edits move alone, and that stand at each of them; here they are taken
    /// back.
    case repeated = "Moved by several"
    /// Trips that edits move alone, and that stay where they are with all of them; here they are
    /// taken back.
    case cancelled = "Cancel each other"
}

extension SingleEdits {
    /// Finds the trips that each edit moves alone, and those of each interplay.
    ///
    /// Each trip is followed from its old cell to its planned one: the moves of all rows sum up to
    /// what the edits do together.
    ///
    /// - Parameters:
    ///   - trips: Trips that the edits reach, as the generation stores them.
    ///   - before: What they contribute to the KPIs.
    ///   - after: What they contribute with all edits.
    ///   - samples: Their numbers.
    ///   - cellKeys: The numbers of cell keys.
    /// - Returns: The trips of each edit, then, where there are several, of each ``Interplay``.
    /// - Complexity: O(*n* *e*) in the trips and the edits.
    func moves(
        of trips: TripBatch,
        from before: [TripContribution],
        to after: [TripContribution],
        samples: [DifferenceMove.Sample],
        _ cellKeys: KPICellKeys
    ) -> [DifferenceMove] {
        let count = names.count
        var moves = [DifferenceMove](
            repeating: DifferenceMove(),
            count: count + (count > 1 ? Interplay.allCases.count : 0)
        )
        guard count > 1, !before.isEmpty else {
            for row in before.indices { moves[0].add(before[row], after[row], samples[row]) }
            return moves
        }
        let alone = classifiers.map { classifier in
            cellKeys.contributions(
                ClassifiedTrips(
                    classifier.reclassify(trips).batch,
                    classifier.shape,
                    classifier.rules
                )
            )
        }
        for row in before.indices {
            let moving = alone.indices.filter { alone[$0][row] != before[row] }
            for edit in moving { moves[edit].add(before[row], alone[edit][row], samples[row]) }
            let isSum =
                moving.count == 1
                ? alone[moving[0]][row] == after[row] : moving.isEmpty && before[row] == after[row]
            guard !isSum else { continue }
            let interplay: Interplay =
                before[row] == after[row] ? .cancelled : moving.count > 1 ? .repeated : .together
            let index = count + (Interplay.allCases.firstIndex(of: interplay) ?? 0)
            moves[index].add(before[row], after[row], samples[row])
            for edit in moving {
                moves[index].takeBack(before[row], alone[edit][row], samples[row])
            }
        }
        return moves
    }
}

/// How many trips each class gains or loses.
public struct ClassChange: Sendable {
    /// The gain or loss of trips.
    public private(set) var trips: Int64 = 0
    /// The gain or loss of in-house trips.
    public private(set) var inHouse: Int64 = 0
    /// The gain or loss of contracted trips.
    public private(set) var contracted: Int64 = 0
    /// The gain or loss of undetermined trips.
    public private(set) var undetermined: Int64 = 0
    /// The sum of gains and losses without signs: gains of one month do not hide losses of another.
    private(set) var size: Int64 = 0

    /// No trips.
    init() {}

    /// Compares the sums of one group.
    ///
    /// - Parameters:
    ///   - old: The sums before.
    ///   - new: The sums after.
    public init(_ old: KPISums, _ new: KPISums) {
        trips = new.trips - old.trips
        inHouse = new.inHouseTrips - old.inHouseTrips
        contracted = new.contractedTrips - old.contractedTrips
        undetermined = new.undeterminedTrips - old.undeterminedTrips
        size = abs(inHouse) + abs(contracted) + abs(undetermined)
    }

    /// Adds the gains and losses of another group.
    static func += (left: inout ClassChange, right: ClassChange) {
        left.trips += right.trips
        left.inHouse += right.inHouse
        left.contracted += right.contracted
        left.undetermined += right.undetermined
        left.size += right.size
    }
}
