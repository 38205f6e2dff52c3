import TripDomain
import TripEngine
import TripRules

/// The trips whose planned result comes from one edit.
public struct EditMove: Sendable, Hashable {
    /// The edit.
    public let name: String
    /// The sums of the trips.
    public internal(set) var sums = Sums()

    /// The sums of the trips.
    public struct Sums: Sendable, Hashable {
        /// Trips with a change: of rule, class, basis, region, type, or of whether they count.
        public internal(set) var trips: Int64 = 0
        /// The gain or loss of in-house trips that count.
        public internal(set) var inHouse: Int64 = 0
        /// The gain or loss of contracted trips that count.
        public internal(set) var contracted: Int64 = 0
        /// The gain or loss of undetermined trips that count.
        public internal(set) var undetermined: Int64 = 0
        /// The known cost of counted trips whose class changes, or that begin or cease to count.
        public internal(set) var costCents: Int64 = 0
        /// The numbers of the first of the trips.
        public internal(set) var samples: [Int64] = []

        /// Adds later trips.
        static func += (left: inout Sums, right: Sums) {
            left.trips += right.trips
            left.inHouse += right.inHouse
            left.contracted += right.contracted
            left.undetermined += right.undetermined
            left.costCents += right.costCents
            left.samples += right.samples
                .prefix(DecisionChanges.sampleCount - left.samples.count)
        }

        /// Adds one trip's class.
        mutating func add(_ tripClass: TripClass, _ count: Int64) {
            switch tripClass {
            case .inHouse: inHouse += count
            case .contracted: contracted += count
            case .undetermined: undetermined += count
            }
        }
    }
}

extension EditSteps {
    /// Finds the edit from which the planned result of each trip of a batch comes.
    ///
    /// - Parameters:
    ///   - stored: The trips as a generation stores them.
    ///   - planned: The same trips after all edits.
    /// - Returns: The rows of trips with a change, each with the first step after which its result
    ///   is the final one.
    /// - Complexity: O(*n*) in the trips, and O(*m* *s*) in those that move and the steps.
    func moves(_ stored: ClassifiedTrips, _ planned: ClassifiedTrips) -> [(row: Int, step: Int)] {
        var results = ClassificationResults()
        let before = results.results(of: stored)
        let after = results.results(of: planned)
        let rows = before.indices.filter { before[$0] != after[$0] }
        guard !rows.isEmpty else { return [] }
        let moving = stored.batch.gathered(rows)
        let between = classifiers.map { classifier in
            results.results(
                of: ClassifiedTrips(
                    classifier.reclassify(moving).batch,
                    classifier.shape,
                    classifier.rules
                )
            )
        }
        return rows.enumerated().map { index, row in
            var step = between.count
            while step > 0, between[step - 1][index] == after[row] { step -= 1 }
            return (row, step)
        }
    }

    /// Sums up the trips of a batch by the edit that their planned result comes from.
    ///
    /// Each trip is counted once: at the first step after which its result is the final one.
    ///
    /// - Parameters:
    ///   - stored: The trips as the generation stores them.
    ///   - planned: The same trips as planned.
    ///   - firstNumber: The number of the first of them.
    /// - Returns: The sums of each step.
    /// - Complexity: O(*n*) in the trips, and O(*m* *s*) in those that move and the steps.
    func sums(
        _ stored: ClassifiedTrips,
        _ planned: ClassifiedTrips,
        firstNumber: Int64
    ) -> [EditMove.Sums] {
        var sums = names.map { _ in EditMove.Sums() }
        let cost = planned.shape.costIndex.map { planned.batch.columns[$0].integers }
        for (row, step) in moves(stored, planned) {
            sums[step].trips += 1
            if sums[step].samples.count < DecisionChanges.sampleCount {
                sums[step].samples.append(firstNumber + Int64(row))
            }
            let (old, new) = (stored.tripClass(row), planned.tripClass(row))
            if let old { sums[step].add(old, -1) }
            if let new { sums[step].add(new, 1) }
            if old != new { sums[step].costCents += cost?.value(row) ?? 0 }
        }
        return sums
    }
}

/// Trips with the rules they were classified by.
struct ClassifiedTrips {
    let batch: TripBatch
    let shape: TripShape
    let rules: [RuleEntry]

    init(_ batch: TripBatch, _ shape: TripShape, _ rules: [RuleEntry]) {
        self.batch = batch
        self.shape = shape
        self.rules = rules
    }

    /// The trips of some rows.
    func gathered(_ rows: [Int]) -> ClassifiedTrips {
        ClassifiedTrips(batch.gathered(rows), shape, rules)
    }

    /// The class of a trip that counts; nil where it does not.
    fileprivate func tripClass(_ row: Int) -> TripClass? {
        guard batch.counted[row] else { return nil }
        let rule = Int(batch.ruleNumbers[row])
        return rule == 0 ? .undetermined : rules[rule - 1].tripClass
    }
}

extension ClassificationResults {
    fileprivate mutating func results(of decided: ClassifiedTrips) -> [ClassificationResult] {
        results(of: decided.batch, decided.shape, decided.rules)
    }
}
