/// A declared measure of the same trips in two states: in two generations, or now and as planned.
public struct MeasureChange: Sendable, Hashable {
    /// A measure as one state declares it, with its value there.
    public struct State: Sendable, Hashable {
        /// The measure.
        public let measure: DeclaredMeasure
        /// Its value.
        public let value: MeasureValue

        /// Pairs both.
        public init(_ measure: DeclaredMeasure, _ value: MeasureValue) {
            self.measure = measure
            self.value = value
        }
    }

    /// Whether the two values can be compared.
    public enum Comparison: String, Sendable {
        /// Both states declare the measure alike.
        case same
        /// The later state alone declares it.
        case declaredSince = "declared_since"
        /// The earlier state alone declares it.
        case noLongerDeclared = "no_longer_declared"
        /// They declare it as another kind, of another amount or in another unit.
        case declaredOtherwise = "declared_otherwise"
    }

    /// The measure as the later state declares it, or as the earlier one does where that is alone.
    public let measure: DeclaredMeasure
    /// The earlier state; nil where it does not declare the measure.
    public let before: State?
    /// The later state; nil where it does not declare the measure.
    public let after: State?

    private init(_ measure: DeclaredMeasure, before: State?, after: State?) {
        self.measure = measure
        self.before = before
        self.after = after
    }

    /// Pairs the measures of two states by their names.
    ///
    /// - Parameters:
    ///   - before: The measures of the earlier state, in the order of its pipeline.
    ///   - after: Those of the later state, in the order of its pipeline.
    /// - Returns: The later state's measures in their order, then those that it no longer declares.
    public static func all(_ before: [State], _ after: [State]) -> [MeasureChange] {
        func same(_ state: State, _ states: [State]) -> State? {
            states.first { ValueBytes($0.measure.name) == ValueBytes(state.measure.name) }
        }
        return after.map { MeasureChange($0.measure, before: same($0, before), after: $0) }
            + before.filter { same($0, after) == nil }
            .map { MeasureChange($0.measure, before: $0, after: nil) }
    }

    /// Whether the two values can be compared.
    ///
    /// A measure of another column is compared all the same: the difference is what that edit does.
    public var comparison: Comparison {
        guard let before else { return .declaredSince }
        guard let after else { return .noLongerDeclared }
        let (old, new) = (before.measure, after.measure)
        let isAlike =
            old.kind == new.kind && old.amount == new.amount
            && ValueBytes(old.unit) == ValueBytes(new.unit)
        return isAlike ? .same : .declaredOtherwise
    }

    /// The later value less the earlier one, in hundredths where the measure is; nil where they
    /// cannot be compared, or where one of them is known of no trip.
    public var change: Int64? {
        guard comparison == .same, let old = before?.value.value, let new = after?.value.value
        else { return nil }
        return new - old
    }

    /// Whether both states have the same value, of however many trips it is known.
    public var isUnmoved: Bool {
        comparison == .same && before?.value.value == after?.value.value
    }
}

extension DeclaredKPIs {
    /// The measures with their values for all counted trips together.
    ///
    /// - Complexity: O(*n* log *n*) in the cells of each measure.
    public var totals: [MeasureChange.State] {
        measures.map { measure in
            var sums = MeasureSums()
            for cell in cells.measures where cell.measure == measure.name { sums += cell.sums }
            var counts: [Int64: Int64] = [:]
            for cell in cells.values where cell.measure == measure.name {
                counts[cell.count.value, default: 0] += cell.count.trips
            }
            let value = MeasureValue(measure, sums, values: MeasureGroups.sorted(counts))
            return MeasureChange.State(measure, value)
        }
    }
}
