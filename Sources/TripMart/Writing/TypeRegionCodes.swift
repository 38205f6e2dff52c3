import TripDomain

/// The codes of trip type and region by row.
struct TypeRegionCodes: Sendable {
    /// The codes of one column.
    private struct Column: Sendable {
        /// For each batch, where each row's code stands in the batch's pool.
        let readers: [PackedIntegers.Reader]
        /// For each batch, the rank of each entry of its pool among the column's codes.
        let ranks: [[UInt32]]
        /// The codes of the column, sorted.
        let codes: [UInt32]
        /// What the readers read.
        let texts: [PackedTexts]

        init(_ texts: [PackedTexts], _ numbers: [[UInt32]]) {
            self.texts = texts
            readers = texts.map(\.codes.reader)
            let codes = Set(numbers.joined()).subtracting([0]).sorted()
            let rank = Dictionary(
                uniqueKeysWithValues: codes.enumerated().map { ($1, UInt32($0)) }
            )
            // What no accepted trip uses has no code: no key can be made of it.
            ranks = numbers.map { $0.map { rank[$0, default: .max] } }
            self.codes = codes
        }

        @inline(__always)
        func rank(_ trip: TripPlace) -> UInt64 {
            let batch = Int(trip.batch)
            let entry = readers[batch][Int(trip.row)]
            let rank = ranks[batch][Int(truncatingIfNeeded: entry)]
            precondition(rank != .max, "an accepted trip's type and region have codes")
            return UInt64(rank)
        }
    }

    private let order: [TripPlace]
    private let types: Column
    private let regions: Column

    init(_ contents: GenerationContents, _ coding: TextCoding) {
        self.init(contents.acceptedOrder, contents.shape, coding) { index in
            contents.batches.map { $0.columns[index].texts }
        }
    }

    /// - Parameters:
    ///   - revision: Trips decided anew.
    ///   - order: All of them in stored order.
    ///   - coding: The codes of texts.
    init(_ revision: GenerationRevision, order: [TripPlace], _ coding: TextCoding) {
        self.init(order, revision.shape, coding) { index in
            revision.batches.map { $0.column(index).texts }
        }
    }

    private init(
        _ order: [TripPlace],
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

    /// How many bits of the keys are in use.
    var keyBits: Int {
        let keys = types.codes.count * regions.codes.count
        return keys < 2 ? 0 : Int.bitWidth - (keys - 1).leadingZeroBitCount
    }

    /// Type before region, as the index has them: their ranks among the codes of their columns.
    ///
    /// A trip has both: what is missing was filled.
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
    /// The rows by type and region.
    private let rows: [UInt32]

    init(_ codes: TypeRegionCodes, rows: [UInt32]) {
        self.codes = codes
        self.rows = rows
    }

    var count: Int { rows.count }
    var columnCount: Int { 3 }

    func encode(_ range: Range<Int>, into strip: inout LeafStrip) {
        var place = range.lowerBound
        while place < range.upperBound {
            let key = codes.key(Int(rows[place]))
            let end = self.end(of: key, from: place, before: range.upperBound)
            let (type, region) = codes.codes(key)
            for entry in place..<end {
                strip.append(integer: Int64(type))
                strip.append(integer: Int64(region))
                strip.append(integer: Int64(rows[entry]) + 1)
                strip.endEntry()
            }
            place = end
        }
    }

    /// Where the entries with a key end: there are few keys, and reading one goes all over memory.
    private func end(of key: UInt64, from place: Int, before limit: Int) -> Int {
        var (low, step) = (place, 1)
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
