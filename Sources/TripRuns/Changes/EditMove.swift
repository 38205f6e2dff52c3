import TripDomain
import TripEngine

/// Trips that one edit brought where a plan has them.
struct EditMove: Sendable, Hashable {
    /// What was edited.
    let name: String
    var sums = Sums()

    /// What the trips come to.
    struct Sums: Sendable, Hashable {
        /// Trips for which something is otherwise: rule, class, basis, region, type, or whether they count.
        var trips: Int64 = 0
        /// By how many the classes change, of those that count.
        var inHouse: Int64 = 0
        var contracted: Int64 = 0
        var undetermined: Int64 = 0
        /// The known cost of counted trips whose class is another, or that came to count or ceased to.
        var costCents: Int64 = 0
        /// The numbers of the first of the trips.
        var samples: [Int64] = []

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
    /// Finds the edit that brought each trip of a batch where it is now.
    ///
    /// - Parameters:
    ///   - stored: The trips as a generation has them.
    ///   - planned: The same trips as all edits have them.
    /// - Returns: The rows of trips for which anything is otherwise, each with the step from which on it stands where
    ///   the last one has it.
    /// - Complexity: O(*n*) in the trips, and O(*m* *s*) in those that move and the steps.
    func moves(_ stored: Decided, _ planned: Decided) -> [(row: Int, step: Int)] {
        var standings = TripStandings()
        let before = standings.standings(of: stored)
        let after = standings.standings(of: planned)
        let rows = before.indices.filter { before[$0] != after[$0] }
        guard !rows.isEmpty else { return [] }
        let moving = stored.batch.gathered(rows)
        let between = classifiers.map { classifier in
            standings.standings(
                of: Decided(classifier.reclassify(moving).batch, classifier.shape, classifier.rules)
            )
        }
        return rows.enumerated().map { place, row in
            var step = between.count
            while step > 0, between[step - 1][place] == after[row] { step -= 1 }
            return (row, step)
        }
    }

    /// Adds up the trips of a batch by the edit that brought them where they are now.
    ///
    /// Each trip is counted once: at the step from which on it stands where the last one has it.
    ///
    /// - Parameters:
    ///   - stored: The trips as the generation has them.
    ///   - planned: The same trips as planned.
    ///   - firstNumber: The number of the first of them.
    /// - Returns: The sums of each step.
    /// - Complexity: O(*n*) in the trips, and O(*m* *s*) in those that move and the steps.
    func sums(_ stored: Decided, _ planned: Decided, firstNumber: Int64) -> [EditMove.Sums] {
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

/// Some trips with the rules they were decided by.
struct Decided {
    let batch: TripBatch
    let shape: TripShape
    let rules: [RuleEntry]

    init(_ batch: TripBatch, _ shape: TripShape, _ rules: [RuleEntry]) {
        self.batch = batch
        self.shape = shape
        self.rules = rules
    }

    /// Some of the trips.
    func gathered(_ rows: [Int]) -> Decided { Decided(batch.gathered(rows), shape, rules) }

    /// The class of a trip that counts; nil where it does not.
    fileprivate func tripClass(_ row: Int) -> TripClass? {
        guard batch.counted[row] else { return nil }
        let rule = Int(batch.ruleNumbers[row])
        return rule == 0 ? .undetermined : rules[rule - 1].tripClass
    }
}

extension TripStandings {
    fileprivate mutating func standings(of decided: Decided) -> [Standing] {
        standings(of: decided.batch, decided.shape, decided.rules)
    }
}
