import TripDomain

/// The values of one batch that declared measures and dimensions read, row by row.
struct DeclaredValues {
    /// The integers of a column, packed or not.
    enum Numbers {
        case packed(PackedIntegers)
        case plain(IntegerColumn)

        func value(_ row: Int) -> Int64? {
            switch self {
            case .packed(let column): column.value(row)
            case .plain(let column): column.value(row)
            }
        }
    }

    /// The words of a column.
    struct Words {
        /// The code of a row in the column's pool.
        let codes: Numbers
        /// The number of each entry of the pool.
        let numbers: [UInt32]

        func number(_ row: Int) -> UInt32 { numbers[Int(codes.value(row) ?? 0)] }
    }

    let measures: [Numbers]
    let dimensions: [Words]
}

/// Running sums of declared measures and dimensions by the finest group: a cell with a class and
/// basis, numbered by ``CellSums``.
///
/// All are whole numbers, and their lists are put in order at the end, so that neither the slices
/// nor the order of adding changes them.
struct DeclaredSums: Sendable {
    struct GroupValue: Hashable {
        let group: Int
        let value: Int64
    }

    private(set) var columns: DeclaredColumns
    /// Per measure, the sums by group.
    var sums: [[MeasureSums]]
    /// Per measure, how often each value occurs in each group; empty but for medians.
    var values: [[GroupValue: Int64]]
    /// Per dimension, the trips of each group that have a word.
    var trips: [[GroupValue: CostSums]]
    /// Per dimension, its words by number.
    var words: [TextInterner]
    /// Per measure, the sum of all values without their signs.
    var absoluteSums: [Int64]
    /// The measures whose values cannot be added up.
    var overflowing: Set<String> = []
    /// The declarations that have more groups than are published.
    ///
    /// A column of ids would fill the memory, so that nothing more of it is added.
    var overgrowing: Set<String> = []

    /// The first measure whose values cannot be added up; nil where all can.
    var overflown: String? {
        columns.measures.map(\.declared.name).first(where: overflowing.contains)
    }

    /// The first declaration that has more groups than are published; nil where none has.
    var overgrown: String? {
        (columns.measures.map(\.declared.name) + columns.dimensions.map(\.declared.name))
            .first(where: overgrowing.contains)
    }

    /// How many groups a measure or dimension may have, each with its value: 200,000 take some
    /// 10 MB in a generation and in its history.
    static let usualGroupMax = 200_000
    /// The same; fewer in tests.
    var groupMax = usualGroupMax

    init(_ columns: DeclaredColumns = DeclaredColumns()) {
        self.columns = columns
        sums = columns.measures.map { _ in [] }
        values = columns.measures.map { _ in [:] }
        trips = columns.dimensions.map { _ in [:] }
        words = columns.dimensions.map { _ in TextInterner() }
        absoluteSums = columns.measures.map { _ in 0 }
    }

    var isEmpty: Bool { columns.isEmpty }

    /// The values of a packed batch.
    mutating func values(of batch: PackedBatch) -> DeclaredValues {
        DeclaredValues(
            measures: columns.measures.map { .packed(batch.columns[$0.index].integers) },
            dimensions: columns.dimensions.indices.map { number in
                let texts = batch.columns[columns.dimensions[number].index].texts
                return DeclaredValues.Words(
                    codes: .packed(texts.codes),
                    numbers: words[number].wordCodes(of: texts)
                )
            }
        )
    }

    /// The values of a batch that is not packed.
    mutating func values(of batch: TripBatch) -> DeclaredValues {
        DeclaredValues(
            measures: columns.measures.map { .plain(batch.columns[$0.index].integers) },
            dimensions: columns.dimensions.indices.map { number in
                let texts = batch.columns[columns.dimensions[number].index].texts
                return DeclaredValues.Words(
                    codes: .plain(IntegerColumn(values: texts.codes.map(Int64.init))),
                    numbers: words[number].wordCodes(of: texts.pool)
                )
            }
        )
    }

    /// Adds a counted trip.
    ///
    /// - Parameters:
    ///   - row: Its row.
    ///   - batch: The values of its batch.
    ///   - group: The number of its group.
    ///   - cost: Its cost in cents; nil where not known.
    mutating func add(_ row: Int, of batch: DeclaredValues, to group: Int, cost: Int64?) {
        for (number, measure) in columns.measures.enumerated() {
            while sums[number].count <= group { sums[number].append(MeasureSums()) }
            var value = batch.measures[number].value(row)
            if measure.declared.kind == .count {
                // A condition that is NULL does not hold.
                value = value ?? 0 == 0 ? 0 : 1
            }
            guard let amount = value else { continue }
            guard addAbsolute(amount.magnitude, of: number) else { continue }
            sums[number][group] += MeasureSums(knownTrips: 1, sum: amount)
            if measure.declared.kind == .median {
                count(amount, trips: 1, of: number, in: group)
            }
        }
        for (number, dimension) in batch.dimensions.enumerated() {
            var sums = CostSums()
            sums.add(cost: cost)
            add(sums, word: dimension.number(row), of: number, in: group)
        }
    }

    private mutating func count(_ value: Int64, trips: Int64, of number: Int, in group: Int) {
        values[number][GroupValue(group: group, value: value), default: 0] += trips
        guard values[number].count > groupMax else { return }
        overgrowing.insert(columns.measures[number].declared.name)
        values[number] = [:]
    }

