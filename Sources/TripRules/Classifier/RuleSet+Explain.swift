internal import TripDomain

/// Why a trip has its class.
public struct RuleExplanation: Sendable, Hashable {
    /// A name and its value for the trip.
    public struct NameReading: Sendable, Hashable {
        /// The name as rules write it.
        public let name: String
        /// Its value.
        public let value: ExpressionValue
        /// The reference file of a lookup's column, where a row was found.
        public let file: String?
        /// The line of that file the row begins on.
        public let lineNumber: Int?
    }

    /// One condition among those that AND joins at a rule's top.
    public struct ConjunctReading: Sendable, Hashable {
        /// Its text, as written.
        public let text: String
        /// What it gives for the trip.
        public let truth: Truth
        /// The names it uses.
        public let names: [NameReading]
    }

    /// One rule seen for the trip.
    public struct RuleReading: Sendable, Hashable {
        /// The rule's number, from 1.
        public let number: Int
        /// Whether the rule is valid on the trip's day.
        public let isValidThatDay: Bool
        /// What its condition gives.
        public let truth: Truth
        /// The conditions that AND joins at its top.
        public let conjuncts: [ConjunctReading]

        /// Whether the rule would decide the trip if no earlier rule did.
        public var holds: Bool { isValidThatDay && truth == .yes }
    }

    /// The smallest change that would give the trip another class.
    public struct NearestChange: Sendable, Hashable {
        /// The rule whose condition changes.
        public let ruleNumber: Int
        /// The index of that condition among the rule's, from 0.
        public let conjunctIndex: Int
        /// The name whose value would have to change.
        public let name: String
        /// Its value.
        public let current: ExpressionValue
        /// A value with which the class changes.
        public let needed: ExpressionValue
        /// The values with which it does not, where any other text does; nil where only
        /// ``needed`` was tried.
        public let excluded: [ExpressionValue]?
        /// The rule that would then decide; 0 for none.
        public let decidingRule: Int
    }

    /// The rule that decides; 0 where none does.
    public let decidingRule: Int
    /// Every rule, in order.
    public let rules: [RuleReading]
    /// The rule that would decide without the deciding one; 0 for none.
    public let nextRule: Int
    /// The smallest change that was found; nil where none was.
    public let nearestChange: NearestChange?
}

extension RuleSet {
    /// Explains one trip.
    ///
    /// - Parameters:
    ///   - frame: The trip's batch.
    ///   - row: The trip's row in it.
    /// - Returns: Every rule with its conditions and their values, and what would change the class.
    public func explain(_ frame: Frame, row: Int) -> RuleExplanation {
        let trip = FlatTrips.trip(frame, row, scope)
        let flat = FlatTrips.frame([trip], flatScope)
        let readings = rules.map { rule in
            RuleExplanation.RuleReading(
                number: rule.number,
                isValidThatDay: rule.validity.includes(flat.columns[pickupIndex].integers, 0),
                truth: rule.flatProgram.truths(flat)[0],
                conjuncts: rule.conjuncts.map { conjunct in
                    RuleExplanation.ConjunctReading(
                        text: conjunct.text,
                        truth: conjunct.program.truths(flat)[0],
                        names: conjunct.program.namesUsed.map {
                            reading($0, trip, frame, row)
                        }
                    )
                }
            )
        }
        let holding = readings.filter(\.holds)
        let deciding = holding.first?.number ?? 0
        return RuleExplanation(
            decidingRule: deciding,
            rules: readings,
            nextRule: holding.count > 1 ? holding[1].number : 0,
            nearestChange: nearestChange(trip, readings, deciding, frame, row)
        )
    }

    private func reading(
        _ name: String,
        _ trip: [ExpressionValue],
        _ frame: Frame,
        _ row: Int
    ) -> RuleExplanation.NameReading {
        let value = flatScope.columnIndex(name).map { trip[$0] } ?? .null
        let lookup = scope.lookups.indices.first { name.hasPrefix("\(scope.lookups[$0].name).") }
        guard let lookup, scope.columnIndex(name) == nil else {
            return RuleExplanation.NameReading(name: name, value: value, file: nil, lineNumber: nil)
        }
        let table = scope.lookups[lookup].table
        let matched = Int(frame.matches[lookup].rows[row])
        return RuleExplanation.NameReading(
            name: name,
            value: value,
            file: matched > 0 ? table.file : nil,
            lineNumber: matched > 0 ? Int(table.lineNumbers[matched]) : nil
        )
    }

    // MARK: The nearest change

