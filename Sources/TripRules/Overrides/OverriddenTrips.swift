public import TripDomain

/// The trips of a run that have an override.
///
/// Whether an override has expired is known only when the last trip has been read. So exports are
/// classified by the rules alone, and the few trips with an override get its decision afterwards.
public struct OverriddenTrips: Sendable {
    /// The position of the trip of each override, in the order of the list; nil where no trip has
    /// the id.
    public let positions: [TripPosition?]
    /// The greatest pick-up date accepted, up to the last day asked for; nil without such a trip.
    public let dataThrough: CivilDate?

    /// Finds the trips.
    ///
    /// - Parameters:
    ///   - list: The overrides.
    ///   - batches: All valid trips.
    ///   - accepted: Which versions of them are in force.
    ///   - shape: Their columns.
    ///   - lastDay: The day after which a pick-up is no sign of how far the data goes; nil where
    ///     every pick-up is one.
    ///   - threadCount: Threads to use; the result does not depend on it.
    /// - Complexity: O(*n*) in the trips.
    public init(
        _ list: OverrideList,
        in batches: [PackedBatch],
        accepted: AcceptedTrips,
        shape: TripShape,
        lastDay: CivilDate?,
        threadCount: Int
    ) {
        let limit = lastDay.map { (Int64($0.dayNumber) + 1) * CivilTime.daySeconds } ?? .max
        let found = Parallel.map(batches.count, threads: threadCount) { batch in
            Self.find(
                list,
                batches[batch],
                leavingOut: accepted.leftOut(batch: batch),
                shape: shape,
                before: limit
            )
        }
        var positions = [TripPosition?](repeating: nil, count: list.overrides.count)
        for (batch, one) in found.enumerated() {
            for (override, row) in one.rows {
                positions[override] = TripPosition(batch: UInt32(batch), row: UInt32(row))
            }
        }
        self.positions = positions
        dataThrough = found.compactMap(\.last).max().map { CivilTime.date(ofSeconds: $0) }
    }

    private static func find(
        _ list: OverrideList,
        _ batch: PackedBatch,
        leavingOut leftOut: [Bool],
        shape: TripShape,
        before limit: Int64
    ) -> (rows: [(override: Int, row: Int)], last: Int64?) {
        let ids = batch.columns[shape.tripIDIndex].texts
        let pickups = batch.columns[shape.pickupIndex].integers
        return withExtendedLifetime((ids, pickups)) {
            let (idReader, pickupReader) = (ids.reader, pickups.reader)
            var rows: [(override: Int, row: Int)] = []
            var last: Int64?
            for row in 0..<batch.count where leftOut.isEmpty || !leftOut[row] {
                let pickup = pickupReader[row]
                if pickup < limit { last = max(last ?? .min, pickup) }
                let id = idReader[row].assumingMemoryBound(to: UInt8.self)
                if let place = list.position(of: id) { rows.append((place, row)) }
            }
            return (rows, last)
        }
    }

    /// Classifies the trips of overrides that have not expired.
    ///
    /// - Parameters:
    ///   - batches: All valid trips, classified by the rules.
    ///   - classifier: The classifier that did so; its rules end with those of the list.
    /// - Returns: The trips, with the decisions of the overrides.
    public func deciding(_ batches: [PackedBatch], by classifier: TripClassifier) -> [PackedBatch] {
        guard let list = classifier.overrides else { return batches }
        var numbers: [Int: [Int: UInt16]] = [:]
        for (override, place) in zip(list.overrides, positions) {
            guard let place, override.isInForce(dataThrough) else { continue }
            numbers[Int(place.batch), default: [:]][Int(place.row)] =
                classifier.ruleNumber(of: override)
        }
        var decided = batches
        for (batch, rows) in numbers { decided[batch] = batches[batch].decided(rows) }
        return decided
    }
}

extension TripClassifier {
    /// The same classifier, with the overrides in force that have not expired by a day.
    ///
    /// - Parameter dataThrough: The greatest pick-up date accepted; nil where there are no trips,
    ///   or the day is not known yet: then none is in force.
    /// - Returns: A classifier that gives the trips of these overrides their decision.
    public func overriding(dataThrough: CivilDate?) -> TripClassifier {
        var copy = self
        copy.areInForce = overrides?.overrides.map { $0.isInForce(dataThrough) } ?? []
        return copy
    }

    /// The number of an override's rule.
    ///
    /// - Parameter override: An override of the classifier's own list.
    /// - Returns: Its number among ``rules``.
    public func ruleNumber(of override: ManualOverride) -> UInt16 {
        guard let overrides else { preconditionFailure("an override belongs to a list") }
        return UInt16(ruleSet.rules.count + 1 + overrides.rule(of: override))
    }

    /// The rows of a batch with an override in force, and the number of its rule.
    func overridden(_ batch: TripBatch) -> [(row: Int, rule: UInt16)] {
        guard let overrides, areInForce.contains(true) else { return [] }
        let ids = batch.columns[shape.tripIDIndex].texts
        precondition(ids.codes.count == batch.count, "overrides are found by the ids of trips")
        return ids.pool.bytes.withUnsafeBufferPointer { bytes in
            ids.codes.indices.compactMap { row in
                guard ids.codes[row] != 0 else { return nil }
                let id = UnsafeBufferPointer(rebasing: bytes[ids.pool.range(ids.codes[row])])
                guard let place = overrides.position(of: id), areInForce[place] else { return nil }
                return (row, ruleNumber(of: overrides.overrides[place]))
            }
        }
    }
}
