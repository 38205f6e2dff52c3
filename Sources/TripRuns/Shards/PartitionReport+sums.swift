import TripDomain
import TripEngine
import TripMart
import TripRules

extension PartitionReport {
    /// Takes what the accepted trips add up to, those that were decided by hand one by one.
    ///
    /// - Parameters:
    ///   - rows: All rows of the part.
    ///   - batches: Its trips.
    ///   - resolution: Which of them are accepted.
    ///   - setting: The plan, compiled.
    ///   - lastDay: The last day on which a file was taken in.
    mutating func take(
        _ rows: VersionRows,
        _ batches: [PackedBatch],
        _ resolution: TripResolution,
        _ setting: ShardSetting,
        lastDay: CivilDate?
    ) {
        let shape = setting.versions.shape
        let rules = setting.classifier.rules
        let places = VersionPlaces(batches, shape)
        let byHand = setting.plan.overrides.isEmpty ? [] : rows.narrow("override", rows.trips)
        var leftOut = batches.indices.map { resolution.accepted.leftOut(batch: $0) }
        var start = 0
        for (index, batch) in batches.enumerated() {
            for row in 0..<batch.count where !byHand.isEmpty {
                guard let override = byHand[start + row],
                    leftOut[index].isEmpty || !leftOut[index][row]
                else { continue }
                if leftOut[index].isEmpty {
                    leftOut[index] = [Bool](repeating: false, count: batch.count)
                }
                leftOut[index][row] = true
                let position = TripPosition(batch: UInt32(index), row: UInt32(row))
                take(override: Int(override), position, batches, places, rules)
            }
            start += batch.count
        }
        let totals = TripTotals(
            batches,
            leavingOut: { leftOut[$0] },
            shape: shape,
            rules: rules
        )
        sums.add(totals.finest)
        var counts = TripCounts()
        for (index, batch) in batches.enumerated() {
            let leftOut = resolution.accepted.leftOut(batch: index)
            counts.add(batch, leavingOut: leftOut, shape: shape)
        }
        sums.take(counts)
        lastPickupWithin = Self.lastPickup(batches, resolution, shape, upTo: lastDay)
    }

    /// Takes an accepted trip that was decided by hand.
    private mutating func take(
        override: Int,
        _ position: TripPosition,
        _ batches: [PackedBatch],
        _ places: VersionPlaces,
        _ rules: [RuleEntry]
    ) {
        let batch = batches[Int(position.batch)]
        var others = [Bool](repeating: true, count: batch.count)
        others[Int(position.row)] = false
        var trip = TripTotals(
            [batch],
            leavingOut: { _ in others },
            shape: places.shape,
            rules: rules
        ).finest
        var ref: [UInt8] = []
        places.ref(position).withUnsafeBytes { MartKeys.appendText(ofRef: $0, to: &ref) }
        overridden.append(
            OverriddenTrip(
                override: override,
                ref: String(decoding: ref, as: UTF8.self),
                place: places.place(position),
                cell: trip.cells.first
            )
        )
        trip.cells = []
        sums.add(trip)
    }

    /// The last accepted pick-up up to the end of a day.
    private static func lastPickup(
        _ batches: [PackedBatch],
        _ resolution: TripResolution,
        _ shape: TripShape,
        upTo day: CivilDate?
    ) -> Int64? {
        let end = day.map { (Int64($0.dayNumber) + 1) * CivilTime.daySeconds } ?? .max
        var last: Int64?
        for (index, batch) in batches.enumerated() {
            let leftOut = resolution.accepted.leftOut(batch: index)
            let pickups = batch.columns[shape.pickupIndex].integers
            for row in 0..<batch.count where leftOut.isEmpty || !leftOut[row] {
                guard let pickup = pickups.value(row), pickup < end else { continue }
                last = max(last ?? .min, pickup)
            }
        }
        return last
    }
}

extension FinestSums {
    /// Adds the sums of other trips; only one of both may have cells.
    fileprivate mutating func add(_ other: FinestSums) {
        precondition(cells.isEmpty || other.cells.isEmpty, "cells are not merged here")
        amount += other.amount
        cells += other.cells
        regions = Self.union(regions, other.regions)
        tripTypes = Self.union(tripTypes, other.tripTypes)
        lastPickup = [lastPickup, other.lastPickup].compactMap(\.self).max()
        let (sum, isOver) = absoluteAmounts.addingReportingOverflow(other.absoluteAmounts)
        absoluteAmounts = isOver ? .max : sum
        hasOverflowed = hasOverflowed || other.hasOverflowed || isOver
        overflowing = Self.union(overflowing, other.overflowing)
        overgrowing = Self.union(overgrowing, other.overgrowing)
        if absoluteMeasures.isEmpty {
            absoluteMeasures = other.absoluteMeasures
        } else if !other.absoluteMeasures.isEmpty {
            absoluteMeasures = zip(absoluteMeasures, other.absoluteMeasures).map {
                let (sum, isOver) = $0.addingReportingOverflow($1)
                return isOver ? .max : sum
            }
        }
    }

    private static func union(_ left: [String], _ right: [String]) -> [String] {
        var texts: [[UInt8]: String] = [:]
        for text in left + right { texts[Array(text.utf8)] = text }
        return texts.values.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
