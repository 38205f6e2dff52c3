public import TripDomain

extension TripTotals {
    /// Adds up classified trips but those left out.
    ///
    /// - Parameters:
    ///   - batches: The trips, packed.
    ///   - leftOut: Which rows of a batch are left out, by its index; empty where none is.
    ///   - shape: Their columns.
    ///   - rules: The rules their rule numbers refer to.
    /// - Complexity: O(*n*) in the trips; memory for the cells they fall into.
    public init(
        _ batches: [PackedBatch],
        leavingOut leftOut: (Int) -> [Bool],
        shape: TripShape,
        rules: [RuleEntry]
    ) {
        self.init(rules: rules)
        sums.declared = DeclaredSums(shape.declared)
        for (index, batch) in batches.enumerated() {
            let view = KPIView(batch, shape: shape)
            let isLeftOut = leftOut(index)
            let types = tripTypes.wordCodes(of: batch.columns[shape.tripTypeIndex].texts)
            let places = regions.wordCodes(of: batch.columns[shape.regionIndex].texts)
            sums.add(
                view,
                count: batch.count,
                leavingOut: isLeftOut,
                tripTypes: types,
                regions: places
            )
            sums.addDeclared(
                view,
                { $0.values(of: batch) },
                count: batch.count,
                leavingOut: isLeftOut,
                tripTypes: types,
                regions: places
            )
            for row in 0..<batch.count where isLeftOut.isEmpty || !isLeftOut[row] {
                amount.items += 1
                amount.cents += view.cost(row) ?? 0
            }
        }
    }

    /// The sums at the finest grain, in an order that depends on their words alone.
    ///
    /// - Complexity: O(*n* log *n*) in the cells.
    public var finest: FinestSums {
        var finest = FinestSums()
        finest.amount = amount
        finest.cells = cells()
        finest.regions = Self.sorted(sums.seenRegions, regions.texts)
        finest.tripTypes = Self.sorted(sums.seenTripTypes, tripTypes.texts)
        finest.lastPickup = sums.lastPickup
        finest.absoluteAmounts = sums.absoluteAmounts
        finest.hasOverflowed = sums.hasOverflowed
        finest.absoluteMeasures = sums.declared.absoluteSums
        finest.overflowing = Self.sorted(sums.declared.overflowing)
        finest.overgrowing = Self.sorted(sums.declared.overgrowing)
        return finest
    }

    /// Makes totals of what a part of a divided run handed over.
    ///
    /// - Parameters:
    ///   - finest: The sums of the part.
    ///   - rules: The rules of the run.
    ///   - declared: The declared measures and dimensions of the run.
    /// - Returns: The totals; nil where a cell has a class and basis that no rule gives, or a
    ///   measure or dimension that is not declared.
    /// - Complexity: O(*n*) in the cells.
    public static func of(
        _ finest: FinestSums,
        rules: [RuleEntry],
        declared: DeclaredColumns
    ) -> TripTotals? {
        var totals = TripTotals(rules: rules)
        totals.amount = finest.amount
        totals.sums.declared = DeclaredSums(declared)
        for word in finest.regions {
            totals.sums.seenRegions.insert(totals.regions.wordCode(word))
        }
        for word in finest.tripTypes {
            totals.sums.seenTripTypes.insert(totals.tripTypes.wordCode(word))
        }
        totals.sums.lastPickup = finest.lastPickup
        totals.sums.absoluteAmounts = finest.absoluteAmounts
        totals.sums.hasOverflowed = finest.hasOverflowed
        totals.sums.declared.overflowing = Set(finest.overflowing)
        totals.sums.declared.overgrowing = Set(finest.overgrowing)
        // Of no trips, nothing was added up.
        if !finest.absoluteMeasures.isEmpty {
            guard finest.absoluteMeasures.count == declared.measures.count else { return nil }
            totals.sums.declared.absoluteSums = finest.absoluteMeasures
        }
        for cell in finest.cells where !totals.add(cell) { return nil }
        return totals
    }

    /// Adds one cell; false where it does not belong to this run.
    private mutating func add(_ cell: FinestCell) -> Bool {
        let pair = ClassAndBasisTable.ClassAndBasis(
            tripClass: cell.group.tripClass,
            basis: cell.group.basis
        )
        guard let month = Month(text: cell.group.month),
            let entry = sums.classTable.entries.firstIndex(of: pair)
        else { return false }
        let key = CellSums.Key(
            month: month.monthNumber,
            tripType: tripTypes.wordCode(cell.group.tripType),
            region: regions.wordCode(cell.group.region)
        )
        let group = sums.slot(of: key) * sums.entryCount + entry
        sums.sums[group] += cell.sums
        return sums.declared.add(cell, to: group)
    }

