import TripDomain

/// Running sums at the finest grain: month, trip type, region, and class and basis.
struct CellSums: Sendable {
    /// One finest cell by number: month, trip type and region.
    struct Key: Sendable, Hashable {
        let month: Int32
        let tripType: UInt32
        let region: UInt32

        /// The key whose parts each mean all values.
        static let all = Key(month: .min, tripType: .max, region: .max)
    }

    let classTable: ClassAndBasisTable
    /// The number of pairs of class and basis.
    let entryCount: Int
    private var slots = CellSlots()
    /// One entry per cell and class and basis, those of a cell together.
    var sums: [TripSums] = []
    /// Words of accepted trips, counted or not.
    var seenTripTypes: Set<UInt32> = []
    var seenRegions: Set<UInt32> = []
    /// The sum over all trips of the larger of cents and hundredths of a mile, without signs.
    ///
    /// While it fits 64 bits, no partial sum can overflow. Once it does not, nothing more is added
    /// and the run is refused.
    var absoluteAmounts: Int64 = 0
    var hasOverflowed = false
    /// The local time of the last pick-up of accepted trips, counted or not.
    var lastPickup: Int64?
    /// The sums of what the pipeline declares; of nothing where it declares nothing.
    var declared: DeclaredSums

    init(classTable: ClassAndBasisTable, declared: DeclaredColumns = DeclaredColumns()) {
        self.classTable = classTable
        entryCount = classTable.entries.count
        self.declared = DeclaredSums(declared)
    }

    /// Adds the counted trips of a batch.
    ///
    /// - Parameters:
    ///   - view: The batch.
    ///   - count: The number of its trips.
    ///   - leftOut: Which of them are not accepted; empty where all are.
    ///   - tripTypes: The number of each entry of its trip type pool.
    ///   - regions: The same of its region pool.
    mutating func add(
        _ view: some KPIRows,
        count: Int,
        leavingOut leftOut: [Bool],
        tripTypes: [UInt32],
        regions: [UInt32]
    ) {
        var isTypeSeen = [Bool](repeating: false, count: tripTypes.count)
        var isRegionSeen = [Bool](repeating: false, count: regions.count)
        var month = MonthSpan()
        var last = lastPickup ?? .min
        for row in 0..<count where leftOut.isEmpty || !leftOut[row] {
            let typeCode = view.tripTypeCode(row)
            let regionCode = view.regionCode(row)
            isTypeSeen[typeCode] = true
            isRegionSeen[regionCode] = true
            let pickup = view.pickup(row)
            last = max(last, pickup)
            guard view.isCounted(row) else { continue }
            month.move(to: pickup)
            let key = Key(
                month: month.number,
                tripType: tripTypes[typeCode],
                region: regions[regionCode]
            )
            add(
                slot: slot(of: key),
                entry: classTable.numberOfRule[view.ruleNumber(row)],
                cost: view.cost(row),
                miles: view.miles(row)
            )
        }
        if last > .min { lastPickup = last }
        for (code, wasSeen) in isTypeSeen.enumerated() where wasSeen {
            seenTripTypes.insert(tripTypes[code])
        }
        for (code, wasSeen) in isRegionSeen.enumerated() where wasSeen {
            seenRegions.insert(regions[code])
        }
    }

    /// The keys of all cells, by slot.
    var keys: [Key] { slots.keys }

    @inline(__always)
    mutating func slot(of key: Key) -> Int {
        let slot = slots.slot(of: key)
        if slot * entryCount == sums.count { sums += noTrips }
        return slot
    }

    private mutating func add(slot: Int, entry: Int, cost: Int64?, miles: Int64?) {
        guard checkOverflow(max(abs(cost ?? 0), abs(miles ?? 0))) else { return }
        sums[slot * entryCount + entry].add(cost: cost, miles: miles)
    }

    private mutating func checkOverflow(_ amount: Int64) -> Bool {
        let (sum, overflow) = absoluteAmounts.addingReportingOverflow(amount)
        absoluteAmounts = overflow ? .max : sum
        hasOverflowed = hasOverflowed || overflow
        return !hasOverflowed
    }

    /// Adds the sums of another part of the trips.
    mutating func merge(_ other: CellSums) {
        merge(other, tripType: { $0 }, region: { $0 })
    }

    /// Adds sums whose words have other numbers.
    ///
    /// - Parameters:
    ///   - other: The sums to add.
    ///   - tripTypes: Per number of a trip type in `other`, its number in these sums.
    ///   - regions: The same of its regions.
    mutating func merge(_ other: CellSums, tripTypes: [UInt32], regions: [UInt32]) {
        merge(other, tripType: { tripTypes[Int($0)] }, region: { regions[Int($0)] })
    }

    @inline(__always)
    private mutating func merge(
        _ other: CellSums,
        tripType: (UInt32) -> UInt32,
        region: (UInt32) -> UInt32
    ) {
        guard !other.hasOverflowed, checkOverflow(other.absoluteAmounts) else {
            hasOverflowed = true
            return
        }
        lastPickup = [lastPickup, other.lastPickup].compactMap(\.self).max()
        var ownSlots: [Int] = []
        for (otherSlot, key) in other.slots.keys.enumerated() {
            let slot = slot(
                of: Key(
                    month: key.month,
                    tripType: tripType(key.tripType),
                    region: region(key.region)
                )
            )
            ownSlots.append(slot)
            for entry in 0..<entryCount {
                sums[slot * entryCount + entry] +=
                    other.sums[otherSlot * entryCount + entry]
            }
        }
        declared.merge(other.declared) {
            ownSlots[$0 / entryCount] * entryCount + $0 % entryCount
        }
        seenTripTypes.formUnion(other.seenTripTypes.map(tripType))
        seenRegions.formUnion(other.seenRegions.map(region))
    }

