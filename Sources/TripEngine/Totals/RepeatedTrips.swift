internal import TripDomain

/// Finds the trips that occur more than once, which are few.
///
///     batch 0   | part 0 | part 1 | …     entries: 32 bits of the id's hash, 32 bits of the row
///     batch 1   | part 0 | part 1 | …
///                  └──────┴─ one part of all batches fits the cache
///
/// A hash table per part finds the repetitions.
///
/// Ids are compared byte by byte wherever hashes are equal.
struct RepeatedTrips {
    /// A part of a large run holds some 40,000 trips, whose table stays in the second-level cache.
    static let partSize = 40_000

    private let batches: [PackedBatch]
    private let ids: [PackedTexts.Reader]
    /// Per batch, the number of its first row among all rows.
    private let firstRows: [Int]
    private let partBits: Int

    init(batches: [PackedBatch], tripIDIndex: Int) {
        self.batches = batches
        ids = batches.map { $0.columns[tripIDIndex].texts.reader }
        var firstRows: [Int] = []
        var count = 0
        for batch in batches {
            firstRows.append(count)
            count += batch.count
        }
        precondition(count < 1 << 32, "a row's number fits 32 bits")
        self.firstRows = firstRows
        var bits = 0
        while count >> bits > Self.partSize { bits += 1 }
        partBits = bits
    }

    /// The positions of each trip id that occurs more than once, by trip id.
    ///
    /// - Complexity: O(*n*) in the trips, 8 bytes for each; O(*m* log *m*) in the repeated trips,
    ///   26 bytes for each of them and 8 for each of their positions.
    func groups(threadCount: Int) -> RepeatedGroups {
        var groups = found(threadCount: threadCount)
        groups.sort { ids[Int($0.batch)][Int($0.row)] }
        return groups
    }

    private func found(threadCount: Int) -> RepeatedGroups {
        let divided = Parallel.map(batches.count, threads: threadCount) {
            divide(batch: $0)
        }
        return Parallel.map(1 << partBits, threads: threadCount) {
            repetitions(part: $0, of: divided)
        }.reduce(into: RepeatedGroups()) { $0.append($1) }
    }

    /// The entries of one batch, part by part.
    private struct Divided: Sendable {
        let entries: [UInt64]
        /// Where each part begins in `entries`, and where the last ends.
        let starts: [Int]
    }

    private func divide(batch: Int) -> Divided {
        let reader = ids[batch]
        let count = batches[batch].count
        let partCount = 1 << partBits
        let hashes = (0..<count).map { textHash(reader[$0].assumingMemoryBound(to: UInt8.self)) }
        var starts = [Int](repeating: 0, count: partCount + 1)
        for hash in hashes { starts[part(of: hash) + 1] += 1 }
        for part in 0..<partCount { starts[part + 1] += starts[part] }
        var next = starts
        // Every row has an element of its own within the range of its part.
        let entries = [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
            for row in 0..<count {
                let part = part(of: hashes[row])
                // The upper half of the hash; the lower bits have chosen the part.
                buffer.initializeElement(
                    at: next[part],
                    to: (hashes[row] & ~0xFFFF_FFFF) | UInt64(firstRows[batch] + row)
                )
                next[part] += 1
            }
            filled = count
        }
        return Divided(entries: entries, starts: starts)
    }

    private func part(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash) & (1 << partBits - 1)
    }

    private func repetitions(part: Int, of divided: [Divided]) -> RepeatedGroups {
        var entries: [UInt64] = []
        entries.reserveCapacity(divided.reduce(0) { $0 + $1.starts[part + 1] - $1.starts[part] })
        for batch in divided {
            entries += batch.entries[batch.starts[part]..<batch.starts[part + 1]]
        }
        var size = 16
        while size < 2 * entries.count { size *= 2 }
        // Per slot, the index of an entry plus one; 0 is free.
        var slots = [UInt32](repeating: 0, count: size)
        var positionsOfFirst: [Int: [TripPosition]] = [:]
        for (index, entry) in entries.enumerated() {
            var slot = Int(entry >> 32) & (size - 1)
            while slots[slot] != 0 {
                let first = Int(slots[slot]) - 1
                if entries[first] >> 32 == entry >> 32 {
                    let (known, position) = (self.position(entries[first]), self.position(entry))
                    if isSameID(known, position) {
                        positionsOfFirst[first, default: [known]].append(position)
                        break
                    }
                }
                slot = (slot + 1) & (size - 1)
            }
            if slots[slot] == 0 { slots[slot] = UInt32(index + 1) }
        }
        // The order does not matter here: groups are sorted when all parts are joined.
        return positionsOfFirst.values.reduce(into: RepeatedGroups()) { $0.append($1) }
    }

    private func position(_ entry: UInt64) -> TripPosition {
        let row = Int(entry & 0xFFFF_FFFF)
        // The last batch that begins at or before the row; empty batches begin where the next does.
        var (low, high) = (0, firstRows.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if firstRows[middle] <= row { low = middle } else { high = middle }
        }
        return TripPosition(batch: UInt32(low), row: UInt32(row - firstRows[low]))
    }

    private func isSameID(_ left: TripPosition, _ right: TripPosition) -> Bool {
        let first = ids[Int(left.batch)][Int(left.row)]
        let second = ids[Int(right.batch)][Int(right.row)]
        return isEqualText(first, second)
    }
}

/// The positions of trips that have several versions, trip by trip, in one array.
struct RepeatedGroups: Sendable {
    /// The positions of each trip, in order of exports; the trips in the order they were found.
    private var positions: [TripPosition] = []
    /// The end of each trip's range in `positions`, in the order the trips were found.
    private var ends: [UInt32] = []
    /// The sorted trips, each by its index in the order they were found.
    private var order: [UInt32] = []

    /// The number of trips.
    var count: Int { ends.count }

    /// The positions of one trip: two or more, in order of exports.
    subscript(index: Int) -> ArraySlice<TripPosition> {
        found(Int(order[index]))
    }

    private func found(_ index: Int) -> ArraySlice<TripPosition> {
        positions[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
    }

    mutating func append(_ group: [TripPosition]) {
        order.append(UInt32(ends.count))
        positions += group
        ends.append(UInt32(positions.count))
    }

    mutating func append(_ others: RepeatedGroups) {
        let (positionCount, tripCount) = (UInt32(positions.count), UInt32(ends.count))
        positions += others.positions
        ends += others.ends.lazy.map { positionCount + $0 }
        order += others.order.lazy.map { tripCount + $0 }
    }

    /// Sorts the trips by their ids.
    ///
    /// - Parameter id: The id at a position; ids are equal exactly for versions of the same trip.
    /// - Complexity: O(*n* log *n*) in the trips; 18 bytes for each.
    mutating func sort(by id: (TripPosition) -> UnsafeRawBufferPointer) {
        // The first sixteen bytes mostly decide. They are in one array, while ids are scattered.
        let heads = (0..<UInt32(count)).map { textHead(firstID($0, id)) }
        order = (0..<UInt32(count)).sorted { left, right in
            let (first, second) = (heads[Int(left)], heads[Int(right)])
            if first != second { return first < second }
            return precedesText(firstID(left, id), firstID(right, id))
        }
    }

    private func firstID(
        _ index: UInt32,
        _ id: (TripPosition) -> UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let group = found(Int(index))
        return id(group[group.startIndex])
    }
}