    private func cells() -> [FinestCell] {
        let (typeTexts, regionTexts) = (tripTypes.texts, regions.texts)
        var measures = sums.declared.measuresByGroup()
        var dimensions = sums.declared.dimensionsByGroup()
        var cells: [FinestCell] = []
        for (slot, key) in sums.keys.enumerated() {
            for (entry, pair) in sums.classTable.entries.enumerated() {
                let group = slot * sums.entryCount + entry
                guard sums.sums[group] != TripSums() else { continue }
                cells.append(
                    FinestCell(
                        group: DeclaredGroup(
                            month: Month(monthNumber: key.month).text,
                            tripType: typeTexts[Int(key.tripType)],
                            region: regionTexts[Int(key.region)],
                            tripClass: pair.tripClass,
                            basis: pair.basis
                        ),
                        sums: sums.sums[group],
                        measures: measures.removeValue(forKey: group) ?? [],
                        dimensions: dimensions.removeValue(forKey: group) ?? []
                    )
                )
            }
        }
        return cells.sorted { $0.group.precedes($1.group) }
    }

    private static func sorted(_ codes: Set<UInt32>, _ texts: [String]) -> [String] {
        sorted(codes.map { texts[Int($0)] })
    }

    private static func sorted(_ texts: some Sequence<String>) -> [String] {
        texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension DeclaredSums {
    /// The values of the measures of each group that has some, in the pipeline's order.
    fileprivate func measuresByGroup() -> [Int: [FinestCell.Measure]] {
        var found: [Int: [FinestCell.Measure]] = [:]
        for (number, measure) in columns.measures.enumerated() {
            var counts: [Int: [ValueCount]] = [:]
            for (key, trips) in values[number] {
                counts[key.group, default: []].append(ValueCount(value: key.value, trips: trips))
            }
            for (group, sums) in sums[number].enumerated() where sums != MeasureSums() {
                let values = (counts[group] ?? []).sorted { $0.value < $1.value }
                found[group, default: []].append(
                    FinestCell.Measure(name: measure.declared.name, sums: sums, values: values)
                )
            }
        }
        return found
    }

    /// The values of the dimensions of each group: in the pipeline's order, then by bytes.
    fileprivate func dimensionsByGroup() -> [Int: [FinestCell.Dimension]] {
        var found: [Int: [FinestCell.Dimension]] = [:]
        for (number, dimension) in columns.dimensions.enumerated() {
            let texts = words[number].texts
            let sorted = trips[number].map { (text: texts[Int($0.value)], group: $0.group, $1) }
                .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
            for (text, group, sums) in sorted {
                found[group, default: []].append(
                    FinestCell.Dimension(name: dimension.declared.name, value: text, sums: sums)
                )
            }
        }
        return found
    }

    /// Adds the values of one cell; false where something of it is not declared.
    fileprivate mutating func add(_ cell: FinestCell, to group: Int) -> Bool {
        for measure in cell.measures {
            let known = columns.measures.firstIndex { $0.declared.name == measure.name }
            guard let number = known else { return false }
            while sums[number].count <= group { sums[number].append(MeasureSums()) }
            sums[number][group] += measure.sums
            for count in measure.values {
                let key = GroupValue(group: group, value: count.value)
                values[number][key, default: 0] += count.trips
            }
        }
        for dimension in cell.dimensions {
            let known = columns.dimensions.firstIndex { $0.declared.name == dimension.name }
            guard let number = known else { return false }
            let code = words[number].wordCode(dimension.value)
            let key = GroupValue(group: group, value: Int64(code))
            trips[number][key, default: CostSums()] += dimension.sums
        }
        return true
    }
}

extension TextInterner {
    /// The code of a word; 0 for an empty one.
    fileprivate mutating func wordCode(_ word: String) -> UInt32 {
        word.isEmpty ? 0 : code(of: word)
    }
}

extension DeclaredGroup {
    /// Whether a group comes before another, by the bytes of its words.
    fileprivate func precedes(_ other: DeclaredGroup) -> Bool {
        let own = [month, tripType, region, tripClass.word, basis]
        let others = [other.month, other.tripType, other.region, other.tripClass.word, other.basis]
        for (left, right) in zip(own, others) where !left.utf8.elementsEqual(right.utf8) {
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        return false
    }
}
