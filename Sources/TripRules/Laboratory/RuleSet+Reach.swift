internal import TripDomain

/// Whether a rule can decide any trip at all.
public enum RuleReach: Sendable, Hashable {
    /// It can: `witness` is a trip that it decides, by the names that matter.
    case canDecide(witness: [String: ExpressionValue])
    /// It cannot, whatever the trip: no trip meets its own conditions.
    case neverHolds
    /// It cannot, whatever the trip: these earlier rules decide every trip that it could decide.
    case alwaysShadowed(ruleNumbers: [Int])
    /// Its condition, or an earlier rule's, is too complex for the analysis.
    case notDecided
}

extension RuleSet {
    /// The most boxes of trips that the analysis keeps at once.
    private static let pieceLimit = 512

    /// Finds rules that can never decide.
    ///
    /// The analysis is exact for comparisons of one name with constants, IN, BETWEEN, tests for
    /// NULL and the rules' dates, however AND, OR and NOT join them. It says that a rule cannot
    /// decide only where that is proven: any other condition counts as true for every trip in the
    /// rule itself, and as false for every trip in the rules before it.
    ///
    /// - Returns: A verdict per rule.
    public func reach() -> [RuleReach] {
        let analysis = ConditionSets(scope: flatScope)
        let possible = rules.map { boxes(of: $0, analysis) }
        let kept = passingExamples()
        return rules.indices.map { index in
            if let verdict = verdict(index, possible, analysis) { return verdict }
            return kept[index].map { .canDecide(witness: $0) } ?? .notDecided
        }
    }

    /// Boxes that hold every trip for which a rule can hold; nil for too many.
    func boxes(of rule: Rule, _ analysis: ConditionSets) -> [TripBox]? {
        guard case .condition(let node) = rule.flatProgram.root,
            let boxes = analysis.boxes(node)
        else { return nil }
        guard !rule.validity.isUnbounded else { return boxes }
        func text(_ date: CivilDate) -> Scalar { .text(Array(date.text.utf8)) }
        let days = ValueSet(
            from: rule.definition.validFrom.map { .before(text($0)) } ?? .start,
            to: rule.definition.validTo.map { .after(text($0)) } ?? .end
        )
        guard !days.isEmpty else { return [] }
        return boxes.compactMap { $0.intersection(TripBox(sets: [pickupIndex: days])) }
    }

    /// The verdict that the boxes give; nil where they give none.
    private func verdict(
        _ index: Int,
        _ boxes: [[TripBox]?],
        _ analysis: ConditionSets
    ) -> RuleReach? {
        guard var rest = boxes[index] else { return nil }
        guard !rest.isEmpty else { return .neverHolds }
        var shadowing: [Int] = []
        for earlier in 0..<index {
            let before = rest
            for box in boxes[earlier] ?? [] where box.isExact {
                rest = rest.flatMap { $0.subtracting(box, domain: analysis.domain) }
                guard rest.count <= Self.pieceLimit else { return nil }
            }
            if rest.map(\.sets) != before.map(\.sets) { shadowing.append(earlier + 1) }
            if rest.isEmpty { return .alwaysShadowed(ruleNumbers: shadowing) }
        }
        // The rule only probably decides a trip that is left; the rules are run to find out.
        for box in rest.prefix(8) {
            guard let trip = sample(box, analysis) else { continue }
            let decided = classifyFlat(FlatTrips.frame([trip], flatScope)).ruleNumbers[0]
            guard Int(decided) == index + 1 else { continue }
            return .canDecide(witness: named(trip, box.sets.keys.sorted()))
        }
        return nil
    }

    func named(
        _ trip: [ExpressionValue],
        _ indexes: [Int]
    ) -> [String: ExpressionValue] {
        Dictionary(
            indexes.map { (flatScope.columns[$0].name, trip[$0]) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// One trip of a box; nil where no value was found for some name.
    ///
    /// - Parameters:
    ///   - box: The trips to choose from.
    ///   - analysis: Knows the values that names can have.
    ///   - prefersKnown: Whether the names of the box get a value rather than NULL.
    /// - Returns: Its values, per column of the flattened scope.
    func sample(
        _ box: TripBox,
        _ analysis: ConditionSets,
        prefersKnown: Bool = false
    ) -> [ExpressionValue]? {
        var trip: [ExpressionValue] = []
        for (index, column) in flatScope.columns.enumerated() {
            guard column.kind != .patient else {
                trip.append(.null)
                continue
            }
            let set = box.sets[index] ?? analysis.domain(index)
            let known = prefersKnown && box.sets[index] != nil ? set.subtracting(.null) : nil
            guard let value = known?.sample(column.kind) ?? set.sample(column.kind) else {
                return nil
            }
            trip.append(value)
        }
        return trip
    }

    /// Per rule, an example that the rule promises to decide and does decide.
    private func passingExamples() -> [[String: ExpressionValue]?] {
        var kept = [[String: ExpressionValue]?](repeating: nil, count: rules.count)
        for outcome in checkExamples()
        where outcome.promise == .decides && outcome.result == .asPromised {
            let index = outcome.ruleNumber - 1
            let example = definitions[index].decides[outcome.index]
            guard kept[index] == nil, case .success(let trip) = read(example) else { continue }
            kept[index] = named(
                trip,
                example.keys.compactMap { flatScope.columnIndex($0) }.sorted()
            )
        }
        return kept
    }
}

extension ValueSet {
    /// A value of the set that a column of a kind can hold; nil where none is found.
    fileprivate func sample(_ kind: ColumnKind) -> ExpressionValue? {
        let bounds = edges.compactMap { edge in
            if case .cut(let value, _) = edge { value.shown } else { nil }
        }
        let defaults: [ExpressionValue] = [
            .text("X"), .text(""), .text("2025-06-15"), .text("2025-06-15 12:00:00"), .integer(0),
            .integer(1), .real(0), .real(1),
        ]
        let candidates = bounds + bounds.flatMap { $0.neighbors(kind) } + defaults
        if hasNull { return .null }
        return candidates.first { value in
            guard value.fits(kind), let scalar = value.scalar else { return false }
            return contains(scalar)
        }
    }
}

extension Scalar {
    /// The value for people.
    fileprivate var shown: ExpressionValue {
        switch self {
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        }
    }
}

extension ExpressionValue {
    /// The value as the analysis orders it; nil for NULL.
    fileprivate var scalar: Scalar? {
        switch self {
        case .null: nil
        case .text(let text): .text(Array(text.utf8))
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        }
    }
}
