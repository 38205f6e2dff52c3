public import TripDomain

/// The KPIs of accepted, counted trips by month, trip type and region.
public struct Cube: Sendable {
    /// All cells of all eight grouping sets, by month, trip type and region as bytes.
    public let cells: [KPICell]
    /// Whether ``cells`` and ``basisCells`` have all groups; otherwise they have the total alone.
    public let isWhole: Bool
    /// The cell of all months, trip types and regions.
    public let total: KPISums
    /// The cells split by class and basis, in the same order, then by class and basis.
    public let basisCells: [BasisCell]
    /// The cells of what the pipeline declares; none where the cube has its total alone.
    public let declared: DeclaredCells
    /// All regions of accepted trips, counted or not, by bytes.
    public let regions: [String]
    /// All trip types of accepted trips, counted or not, by bytes.
    public let tripTypes: [String]
    /// The local time of the last pick-up of accepted trips, counted or not; nil without trips.
    public let lastPickup: Int64?

    /// Adds up classified trips.
    ///
    /// - Parameters:
    ///   - batches: All valid trips, classified.
    ///   - accepted: Which of them are accepted.
    ///   - shape: Their columns.
    ///   - rules: The rules their rule numbers refer to.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - valueMax: How many regions, and how many trip types, are grouped by. Where there are
    ///     more, the cube has its total alone, so that a column of ids costs no memory; nil is any
    ///     number.
    /// - Throws: ``SumOverflow`` where the amounts cannot be added up: see
    ///   ``SumLimit``.
    public init(
        batches: [PackedBatch],
        accepted: AcceptedTrips,
        shape: TripShape,
        rules: [RuleEntry],
        threadCount: Int,
        valueMax: Int? = nil
    ) throws(SumOverflow) {
        let numbered = BatchWords(batches: batches, shape: shape)
        let classTable = ClassAndBasisTable(rules: rules)
        let runs = batches.runs(count: max(1, min(threadCount, accepted.count / 65_536 + 1)))
        let parts = Parallel.map(runs.count, threads: threadCount) { run in
            var sums = CellSums(classTable: classTable, declared: shape.declared)
            for batch in runs[run] {
                let view = KPIView(batches[batch], shape: shape)
                sums.add(
                    view,
                    count: batches[batch].count,
                    leavingOut: accepted.leftOut(batch: batch),
                    tripTypes: numbered.tripTypeNumbers[batch],
                    regions: numbered.regionNumbers[batch]
                )
                sums.addDeclared(
                    view,
                    { $0.values(of: batches[batch]) },
                    count: batches[batch].count,
                    leavingOut: accepted.leftOut(batch: batch),
                    tripTypes: numbered.tripTypeNumbers[batch],
                    regions: numbered.regionNumbers[batch]
                )
            }
            return sums
        }
        var total = CellSums(classTable: classTable)
        for sums in parts { total.merge(sums) }
        try self.init(total, words: numbered.words, valueMax: valueMax)
    }

    /// Makes the cube of totals that were added up without keeping a trip.
    ///
    /// - Parameters:
    ///   - totals: The totals of all accepted trips.
    ///   - valueMax: As of the initializer above.
    /// - Throws: ``SumOverflow`` where the amounts cannot be added up: see
    ///   ``SumLimit``.
    public init(_ totals: TripTotals, valueMax: Int? = nil) throws(SumOverflow) {
        try self.init(totals.sums, words: totals.words, valueMax: valueMax)
    }

    private init(
        _ total: CellSums,
        words: DimensionWords,
        valueMax: Int?
    ) throws(SumOverflow) {
        lastPickup = total.lastPickup
        let valueCount = max(total.seenTripTypes.count, total.seenRegions.count)
        isWhole = valueCount <= valueMax ?? .max
        (cells, basisCells) = total.rolledUp(words: words, totalAlone: !isWhole)
        declared = isWhole ? total.declaredCells(words: words) : DeclaredCells()
        self.total =
            cells.first { cell in
                [cell.month, cell.tripType, cell.region].allSatisfy { $0 == KPICell.all }
            }?.sums ?? KPISums()
        tripTypes = Self.sorted(total.seenTripTypes.map { words.tripTypes[Int($0)] })
        regions = Self.sorted(total.seenRegions.map { words.regions[Int($0)] })
        if let name = total.declared.overgrown {
            throw SumOverflow(groupsOf: name, most: total.declared.groupMax)
        }
        if let name = total.declared.overflown { throw SumOverflow(valuesOf: name) }
        if let cell = declared.dimensions.first(where: { $0.value == KPICell.all }) {
            throw SumOverflow(reservedWordIn: cell.dimension)
        }
        guard !total.hasOverflowed,
            SumLimit.allows(cells.lazy.map(\.sums)),
            SumLimit.allows(basisCells)
        else {
            throw SumOverflow()
        }
    }

