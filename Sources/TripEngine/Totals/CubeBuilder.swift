public import TripDomain

/// The KPIs of accepted, counted trips by month, trip type and region.
public struct Cube: Sendable {
    /// All cells of all eight grouping sets, by month, trip type and region as bytes.
    public let cells: [KPICell]
    /// The cell of all months, trip types and regions.
    public let total: KPISums
    /// The cells split by class and basis, in the same order, then by class and basis.
    public let basisCells: [BasisCell]
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
    /// - Throws: ``SumOverflow`` where the amounts cannot be added up: see
    ///   ``SumLimit``.
    public init(
        batches: [PackedBatch],
        accepted: AcceptedTrips,
        shape: TripShape,
        rules: [RuleEntry],
        threadCount: Int
    ) throws(SumOverflow) {
        let numbered = BatchWords(batches: batches, shape: shape)
        let classTable = ClassAndBasisTable(rules: rules)
        let runs = batches.runs(count: max(1, min(threadCount, accepted.count / 65_536 + 1)))
        let parts = Parallel.map(runs.count, threads: threadCount) { run in
            var sums = CellSums(classTable: classTable)
            for batch in runs[run] {
                sums.add(
                    KPIView(batches[batch], shape: shape),
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
        try self.init(total, words: numbered.words)
    }

    /// Makes the cube of totals that were added up without keeping a trip.
    ///
    /// - Parameter totals: The totals of all accepted trips.
    /// - Throws: ``SumOverflow`` where the amounts cannot be added up: see
    ///   ``SumLimit``.
    public init(_ totals: TripTotals) throws(SumOverflow) {
        try self.init(totals.sums, words: totals.words)
    }

    private init(_ total: CellSums, words: DimensionWords) throws(SumOverflow) {
        lastPickup = total.lastPickup
        (cells, basisCells) = total.rolledUp(words: words)
        self.total =
            cells.first { cell in
                [cell.month, cell.tripType, cell.region].allSatisfy { $0 == KPICell.all }
            }?.sums ?? KPISums()
        tripTypes = Self.sorted(total.seenTripTypes.map { words.tripTypes[Int($0)] })
        regions = Self.sorted(total.seenRegions.map { words.regions[Int($0)] })
        guard !total.hasOverflowed, SumLimit.allows(cells.lazy.map(\.sums)),
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
