import TripDomain

/// The codes of trip type and region by row.
struct TypeRegionCodes: Sendable {
    /// The codes of one column.
    private struct Column: Sendable {
        /// For each batch, the reader of the pool entry of each row.
        let readers: [PackedIntegers.Reader]
        /// For each batch, the rank of each entry of its pool among the column's codes.
        let ranks: [[UInt32]]
        /// The codes of the column, sorted.
        let codes: [UInt32]
        /// Kept alive for the readers, which point into them.
        let texts: [PackedTexts]

        init(_ texts: [PackedTexts], _ numbers: [[UInt32]]) {
            self.texts = texts
            readers = texts.map(\.codes.reader)
            let codes = Set(numbers.joined()).subtracting([0]).sorted()
            let rank = Dictionary(
                uniqueKeysWithValues: codes.enumerated().map { ($1, UInt32($0)) }
            )
            // An entry that no accepted trip uses has no code, so that no key can contain it.
            ranks = numbers.map { $0.map { rank[$0, default: .max] } }
            self.codes = codes
        }

        @inline(__always)
        func rank(_ trip: TripPosition) -> UInt64 {
            let batch = Int(trip.batch)
            let entry = readers[batch][Int(trip.row)]
            let rank = ranks[batch][Int(truncatingIfNeeded: entry)]
            precondition(rank != .max, "an accepted trip's type and region have codes")
            return UInt64(rank)
        }
    }

    private let order: [TripPosition]
    private let types: Column
    private let regions: Column

    init(_ contents: GenerationContents, _ coding: TextCoding) {
        self.init(contents.acceptedOrder, contents.shape, coding) { index in
            contents.batches.map { $0.columns[index].texts }
        }
    }

    /// - Parameters:
    ///   - revision: The reclassified trips.
    ///   - order: All of them in stored order.
    ///   - coding: The codes of texts.
    init(_ revision: GenerationRevision, order: [TripPosition], _ coding: TextCoding) {
        self.init(order, revision.shape, coding) { index in
            revision.batches.map { $0.column(index).texts }
        }
    }

    private init(
        _ order: [TripPosition],
        _ shape: TripShape,
        _ coding: TextCoding,
        texts: (Int) -> [PackedTexts]
    ) {
        self.order = order
        let columns = [shape.tripTypeIndex, shape.regionIndex].map {
            Column(texts($0), coding.codes[$0, default: []])
        }
        (types, regions) = (columns[0], columns[1])
    }

    var count: Int { order.count }

    /// The number of bits of the keys in use.
    var keyBits: Int {
        let keys = types.codes.count * regions.codes.count
        return keys < 2 ? 0 : Int.bitWidth - (keys - 1).leadingZeroBitCount
    }

    /// The sort key: the rank of the type, then that of the region, among the codes of their
    /// columns.
    ///
    /// Every trip has both: missing values were filled.
    @inline(__always)
    func key(_ row: Int) -> UInt64 {
        let trip = order[row]
        return types.rank(trip) &* UInt64(regions.codes.count) &+ regions.rank(trip)
    }

    /// The two codes of a key.
    func codes(_ key: UInt64) -> (type: UInt32, region: UInt32) {
        let (type, region) = Int(key).quotientAndRemainder(dividingBy: regions.codes.count)
        return (types.codes[type], regions.codes[region])
    }
}

/// The entries of `trip_row_type_region`.
struct TypeRegionEntries: LeafSource {
    private let codes: TypeRegionCodes
    /// The rows in order of type and region.
    private let rows: [UInt32]

    init(_ codes: TypeRegionCodes, rows: [UInt32]) {
        self.codes = codes
        self.rows = rows
    }

    var count: Int { rows.count }
    var columnCount: Int { 3 }

    func encode(_ range: Range<Int>, into leafRun: inout LeafRun) {
        var index = range.lowerBound
        while index < range.upperBound {
            let key = codes.key(Int(rows[index]))
            let end = self.end(of: key, from: index, before: range.upperBound)
            let (type, region) = codes.codes(key)
            for entry in index..<end {
                leafRun.record.append(integer: Int64(type))
                leafRun.record.append(integer: Int64(region))
                leafRun.record.append(integer: Int64(rows[entry]) + 1)
                leafRun.endEntry()
            }
            index = end
        }
    }

    /// The end of the entries with a key, by exponential search: there are few keys, and each
    /// access reads a distant part of memory.
    private func end(of key: UInt64, from index: Int, before limit: Int) -> Int {
        var (low, step) = (index, 1)
        while low + step < limit, codes.key(Int(rows[low + step])) == key {
            low += step
            step *= 2
        }
        var high = min(low + step, limit)
        while high - low > 1 {
            let middle = (low + high) / 2
            if codes.key(Int(rows[middle])) == key { low = middle } else { high = middle }
        }
        return high
    }
}