    /// Finds one value that would give the trip another class.
    ///
    /// The rules are run with a value before it is returned.
    ///
    /// The trip's own fields come before the lookup rows: the next export may correct a field,
    /// while a row applies to all its trips. A lookup without a row for the trip has no value that
    /// could change.
    private func nearestChange(
        _ trip: [ExpressionValue],
        _ readings: [RuleExplanation.RuleReading],
        _ deciding: Int,
        _ frame: Frame,
        _ row: Int
    ) -> RuleExplanation.NearestChange? {
        let matched = scope.lookups.indices.filter { frame.matches[$0].rows[row] > 0 }
            .map { scope.lookups[$0].name + "." }
        return nearestChange(trip, readings, deciding) { scope.columnIndex($0) != nil }
            ?? nearestChange(trip, readings, deciding) { name in
                scope.columnIndex(name) == nil && matched.contains { name.hasPrefix($0) }
            }
    }

    /// Finds such a value among some names.
    ///
    /// An earlier rule that lacks one condition comes first, then a condition of the deciding rule
    /// without which another class would follow.
    private func nearestChange(
        _ trip: [ExpressionValue],
        _ readings: [RuleExplanation.RuleReading],
        _ deciding: Int,
        names: (String) -> Bool
    ) -> RuleExplanation.NearestChange? {
        for reading in readings where reading.isValidThatDay {
            if reading.number == deciding { break }
            let open = reading.conjuncts.indices.filter { reading.conjuncts[$0].truth != .yes }
            guard open.count == 1 else { continue }
            if let change = change(trip, reading.number, open[0], deciding, names) { return change }
        }
        guard deciding > 0 else { return nil }
        for index in rules[deciding - 1].conjuncts.indices {
            if let change = change(trip, deciding, index, deciding, names) { return change }
        }
        return nil
    }

    /// A value for a name of one condition that changes the trip's class.
    private func change(
        _ trip: [ExpressionValue],
        _ number: Int,
        _ conjunctIndex: Int,
        _ deciding: Int,
        _ names: (String) -> Bool
    ) -> RuleExplanation.NearestChange? {
        let conjunct = rules[number - 1].conjuncts[conjunctIndex]
        let current = tripClass(of: deciding)
        for name in conjunct.program.namesUsed where names(name) {
            guard let index = flatScope.columnIndex(name) else { continue }
            let candidates = candidates(name, in: conjunct).filter { $0 != trip[index] }
            func deciders(_ values: [ExpressionValue]) -> [Int] {
                let changed = values.map { value in
                    var changed = trip
                    changed[index] = value
                    return changed
                }
                return classifyFlat(FlatTrips.frame(changed, flatScope)).ruleNumbers.map(Int.init)
            }
            // Towards an earlier rule, only what makes that rule decide; away from the deciding
            // one, whatever gives another class.
            func changes(_ decider: Int) -> Bool {
                (number == deciding || decider == number) && tripClass(of: decider) != current
            }
            let decisions = deciders(candidates)
            if let found = decisions.firstIndex(where: changes) {
                let needed = candidates[found]
                let own = conjunct.syntax.constants(comparedWith: name)
                var excluded: [ExpressionValue]?
                if flatScope.columns[index].kind == .text, !constants(name).contains(needed),
                    needed != .null, deciders(Self.anyTexts).allSatisfy(changes)
                {
                    excluded = ([trip[index]] + own).filter { value in
                        value != .null && !deciders([value]).allSatisfy(changes)
                    }
                }
                return RuleExplanation.NearestChange(
                    ruleNumber: number,
                    conjunctIndex: conjunctIndex,
                    name: name,
                    current: trip[index],
                    needed: needed,
                    excluded: excluded.map(Self.distinct),
                    decidingRule: decisions[found]
                )
            }
        }
        return nil
    }

    /// Texts that stand for any other one: one before most texts, and one after them.
    private static let anyTexts: [ExpressionValue] = [.text("!"), .text("~")]

    private static func distinct(_ values: [ExpressionValue]) -> [ExpressionValue] {
        var seen: Set<ExpressionValue> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// The values that any rule compares a name with.
    ///
    /// - Parameter name: A name, as rules write it.
    /// - Returns: The values, each once, in the order of the rules.
    public func constants(_ name: String) -> [ExpressionValue] {
        Self.distinct(
            rules.flatMap(\.conjuncts).flatMap { $0.syntax.constants(comparedWith: name) }
        )
    }

    private func tripClass(of number: Int) -> TripClass {
        number == 0 ? .undetermined : definitions[number - 1].tripClass
    }

    /// Values worth trying for a name: those a condition compares it with, then those that other
    /// rules do, then their neighbours and NULL.
    private func candidates(_ name: String, in conjunct: Conjunct) -> [ExpressionValue] {
        guard let index = flatScope.columnIndex(name) else { return [] }
        let kind = flatScope.columns[index].kind
        let own = conjunct.syntax.constants(comparedWith: name)
        let others = constants(name)
        var values = own + others + (own + others).flatMap { $0.neighbors(kind) } + [.null]
        if kind == .boolean { values = [.integer(1), .integer(0)] + values }
        var tried: Set<ExpressionValue> = []
        return values.filter { $0.fits(kind) && tried.insert($0).inserted }
    }
}