    private mutating func add(_ sums: CostSums, word: UInt32, of number: Int, in group: Int) {
        let key = GroupValue(group: group, value: Int64(word))
        trips[number][key, default: CostSums()] += sums
        guard trips[number].count > groupMax else { return }
        overgrowing.insert(columns.dimensions[number].declared.name)
        trips[number] = [:]
    }

    private mutating func addAbsolute(_ amount: UInt64, of measure: Int) -> Bool {
        let (sum, isOver) = absoluteSums[measure].addingReportingOverflow(
            Int64(clamping: amount)
        )
        let isAllowed = !isOver && SumLimit.allows(MeasureSums(knownTrips: 0, sum: sum))
        absoluteSums[measure] = isAllowed ? sum : absoluteSums[measure]
        if !isAllowed { overflowing.insert(columns.measures[measure].declared.name) }
        return isAllowed
    }

    /// Adds sums whose groups have other numbers.
    ///
    /// - Parameters:
    ///   - other: The sums to add.
    ///   - group: The number of one of its groups in these sums.
    mutating func merge(_ other: DeclaredSums, group: (Int) -> Int) {
        guard !other.isEmpty else { return }
        if isEmpty { self = DeclaredSums(other.columns) }
        overflowing.formUnion(other.overflowing)
        overgrowing.formUnion(other.overgrowing)
        for number in columns.measures.indices {
            guard addAbsolute(other.absoluteSums[number].magnitude, of: number) else { continue }
            for (old, added) in other.sums[number].enumerated() where added != MeasureSums() {
                let new = group(old)
                while sums[number].count <= new { sums[number].append(MeasureSums()) }
                sums[number][new] += added
            }
            for (key, trips) in other.values[number] {
                count(key.value, trips: trips, of: number, in: group(key.group))
            }
        }
        for number in columns.dimensions.indices {
            let own = words[number].wordCodes(of: other.words[number].pool)
            for (key, added) in other.trips[number] {
                add(added, word: own[Int(key.value)], of: number, in: group(key.group))
            }
        }
    }

    /// The cells, each list in order of its primary key.
    ///
    /// - Parameter groups: The groups by number; nil for one without trips.
    /// - Returns: The cells.
    func cells(_ groups: [DeclaredGroup?]) -> DeclaredCells {
        let order = Self.order(groups)
        func group(_ number: Int) -> DeclaredGroup {
            guard let group = groups[number] else {
                preconditionFailure("a group that was added to has trips")
            }
            return group
        }
        var cells = DeclaredCells()
        for (number, measure) in Self.sorted(columns.measures, by: \.declared.name) {
            cells.measures += sums[number].indices.filter { sums[number][$0] != MeasureSums() }
                .sorted { order[$0] < order[$1] }
                .map {
                    MeasureCell(
                        measure: measure.declared.name,
                        group: group($0),
                        sums: sums[number][$0]
                    )
                }
            cells.values += values[number]
                .sorted {
                    (order[$0.key.group], $0.key.value) < (order[$1.key.group], $1.key.value)
                }
                .map { key, trips in
                    MeasureValueCell(
                        measure: measure.declared.name,
                        group: group(key.group),
                        count: ValueCount(value: key.value, trips: trips)
                    )
                }
        }
        for (number, dimension) in Self.sorted(columns.dimensions, by: \.declared.name) {
            let texts = words[number].texts
            let ranks = Self.ranks(texts.map { Array($0.utf8) }) {
                $0.lexicographicallyPrecedes($1)
            }
            cells.dimensions += trips[number]
                .sorted {
                    (ranks[Int($0.key.value)], order[$0.key.group])
                        < (ranks[Int($1.key.value)], order[$1.key.group])
                }
                .map { key, sums in
                    DimensionCell(
                        dimension: dimension.declared.name,
                        value: texts[Int(key.value)],
                        group: group(key.group),
                        sums: sums
                    )
                }
        }
        return cells
    }

    private static func sorted<Value>(
        _ values: [Value],
        by name: KeyPath<Value, String>
    ) -> [(offset: Int, element: Value)] {
        values.enumerated().sorted { left, right in
            left.element[keyPath: name].utf8
                .lexicographicallyPrecedes(right.element[keyPath: name].utf8)
        }
    }

    /// The rank of each group among all.
    private static func order(_ groups: [DeclaredGroup?]) -> [Int] {
        let keys = groups.map { group in
            group.map {
                [$0.month, $0.tripType, $0.region, $0.tripClass.word, $0.basis].map {
                    Array($0.utf8)
                }
            } ?? []
        }
        return ranks(keys) { left, right in
            for (one, two) in zip(left, right) where one != two {
                return one.lexicographicallyPrecedes(two)
            }
            return left.count < right.count
        }
    }

    private static func ranks<Value>(
        _ values: [Value],
        by precedes: (Value, Value) -> Bool
    ) -> [Int] {
        let sorted = values.indices.sorted { precedes(values[$0], values[$1]) }
        var ranks = [Int](repeating: 0, count: values.count)
        for (rank, index) in sorted.enumerated() { ranks[index] = rank }
        return ranks
    }
}
