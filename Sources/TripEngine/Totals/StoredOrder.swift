internal import TripDomain

/// Puts trips in stored order: by local pick-up time, then by trip id.
///
/// Trips are dealt into spans of time, which keep the order among each other and are sorted apart:
///
///     pieces of the batches    1. count per span   2. deal places into their spans
///     spans of time            3. sort each
///
/// Since no two trips have one id, the order is total: pieces and threads leave no trace in it.
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

    /// All trips that stand, in order.
    ///
    /// - Complexity: O(*n* log *n*) in the trips; 8 bytes for each.
    func places(threadCount: Int) -> [TripPlace] {
        let extents = ParallelWork.map(count: batches.count, threadCount: threadCount) {
            extent(batch: $0)
        }.compactMap(\.self)
        guard let first = extents.map(\.first).min(), let last = extents.map(\.last).max() else {
            return []
        }
        let rowCount = batches.reduce(0) { $0 + $1.count }
        let spans = Spans(first: first, last: last, rowCount: rowCount)
        let pieces = batches.runs(count: threadCount)
        let counts = ParallelWork.map(count: pieces.count, threadCount: threadCount) { piece in
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
        let (dealt, ends) = (starts, bounds)
        return [TripPlace](unsafeUninitializedCapacity: total) { buffer, filled in
            // Every place of the buffer belongs to one span of one piece, and is initialised by it;
            // later every span is sorted by one piece of work.
            nonisolated(unsafe) let places = buffer
            _ = ParallelWork.map(count: pieces.count, threadCount: threadCount) { piece in
                var next = dealt[piece]
                for batch in pieces[piece] {
                    each(batch) { row, seconds in
                        let span = spans.number(of: seconds)
                        let place = TripPlace(batch: UInt32(batch), row: UInt32(row))
                        places.initializeElement(at: next[span], to: place)
                        next[span] += 1
                    }
                }
            }
            _ = ParallelWork.map(count: spans.count, threadCount: threadCount) { span in
                sort(
                    UnsafeMutableBufferPointer(rebasing: places[ends[span]..<ends[span + 1]]),
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
    private func sort(_ places: UnsafeMutableBufferPointer<TripPlace>, from start: Int64) {
        // The time within the span and the place before sorting, in one word.
        var keys = places.indices.map { index in
            let place = places[index]
            let seconds = pickups[Int(place.batch)].value(Int(place.row)) ?? 0
            return UInt64(seconds - start) << 32 | UInt64(index)
        }
        keys.sort()
        let dealt = Array(places)
        var index = 0
        while index < keys.count {
            var end = index
            while end < keys.count, keys[end] >> 32 == keys[index] >> 32 {
                places[end] = dealt[Int(keys[end] & 0xFFFF_FFFF)]
                end += 1
            }
            if end - index > 1 {
                sortByID(UnsafeMutableBufferPointer(rebasing: places[index..<end]))
            }
            index = end
        }
    }

    /// Sorts trips of one time by their ids.
    private func sortByID(_ places: UnsafeMutableBufferPointer<TripPlace>) {
        // The first sixteen bytes mostly decide; they lie side by side, where ids do not.
        var keyed = places.map { place in
            KeyedPlace(head: textHead(ids[Int(place.batch)][Int(place.row)]), place: place)
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
        for (index, entry) in keyed.enumerated() { places[index] = entry.place }
    }

    /// A trip with what mostly decides where it stands among others of its time.
    private struct KeyedPlace {
        let head: UInt128
        let place: TripPlace
    }

    /// Sorts by insertion where few have one time, as nearly always.
    private func sortHeads(
        _ keyed: UnsafeMutableBufferPointer<KeyedPlace>,
        precedes: (TripPlace, TripPlace) -> Bool
    ) {
        func isBefore(_ left: KeyedPlace, _ right: KeyedPlace) -> Bool {
            left.head == right.head ? precedes(left.place, right.place) : left.head < right.head
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
            // At least so many that the seconds of one fit 32 bits, for any years a pipeline accepts.
            count = max(64, min(4096, rowCount / 1024))
            self.first = first
            width = (last - first) / Int64(count) + 1
        }

        func number(of seconds: Int64) -> Int { Int((seconds - first) / width) }

        func start(of span: Int) -> Int64 { first + Int64(span) * width }
    }
}
