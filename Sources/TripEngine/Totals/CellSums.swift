import TripDomain

/// Running sums at the finest grain: month, trip type, region, and class with basis.
struct CellSums: Sendable {
    /// One finest cell by number: month, trip type and region.
    struct Key: Sendable, Hashable {
        let month: Int32
        let tripType: UInt32
        let region: UInt32

        /// Stands, in each part, for all values.
        static let all = Key(month: .min, tripType: .max, region: .max)
    }

    /// Trips, known costs and their count, of one class and basis within one cell.
    struct GroundSums: Sendable {
        var trips: Int64 = 0
        var costedTrips: Int64 = 0
        var costCents: Int64 = 0
    }

    private let grounds: ClassGrounds
    private var slotOfKey: [Key: Int] = [:]
    private var sums: [KPISums] = []
    /// `grounds.count` entries per cell.
    private var groundSums: [GroundSums] = []
    /// Words of accepted trips, counted or not.
    private(set) var seenTripTypes: Set<UInt32> = []
    private(set) var seenRegions: Set<UInt32> = []
    /// The sum of all amounts without their signs.
    ///
    /// While it fits 64 bits, no sum of a part can leave them; once it does not, nothing more is
    /// added and the run is refused.
    private var absoluteCents: Int64 = 0
    private(set) var hasOverflowed = false

    init(grounds: ClassGrounds) {
        self.grounds = grounds
    }

    /// Adds the counted ones among some trips.
    mutating func add(
        _ places: ArraySlice<TripPlace>,
        of batches: [PackedBatch],
        shape: TripShape,
        words: DimensionWords
    ) {
        var seen = (
            types: [Bool](repeating: false, count: words.tripTypes.count),
            regions: [Bool](repeating: false, count: words.regions.count)
        )
        var slots = PairSlots(types: words.tripTypes.count, regions: words.regions.count)
        var month = MonthSpan()
        let views = batches.map { KPIView($0, shape: shape) }
        for place in places {
            let batchIndex = Int(place.batch)
            let row = Int(place.row)
            let tripType = words.tripTypeNumbers[batchIndex][
                Int(views[batchIndex].tripTypeCodes[row])
            ]
            let region = words.regionNumbers[batchIndex][Int(views[batchIndex].regionCodes[row])]
            seen.types[Int(tripType)] = true
            seen.regions[Int(region)] = true
            guard views[batchIndex].isCounted(row) else { continue }
            if month.move(to: views[batchIndex].pickups.value(row) ?? 0) {
                slots.forget()
            }
            let cell = slots.slot(tripType, region) {
                slot(of: Key(month: month.number, tripType: tripType, region: region))
            }
            add(
                slot: cell,
                ground: grounds.numberOfRule[views[batchIndex].ruleNumber(row)],
                cost: views[batchIndex].cost?.value(row),
                miles: views[batchIndex].miles?.value(row)
            )
        }
        note(seen.types, seen.regions)
    }

    private mutating func note(_ types: [Bool], _ regions: [Bool]) {
        for (number, wasSeen) in types.enumerated() where wasSeen {
            seenTripTypes.insert(UInt32(number))
        }
        for (number, wasSeen) in regions.enumerated() where wasSeen {
            seenRegions.insert(UInt32(number))
        }
    }

    private mutating func slot(of key: Key) -> Int {
        if let slot = slotOfKey[key] { return slot }
        slotOfKey[key] = sums.count
        sums.append(KPISums())
        groundSums += [GroundSums](repeating: GroundSums(), count: grounds.grounds.count)
        return sums.count - 1
    }

    private mutating func add(slot: Int, ground: Int, cost: Int64?, miles: Int64?) {
        guard watch(abs(cost ?? 0)) else { return }
        sums[slot].add(tripClass: grounds.grounds[ground].tripClass, cost: cost, miles: miles)
        let index = slot * grounds.grounds.count + ground
        groundSums[index].trips += 1
        if let cost {
            groundSums[index].costedTrips += 1
            groundSums[index].costCents += cost
        }
    }

    private mutating func watch(_ cents: Int64) -> Bool {
        let (sum, overflow) = absoluteCents.addingReportingOverflow(cents)
        absoluteCents = overflow ? .max : sum
        hasOverflowed = hasOverflowed || overflow
        return !hasOverflowed
    }

    /// Adds the sums of another part of the trips.
    mutating func merge(_ other: CellSums) {
        guard !other.hasOverflowed, watch(other.absoluteCents) else {
            hasOverflowed = true
            return
        }
        for (key, otherSlot) in other.slotOfKey {
            let slot = slot(of: key)
            sums[slot] += other.sums[otherSlot]
            for ground in 0..<grounds.grounds.count {
                let added = other.groundSums[otherSlot * grounds.grounds.count + ground]
                let index = slot * grounds.grounds.count + ground
                groundSums[index].trips += added.trips
                groundSums[index].costedTrips += added.costedTrips
                groundSums[index].costCents += added.costCents
            }
        }
        seenTripTypes.formUnion(other.seenTripTypes)
        seenRegions.formUnion(other.seenRegions)
    }