    private static func sorted(_ words: [String]) -> [String] {
        words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// The words of the two text dimensions, by number.
struct DimensionWords: Sendable {
    /// Distinct trip types.
    let tripTypes: [String]
    /// Distinct regions.
    let regions: [String]
}

/// The words of the two text dimensions, numbered across all batches.
private struct BatchWords: Sendable {
    /// The words by number.
    let words: DimensionWords
    /// Per batch, the number of each entry of its trip type pool.
    let tripTypeNumbers: [[UInt32]]
    /// Per batch, the number of each entry of its region pool.
    let regionNumbers: [[UInt32]]

    init(batches: [PackedBatch], shape: TripShape) {
        var tripTypes = TextInterner()
        var regions = TextInterner()
        tripTypeNumbers = batches.map {
            tripTypes.wordCodes(of: $0.columns[shape.tripTypeIndex].texts)
        }
        regionNumbers = batches.map {
            regions.wordCodes(of: $0.columns[shape.regionIndex].texts)
        }
        words = DimensionWords(tripTypes: tripTypes.texts, regions: regions.texts)
    }
}

/// The distinct pairs of class and basis that rules give, numbered.
struct ClassAndBasisTable: Sendable {
    struct ClassAndBasis: Sendable, Hashable {
        let tripClass: TripClass
        let basis: String
    }

    /// Distinct pairs; the first is undetermined without basis.
    let entries: [ClassAndBasis]
    /// The index in `entries` of each rule number; that of rule number 0 is the undetermined pair.
    let numberOfRule: [Int]

    init(rules: [RuleEntry]) {
        var entries = [ClassAndBasis(tripClass: .undetermined, basis: "")]
        var numbers = [0]
        for rule in rules {
            let entry = ClassAndBasis(tripClass: rule.tripClass, basis: rule.basis)
            if let known = entries.firstIndex(of: entry) {
                numbers.append(known)
            } else {
                numbers.append(entries.count)
                entries.append(entry)
            }
        }
        self.entries = entries
        numberOfRule = numbers
    }
}

/// The values of trips that KPIs read, row by row, for packed and unpacked batches.
protocol KPIRows {
    /// A code of the trip type's pool.
    func tripTypeCode(_ row: Int) -> Int
    /// A code of the region's pool.
    func regionCode(_ row: Int) -> Int
    /// The local pick-up time, in seconds.
    func pickup(_ row: Int) -> Int64
    /// The cost in cents; nil where not known.
    func cost(_ row: Int) -> Int64?
    /// The loaded miles in hundredths; nil where not known.
    func miles(_ row: Int) -> Int64?
    /// Whether the trip counts.
    func isCounted(_ row: Int) -> Bool
    /// The number of the deciding rule; 0 where none held.
    func ruleNumber(_ row: Int) -> Int
}

/// The columns of a packed batch that KPIs need.
///
/// They are extracted once, because extracting a column from its enumeration for every trip costs
/// more than reading the value.
public struct KPIView: Sendable, KPIRows {
    /// The batch's file.
    public let fileIndex: Int
    private let tripTypeCodes: PackedIntegers.Reader
    private let regionCodes: PackedIntegers.Reader
    private let pickups: PackedIntegers.Reader
    private let costs: PackedIntegers.Reader?
    private let allMiles: PackedIntegers.Reader?
    private let ruleNumbers: PackedIntegers.Reader
    private let counted: PackedIntegers.Reader
    /// Keeps the columns alive.
    private let batch: PackedBatch

    /// Extracts the columns of a batch.
    public init(_ batch: PackedBatch, shape: TripShape) {
        self.batch = batch
        fileIndex = batch.fileIndex
        tripTypeCodes = batch.columns[shape.tripTypeIndex].texts.codes.reader
        regionCodes = batch.columns[shape.regionIndex].texts.codes.reader
        pickups = batch.columns[shape.pickupIndex].integers.reader
        costs = shape.costIndex.map { batch.columns[$0].integers.reader }
        allMiles = shape.milesIndex.map { batch.columns[$0].integers.reader }
        ruleNumbers = batch.ruleNumbers.reader
        counted = batch.counted.reader
    }

    func tripTypeCode(_ row: Int) -> Int { Int(truncatingIfNeeded: tripTypeCodes[row]) }
    func regionCode(_ row: Int) -> Int { Int(truncatingIfNeeded: regionCodes[row]) }
    func pickup(_ row: Int) -> Int64 { pickups.value(row) ?? 0 }

    /// A trip's cost in cents; nil where it is not known, or where the pipeline has none.
    public func cost(_ row: Int) -> Int64? { costs?.value(row) }

    /// A trip's loaded miles in hundredths; nil where they are not known, or where the pipeline has
    /// none.
    public func miles(_ row: Int) -> Int64? { allMiles?.value(row) }

    /// Whether a trip counts.
    public func isCounted(_ row: Int) -> Bool { counted[row] != 0 }

    /// The number of a trip's deciding rule; 0 where none held.
    public func ruleNumber(_ row: Int) -> Int { Int(truncatingIfNeeded: ruleNumbers[row]) }
}

/// The same columns of a batch that is not packed, for trips that are added up without being kept.
struct UnpackedKPIView: KPIRows {
    private let tripTypeCodes: [UInt32]
    private let regionCodes: [UInt32]
    private let pickups: IntegerColumn
    private let costs: IntegerColumn?
    private let allMiles: IntegerColumn?
    private let ruleNumbers: [UInt16]
    private let counted: [Bool]

    init(_ batch: TripBatch, shape: TripShape) {
        tripTypeCodes = batch.columns[shape.tripTypeIndex].texts.codes
        regionCodes = batch.columns[shape.regionIndex].texts.codes
        pickups = batch.columns[shape.pickupIndex].integers
        costs = shape.costIndex.map { batch.columns[$0].integers }
        allMiles = shape.milesIndex.map { batch.columns[$0].integers }
        ruleNumbers = batch.ruleNumbers
        counted = batch.counted
    }

    func tripTypeCode(_ row: Int) -> Int { Int(tripTypeCodes[row]) }
    func regionCode(_ row: Int) -> Int { Int(regionCodes[row]) }
    func pickup(_ row: Int) -> Int64 { pickups.value(row) ?? 0 }
    func cost(_ row: Int) -> Int64? { costs?.value(row) }
    func miles(_ row: Int) -> Int64? { allMiles?.value(row) }
    func isCounted(_ row: Int) -> Bool { counted[row] }
    func ruleNumber(_ row: Int) -> Int { Int(ruleNumbers[row]) }
}

/// The totals of trips that are added up without being kept.
///
/// They are made of the trips of one slice, or of other totals. All sums are whole numbers, so that
/// neither the slices nor the order of adding changes them.
public struct TripTotals: Sendable {
    /// All trips, counted or not, and their costs: what the ledger calls accepted.
    public internal(set) var amount = LedgerAmount()
    var sums: CellSums
    var tripTypes = TextInterner()
    var regions = TextInterner()

    /// No trips.
    ///
    /// - Parameter rules: The rules the trips' rule numbers refer to.
    public init(rules: [RuleEntry]) {
        sums = CellSums(classTable: ClassAndBasisTable(rules: rules))
    }

    /// Adds up classified trips, all of which are accepted.
    ///
    /// - Parameters:
    ///   - batch: The trips.
    ///   - shape: Their columns.
    ///   - rules: The rules their rule numbers refer to.
    /// - Complexity: O(*n*) in the trips; memory for the cells they fall into.
    public init(_ batch: TripBatch, shape: TripShape, rules: [RuleEntry]) {
        self.init(rules: rules)
        sums.declared = DeclaredSums(shape.declared)
        let view = UnpackedKPIView(batch, shape: shape)
        let types = tripTypes.wordCodes(of: batch.columns[shape.tripTypeIndex].texts.pool)
        let places = regions.wordCodes(of: batch.columns[shape.regionIndex].texts.pool)
        sums.add(view, count: batch.count, leavingOut: [], tripTypes: types, regions: places)
        sums.addDeclared(
            view,
            { $0.values(of: batch) },
            count: batch.count,
            leavingOut: [],
            tripTypes: types,
            regions: places
        )
        amount.items = Int64(batch.count)
        for row in 0..<batch.count { amount.cents += view.cost(row) ?? 0 }
    }

    /// The sums of all counted trips.
    public var counted: KPISums { sums.total }

    /// The words of the dimensions, by their numbers in cells.
    var words: DimensionWords {
        DimensionWords(tripTypes: tripTypes.texts, regions: regions.texts)
    }

    /// Adds the totals of other trips.
    ///
    /// - Complexity: O(*n*) in the cells of the other totals.
    public mutating func add(_ other: TripTotals) {
        amount += other.amount
        sums.merge(
            other.sums,
            tripTypes: tripTypes.wordCodes(of: other.tripTypes.pool),
            regions: regions.wordCodes(of: other.regions.pool)
        )
    }
}
