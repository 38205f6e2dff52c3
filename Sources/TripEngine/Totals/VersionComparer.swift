import TripDomain

/// Compares versions of trips by their values.
struct VersionComparer: Sendable {
    let batches: [TripBatch]
    let shape: TripShape
    let orderColumn: Int?
    /// The columns two versions must agree on to be equal: the declared fields.
    private let fieldIndexes: [Int]

    init(batches: [TripBatch], shape: TripShape, orderColumn: Int?) {
        self.batches = batches
        self.shape = shape
        self.orderColumn = orderColumn
        fieldIndexes = shape.columns.indices.filter { !shape.columns[$0].isDerived }
    }

    /// Resolves the versions of one partition: all versions of a trip id are in the same one.
    func resolve(_ part: [HashedPlace]) -> PartitionResult {
        // The place breaks ties, so versions of one id come out in order of exports.
        let sorted = part.sorted { left, right in
            left.hash != right.hash ? left.hash < right.hash : isBefore(left.place, right.place)
        }
        var result = PartitionResult()
        result.accepted.reserveCapacity(sorted.count)
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted[end].hash == sorted[start].hash { end += 1 }
            if end == start + 1 {
                result.accepted.append(sorted[start].place)
            } else {
                resolve(sameHash: sorted[start..<end].map(\.place), into: &result)
            }
            start = end
        }
        return result
    }

    /// Resolves versions whose ids have one hash: first told apart by the ids themselves.
    private func resolve(sameHash places: [TripPlace], into result: inout PartitionResult) {
        var rest = places
        while let first = rest.first {
            let versions = rest.filter { tripID($0).elementsEqual(tripID(first)) }
            if versions.count < rest.count {
                rest.removeAll { tripID($0).elementsEqual(tripID(first)) }
            } else {
                rest = []
            }
            resolve(versions: inExportOrder(versions), into: &result)
        }
    }

    /// Collapses runs of equal versions and accepts the first of the last run.
    private func resolve(versions: [TripPlace], into result: inout PartitionResult) {
        var runStart = versions[0]
        for version in versions.dropFirst() {
            if isEqual(version, runStart) {
                result.setAside.append((version, .duplicate))
            } else {
                result.setAside.append((runStart, .superseded))
                runStart = version
            }
        }
        result.accepted.append(runStart)
    }

    private func inExportOrder(_ versions: [TripPlace]) -> [TripPlace] {
        guard let orderColumn else { return versions }
        func order(_ place: TripPlace) -> ArraySlice<UInt8> {
            text(place, orderColumn)
        }
        return versions.sorted { left, right in
            let (first, second) = (order(left), order(right))
            return first.elementsEqual(second)
                ? isBefore(left, right) : first.lexicographicallyPrecedes(second)
        }
    }

    /// Whether every declared field of two versions is equal.
    func isEqual(_ left: TripPlace, _ right: TripPlace) -> Bool {
        fieldIndexes.allSatisfy { index in
            let first = batches[Int(left.batch)].columns[index]
            let second = batches[Int(right.batch)].columns[index]
            let (row, otherRow) = (Int(left.row), Int(right.row))
            switch (first, second) {
            case (.text(let first), .text(let second)):
                let (code, otherCode) = (first.codes[row], second.codes[otherRow])
                return (code == 0) == (otherCode == 0)
                    && first.pool.slice(code).elementsEqual(second.pool.slice(otherCode))
            case (.integer(let first), .integer(let second)):
                return first.value(row) == second.value(otherRow)
            case (.real(let first), .real(let second)):
                return first.isNull(row) == second.isNull(otherRow)
                    && first.values[row] == second.values[otherRow]
            default:
                preconditionFailure("a column has one kind in all batches")
            }
        }
    }

    /// Sorts accepted trips by local pick-up time, then by trip id.
    ///
    /// Months are sorted apart from each other, which is what threads share.
    func sortedByPickup(_ places: [TripPlace], threadCount: Int) -> [TripPlace] {
        let pickups = batches.map { $0.columns[shape.pickupIndex].integers.values }
        // About a month: any division of time will do, as long as buckets keep its order.
        let span = 30 * CivilTime.daySeconds
        let buckets = places.map { place in
            CivilTime.floorDivide(pickups[Int(place.batch)][Int(place.row)], span)
        }
        guard let first = buckets.min(), let last = buckets.max() else { return [] }
        // Years apart in one run are a mistake in some date; then one bucket has to do.
        let isDense = last - first < 100_000
        var timed = [[TimedPlace]](repeating: [], count: isDense ? Int(last - first) + 1 : 1)
        for (place, bucket) in zip(places, buckets) {
            timed[isDense ? Int(bucket - first) : 0].append(
                TimedPlace(seconds: pickups[Int(place.batch)][Int(place.row)], place: place)
            )
        }
        let parts = timed
        return ParallelWork.map(count: parts.count, threadCount: threadCount) { index in
            parts[index].sorted { left, right in
                left.seconds != right.seconds
                    ? left.seconds < right.seconds
                    : tripID(left.place).lexicographicallyPrecedes(tripID(right.place))
            }.map(\.place)
        }.flatMap { $0 }
    }

    /// A place with what it is sorted by.
    private struct TimedPlace {
        let seconds: Int64
        let place: TripPlace
    }

    /// Sorts versions by trip id, then in order of exports.
    func sortedByTripID(
        _ versions: [(place: TripPlace, term: LedgerTerm)]
    ) -> [(place: TripPlace, term: LedgerTerm)] {
        versions.sorted { left, right in
            let (first, second) = (tripID(left.place), tripID(right.place))
            return first.elementsEqual(second)
                ? isBefore(left.place, right.place) : first.lexicographicallyPrecedes(second)
        }
    }

    func tripID(_ place: TripPlace) -> ArraySlice<UInt8> {
        text(place, shape.tripIDIndex)
    }

    private func text(_ place: TripPlace, _ index: Int) -> ArraySlice<UInt8> {
        let column = batches[Int(place.batch)].columns[index].texts
        return column.pool.slice(column.codes[Int(place.row)])
    }

    private func isBefore(_ left: TripPlace, _ right: TripPlace) -> Bool {
        left.batch != right.batch ? left.batch < right.batch : left.row < right.row
    }
}
