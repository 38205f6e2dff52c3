internal import TripDomain

/// Sorts trips in stored order: by local pick-up time, then by trip id.
///
/// Trips are distributed to spans of time, which are in order and are sorted separately:
///
///     pieces of the batches    1. count per span   2. distribute positions to their spans
///     spans of time            3. sort each
///
/// Since no two trips have the same id, the order is total and independent of pieces and threads.
struct StoredOrder {
    private let batches: [PackedBatch]
    private let pickups: [PackedIntegers.Reader]
    private let ids: [PackedTexts.Reader]
    private let accepted: AcceptedTrips

    init(batches: [PackedBatch], shape: TripShape, accepted: AcceptedTrips) {
        self.batches = batches
        pickups = batches.map { $0.columns[shape.pickupIndex].integers.reader }
        ids = batches.map { $0.columns[shape.tripIDIndex].texts.reader }
        self.accepted = accepted
    }

    /// The positions of all accepted trips, in order.
    ///
    /// - Complexity: O(*n* log *n*) in the trips; 8 bytes for each.
    func positions(threadCount: Int) -> [TripPosition] {
        let extents = Parallel.map(batches.count, threads: threadCount) {
            extent(batch: $0)
        }.compactMap(\.self)
        guard let first = extents.map(\.first).min(), let last = extents.map(\.last).max() else {
            return []
        }
        let rowCount = batches.reduce(0) { $0 + $1.count }
        let spans = Spans(first: first, last: last, rowCount: rowCount)
        let pieces = batches.runs(count: threadCount)
        let counts = Parallel.map(pieces.count, threads: threadCount) { piece in
            var counts = [Int](repeating: 0, count: spans.count)
            for batch in pieces[piece] {
                each(batch) { _, seconds in counts[spans.number(of: seconds)] += 1 }
            }
            return counts
        }
        var starts = counts
        var total = 0
        var bounds = [0]
        for span in 0..<spans.count {
            for piece in pieces.indices {
                starts[piece][span] = total
                total += counts[piece][span]
            }
            bounds.append(total)
        }
        let (firstIndexes, ends) = (starts, bounds)
        return [TripPosition](unsafeUninitializedCapacity: total) { buffer, filled in
            // Every element of the buffer belongs to one span of one piece, which initialises it;
            // later one piece of work sorts each span.
            nonisolated(unsafe) let positions = buffer
            _ = Parallel.map(pieces.count, threads: threadCount) { piece in
                var next = firstIndexes[piece]
                for batch in pieces[piece] {
                    each(batch) { row, seconds in
                        let span = spans.number(of: seconds)
                        let position = TripPosition(batch: UInt32(batch), row: UInt32(row))
                        positions.initializeElement(at: next[span], to: position)
                        next[span] += 1
                    }
                }
            }
            _ = Parallel.map(spans.count, threads: threadCount) { span in
                sort(
                    UnsafeMutableBufferPointer(rebasing: positions[ends[span]..<ends[span + 1]]),
                    from: spans.start(of: span)
                )
            }
            filled = total
        }
    }

    /// The first and the last pick-up time of a batch's trips.
    private func extent(batch: Int) -> (first: Int64, last: Int64)? {
        var (first, last) = (Int64.max, Int64.min)
        each(batch) { _, seconds in
            first = min(first, seconds)
            last = max(last, seconds)
        }
        return first > last ? nil : (first, last)
    }

    @inline(__always)
    private func each(_ batch: Int, _ body: (_ row: Int, _ seconds: Int64) -> Void) {
        let (pickups, isLeftOut) = (pickups[batch], accepted.leftOut(batch: batch))
        for row in 0..<batches[batch].count {
            if !isLeftOut.isEmpty, isLeftOut[row] { continue }
            body(row, pickups.value(row) ?? 0)
        }
    }

    /// Sorts the trips of one span.
    private func sort(_ positions: UnsafeMutableBufferPointer<TripPosition>, from start: Int64) {
        // The time within the span and the index before sorting, in one word.
        var keys = positions.indices.map { index in
            let position = positions[index]
            let seconds = pickups[Int(position.batch)].value(Int(position.row)) ?? 0
            return UInt64(seconds - start) << 32 | UInt64(index)
        }
        keys.sort()
        let unsorted = Array(positions)
        var index = 0
        while index < keys.count {
            var end = index
            while end < keys.count, keys[end] >> 32 == keys[index] >> 32 {
                positions[end] = unsorted[Int(keys[end] & 0xFFFF_FFFF)]
                end += 1
            }
            if end - index > 1 {
                sortByID(UnsafeMutableBufferPointer(rebasing: positions[index..<end]))
            }
            index = end
        }
    }

    /// Sorts trips of one time by their ids.
    private func sortByID(_ positions: UnsafeMutableBufferPointer<TripPosition>) {
        // The first sixteen bytes mostly decide. They are in one array, while ids are scattered.
        var keyed = positions.map { position in
            KeyedPosition(
                head: textHead(ids[Int(position.batch)][Int(position.row)]),
                position: position
            )
        }
        keyed.withUnsafeMutableBufferPointer { keyed in
            ids.withUnsafeBufferPointer { ids in
                sortHeads(keyed) { left, right in
                    precedesText(
                        ids[Int(left.batch)][Int(left.row)],
                        ids[Int(right.batch)][Int(right.row)]
                    )
                }
            }
        }
        for (index, entry) in keyed.enumerated() { positions[index] = entry.position }
    }

    /// A trip's position with the first bytes of its id, which mostly decide the order.
    private struct KeyedPosition {
        let head: UInt128
        let position: TripPosition
    }

    /// Sorts by insertion where few trips have the same time, as is nearly always the case.
    private func sortHeads(
        _ keyed: UnsafeMutableBufferPointer<KeyedPosition>,
        precedes: (TripPosition, TripPosition) -> Bool
    ) {
        func isBefore(_ left: KeyedPosition, _ right: KeyedPosition) -> Bool {
            left.head == right.head
                ? precedes(left.position, right.position) : left.head < right.head
        }
        guard keyed.count <= 24 else {
            var keyed = keyed
            keyed.sort(by: isBefore)
            return
        }
        for index in 1..<keyed.count {
            let entry = keyed[index]
            var target = index
            while target > 0, isBefore(entry, keyed[target - 1]) {
                keyed[target] = keyed[target - 1]
                target -= 1
            }
            keyed[target] = entry
        }
    }

    /// Even divisions of the time from the first trip to the last.
    private struct Spans {
        let count: Int
        private let first: Int64
        private let width: Int64

        init(first: Int64, last: Int64, rowCount: Int) {
            // At least 64, so that the seconds of a span fit 32 bits for all years a pipeline
            // accepts.
            count = max(64, min(4096, rowCount / 1024))
            self.first = first
            width = (last - first) / Int64(count) + 1
        }

        func number(of seconds: Int64) -> Int { Int((seconds - first) / width) }

        func start(of span: Int) -> Int64 { first + Int64(span) * width }
    }
}
