import TripDomain

/// Running sums at the finest grain: month, trip type, region, and class with basis.
struct CellSums: Sendable {
    /// One finest cell by number: month, trip type and region.
    struct Key: Sendable, Hashable {
        let month: Int32
        let tripType: UInt32
        let region: UInt32
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
    private(set) var seenTripTypes: Set<String> = []
    private(set) var seenRegions: Set<String> = []
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
        of batches: [TripBatch],
        shape: TripShape,
        words: DimensionWords
    ) {
        var seen = (
            types: [Bool](repeating: false, count: words.tripTypes.count),
            regions: [Bool](repeating: false, count: words.regions.count)
        )
        var lastKey: Key?
        var slot = 0
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
            guard views[batchIndex].counted[row] else { continue }
            let seconds = views[batchIndex].pickups[row]
            let key = Key(
                month: CivilTime.date(ofSeconds: seconds).month.monthNumber,
                tripType: tripType,
                region: region
            )
            if key != lastKey {
                slot = self.slot(of: key)
                lastKey = key
            }
            add(
                slot: slot,
                ground: grounds.numberOfRule[Int(views[batchIndex].ruleNumbers[row])],
                cost: views[batchIndex].cost?.value(row),
                miles: views[batchIndex].miles?.value(row)
            )
        }
        note(seen.types, seen.regions, words)
    }

    private mutating func note(_ types: [Bool], _ regions: [Bool], _ words: DimensionWords) {
        for (number, wasSeen) in types.enumerated() where wasSeen {
            seenTripTypes.insert(words.tripTypes[number])
        }
        for (number, wasSeen) in regions.enumerated() where wasSeen {
            seenRegions.insert(words.regions[number])
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
        var total: [[String]: KPISums] = [[KPICell.all, KPICell.all, KPICell.all]: KPISums()]
        var split: [[String]: [GroundSums]] = [:]
        let empty = [GroundSums](repeating: GroundSums(), count: grounds.grounds.count)
        for (key, slot) in slotOfKey {
            let values = [
                Month(monthNumber: key.month).text, words.tripTypes[Int(key.tripType)],
                words.regions[Int(key.region)],
            ]
            for set in 0..<8 {
                let group = values.enumerated().map { set >> $0 & 1 == 1 ? KPICell.all : $1 }
                total[group, default: KPISums()] += sums[slot]
                for ground in 0..<grounds.grounds.count {
                    let added = groundSums[slot * grounds.grounds.count + ground]
                    split[group, default: empty][ground].trips += added.trips
                    split[group, default: empty][ground].costedTrips += added.costedTrips
                    split[group, default: empty][ground].costCents += added.costCents
                }
            }
        }
        let keys = total.keys.sorted { Self.precedes($0, $1) }
        let cells = keys.map { key in
            KPICell(
                month: key[0],
                tripType: key[1],
                region: key[2],
                sums: total[key] ?? KPISums()
            )
        }
        return (cells, keys.flatMap { basisCells(group: $0, sums: split[$0] ?? []) })
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
        for (first, second) in zip(left, right) where first != second {
            return first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        return false
    }
}