    /// The cells of all eight grouping sets, sorted by their words.
    func rolledUp(words: DimensionWords) -> ([KPICell], [BasisCell]) {
        var total: [Key: KPISums] = [Key.all: KPISums()]
        var split: [Key: [GroundSums]] = [:]
        let empty = [GroundSums](repeating: GroundSums(), count: grounds.grounds.count)
        for (key, slot) in slotOfKey {
            for set in 0..<8 {
                let group = Key(
                    month: set & 1 == 1 ? Key.all.month : key.month,
                    tripType: set & 2 == 2 ? Key.all.tripType : key.tripType,
                    region: set & 4 == 4 ? Key.all.region : key.region
                )
                total[group, default: KPISums()] += sums[slot]
                for ground in 0..<grounds.grounds.count {
                    let added = groundSums[slot * grounds.grounds.count + ground]
                    split[group, default: empty][ground].trips += added.trips
                    split[group, default: empty][ground].costedTrips += added.costedTrips
                    split[group, default: empty][ground].costCents += added.costCents
                }
            }
        }
        let groups = total.map { (key: $0, words: Self.words(of: $0, words), sums: $1) }
            .sorted { Self.precedes($0.words, $1.words) }
        let cells = groups.map { group in
            KPICell(
                month: group.words[0],
                tripType: group.words[1],
                region: group.words[2],
                sums: group.sums
            )
        }
        return (
            cells, groups.flatMap { basisCells(group: $0.words, sums: split[$0.key] ?? []) }
        )
    }

    /// The words of a group: month, trip type, region.
    private static func words(of key: Key, _ words: DimensionWords) -> [String] {
        [
            key.month == Key.all.month ? KPICell.all : Month(monthNumber: key.month).text,
            key.tripType == Key.all.tripType ? KPICell.all : words.tripTypes[Int(key.tripType)],
            key.region == Key.all.region ? KPICell.all : words.regions[Int(key.region)],
        ]
    }

    private func basisCells(group: [String], sums: [GroundSums]) -> [BasisCell] {
        zip(grounds.grounds, sums).filter { $0.1.trips > 0 }
            .sorted { left, right in
                left.0.tripClass != right.0.tripClass
                    ? left.0.tripClass.word < right.0.tripClass.word
                    : left.0.basis.utf8.lexicographicallyPrecedes(right.0.basis.utf8)
            }
            .map { ground, sums in
                BasisCell(
                    month: group[0],
                    tripType: group[1],
                    region: group[2],
                    tripClass: ground.tripClass,
                    basis: ground.basis,
                    trips: sums.trips,
                    costedTrips: sums.costedTrips,
                    costCents: sums.costCents
                )
            }
    }

    private static func precedes(_ left: [String], _ right: [String]) -> Bool {
        for (first, second) in zip(left, right) where !first.utf8.elementsEqual(second.utf8) {
            return first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        return false
    }
}

/// The slots of the pairs of type and region in the month at hand.
///
/// Two dimensions of a few dozen values make a small table, looked up by position. Of two with
/// thousands each hardly any pair occurs: those are looked up by key.
private struct PairSlots {
    /// 65,536 pairs: half a megabyte for each thread.
    private static let mostPairs = 1 << 16

    private let regionCount: Int
    /// -1 where not looked up yet; empty where there are too many pairs.
    private var slots: [Int]

    init(types: Int, regions: Int) {
        regionCount = regions
        let (count, overflow) = types.multipliedReportingOverflow(by: regions)
        let isSmall = !overflow && count <= Self.mostPairs
        slots = [Int](repeating: -1, count: isSmall ? count : 0)
    }

    /// Forgets all slots: another month begins.
    mutating func forget() {
        for index in slots.indices { slots[index] = -1 }
    }

    /// The slot of a pair, found where it is not known yet.
    @inline(__always)
    mutating func slot(_ type: UInt32, _ region: UInt32, find: () -> Int) -> Int {
        guard !slots.isEmpty else { return find() }
        let pair = Int(type) * regionCount + Int(region)
        if slots[pair] < 0 { slots[pair] = find() }
        return slots[pair]
    }
}

/// The month of the trip at hand: trips come in order of time and rarely leave it.
private struct MonthSpan {
    private(set) var number = Int32.min
    private var start = Int64.max
    private var end = Int64.min

    /// Moves to the month of a local time; whether it is another one.
    mutating func move(to seconds: Int64) -> Bool {
        if seconds >= start, seconds < end { return false }
        let month = CivilTime.date(ofSeconds: seconds).month
        number = month.monthNumber
        start = Int64(month.firstDay.dayNumber) * CivilTime.daySeconds
        end = (Int64(month.lastDay.dayNumber) + 1) * CivilTime.daySeconds
        return true
    }
}
