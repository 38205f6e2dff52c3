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
    /// - Throws: ``EngineError`` with code `overflow` where the amounts cannot be added up: see ``SumLimit``.
    public init(
        batches: [PackedBatch],
        accepted: AcceptedTrips,
        shape: TripShape,
        rules: [RuleEntry],
        threadCount: Int
    ) throws(EngineError) {
        let numbered = BatchWords(batches: batches, shape: shape)
        let grounds = ClassGrounds(rules: rules)
        let runs = batches.runs(count: max(1, min(threadCount, accepted.count / 65_536 + 1)))
        let parts = ParallelWork.map(count: runs.count, threadCount: threadCount) { run in
            var sums = CellSums(grounds: grounds)
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
        var total = CellSums(grounds: grounds)
        for sums in parts { total.merge(sums) }
        try self.init(total, words: numbered.words)
    }

    /// Takes what was added up without keeping a trip.
    ///
    /// - Parameter totals: The totals of all accepted trips.
    /// - Throws: ``EngineError`` with code `overflow` where the amounts cannot be added up: see ``SumLimit``.
    public init(_ totals: TripTotals) throws(EngineError) {
        try self.init(totals.sums, words: totals.words)
    }

    private init(_ total: CellSums, words: DimensionWords) throws(EngineError) {
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
            throw EngineError(
                code: .overflow,
                place: nil,
                remedy: "Check the amounts of the exports: their sum is too large to be true."
            )
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
        var tripTypes = WordNumbers()
        var regions = WordNumbers()
        tripTypeNumbers = batches.map {
            tripTypes.numbers(of: $0.columns[shape.tripTypeIndex].texts)
        }
        regionNumbers = batches.map { regions.numbers(of: $0.columns[shape.regionIndex].texts) }
        words = DimensionWords(tripTypes: tripTypes.texts, regions: regions.texts)
    }
}

/// The distinct pairs of class and basis that rules give, numbered.
struct ClassGrounds: Sendable {
    struct Ground: Sendable, Hashable {
        let tripClass: TripClass
        let basis: String
    }

    /// Distinct grounds; the first is undetermined without basis.
    let grounds: [Ground]
    /// The ground of each rule number; entry 0 is the undetermined one.
    let numberOfRule: [Int]

    init(rules: [RuleEntry]) {
        var grounds = [Ground(tripClass: .undetermined, basis: "")]
        var numbers = [0]
        for rule in rules {
            let ground = Ground(tripClass: rule.tripClass, basis: rule.basis)
            if let known = grounds.firstIndex(of: ground) {
                numbers.append(known)
            } else {
                numbers.append(grounds.count)
                grounds.append(ground)
            }
        }
        self.grounds = grounds
        numberOfRule = numbers
    }
}