    /// The sum of all cells.
    var total: KPISums {
        var total = noTrips
        for slot in slots.keys.indices { add(slot: slot, to: &total) }
        return kpiSums(total)
    }

    /// The cells of all eight grouping sets, sorted by their words.
    func rolledUp(
        words: DimensionWords,
        totalAlone: Bool = false
    ) -> ([KPICell], [BasisCell]) {
        let empty = noTrips
        var total = [Key.all: empty]
        for (slot, key) in slots.keys.enumerated() {
            for set in (totalAlone ? 7 : 0)..<8 {
                let group = Key(
                    month: set & 1 == 1 ? Key.all.month : key.month,
                    tripType: set & 2 == 2 ? Key.all.tripType : key.tripType,
                    region: set & 4 == 4 ? Key.all.region : key.region
                )
                add(slot: slot, to: &total[group, default: empty])
            }
        }
        let groups = total.map { (words: Self.words(of: $0, words), sums: $1) }
            .sorted { Self.precedes($0.words, $1.words) }
        let cells = groups.map { group in
            KPICell(
                month: group.words[0],
                tripType: group.words[1],
                region: group.words[2],
                sums: kpiSums(group.sums)
            )
        }
        return (cells, groups.flatMap { basisCells(group: $0.words, sums: $0.sums) })
    }

    /// The sums of no trips, one per class and basis.
    private var noTrips: [TripSums] {
        [TripSums](repeating: TripSums(), count: entryCount)
    }

    /// Adds the sums of one cell, by class and basis.
    private func add(slot: Int, to total: inout [TripSums]) {
        for entry in total.indices { total[entry] += sums[slot * total.count + entry] }
    }

    /// The sums of all classes and bases together.
    private func kpiSums(_ split: [TripSums]) -> KPISums {
        var sums = KPISums()
        for (entry, trips) in zip(classTable.entries, split) {
            sums.add(trips, of: entry.tripClass)
        }
        return sums
    }

    /// The words of a group: month, trip type, region.
    private static func words(of key: Key, _ words: DimensionWords) -> [String] {
        [
            key.month == Key.all.month ? KPICell.all : Month(monthNumber: key.month).text,
            key.tripType == Key.all.tripType ? KPICell.all : words.tripTypes[Int(key.tripType)],
            key.region == Key.all.region ? KPICell.all : words.regions[Int(key.region)],
        ]
    }

    private func basisCells(group: [String], sums: [TripSums]) -> [BasisCell] {
        zip(classTable.entries, sums).filter { $0.1.costs.trips > 0 }
            .sorted { left, right in
                left.0.tripClass != right.0.tripClass
                    ? left.0.tripClass.word < right.0.tripClass.word
                    : left.0.basis.utf8.lexicographicallyPrecedes(right.0.basis.utf8)
            }
            .map { entry, sums in
                BasisCell(
                    month: group[0],
                    tripType: group[1],
                    region: group[2],
                    tripClass: entry.tripClass,
                    basis: entry.basis,
                    sums: sums.costs
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

/// The month of the current trip, cached because most trips of an export are of the same month.
struct MonthSpan {
    private(set) var number = Int32.min
    private var start = Int64.max
    private var end = Int64.min

    /// Moves to the month of a local time.
    @inline(__always)
    mutating func move(to seconds: Int64) {
        if seconds < start || seconds >= end { leave(for: seconds) }
    }

    @inline(never)
    private mutating func leave(for seconds: Int64) {
        let month = CivilTime.date(ofSeconds: seconds).month
        number = month.monthNumber
        start = Int64(month.firstDay.dayNumber) * CivilTime.daySeconds
        end = (Int64(month.lastDay.dayNumber) + 1) * CivilTime.daySeconds
    }
}

/// Gives each cell a slot, in order of first appearance, through an open-addressed table.
struct CellSlots {
    /// The cell of each slot.
    private(set) var keys: [CellSums.Key] = []
    /// A slot plus one; 0 is free.
    private var table = [UInt32](repeating: 0, count: 1024)

    /// The slot of a cell; a new cell gets the next slot.
    @inline(__always)
    mutating func slot(of key: CellSums.Key) -> Int {
        var index = Self.firstIndex(key, table.count)
        while table[index] != 0 {
            let slot = Int(table[index]) - 1
            if keys[slot] == key { return slot }
            index = (index + 1) & (table.count - 1)
        }
        return insert(key, at: index)
    }

    @inline(never)
    private mutating func insert(_ key: CellSums.Key, at index: Int) -> Int {
        keys.append(key)
        table[index] = UInt32(keys.count)
        if keys.count * 2 > table.count { grow() }
        return keys.count - 1
    }

    private mutating func grow() {
        let size = table.count * 4
        table = [UInt32](repeating: 0, count: size)
        for (slot, key) in keys.enumerated() {
            var index = Self.firstIndex(key, size)
            while table[index] != 0 { index = (index + 1) & (size - 1) }
            table[index] = UInt32(slot + 1)
        }
    }

    @inline(__always)
    private static func firstIndex(_ key: CellSums.Key, _ size: Int) -> Int {
        let pair = UInt64(key.tripType) << 32 | UInt64(key.region)
        let mixed =
            (pair &* 0x9E37_79B9_7F4A_7C15)
            ^ (UInt64(bitPattern: Int64(key.month)) &* 0xC2B2_AE3D_27D4_EB4F)
        let spread = (mixed ^ (mixed >> 32)) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: spread >> 32) & (size - 1)
    }
}
