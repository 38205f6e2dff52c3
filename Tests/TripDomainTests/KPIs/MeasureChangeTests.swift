import TestSupport
import Testing
import TripDomain

@Suite struct MeasureChangeTests {
    private static func state(
        _ name: String,
        _ kind: DeclaredMeasure.Kind = .sum,
        _ amount: DeclaredMeasure.Amount = .whole,
        unit: String = "",
        of column: String = "c",
        is value: Int64? = 1,
        known: Int64 = 1
    ) -> MeasureChange.State {
        MeasureChange.State(
            DeclaredMeasure(
                name: name,
                kind: kind,
                column: column,
                amount: amount,
                label: name,
                unit: unit
            ),
            MeasureValue(knownTrips: known, value: value)
        )
    }

    @Test func theLaterMeasuresComeFirstAndThenThoseOfBeforeAlone() {
        let changes = MeasureChange.all(
            [Self.state("a"), Self.state("gone"), Self.state("b")],
            [Self.state("b"), Self.state("new"), Self.state("a")]
        )
        #expect(changes.map(\.measure.name) == ["b", "new", "a", "gone"])
        #expect(
            changes.map(\.comparison) == [.same, .declaredSince, .same, .noLongerDeclared]
        )
        #expect(changes.map(\.change) == [0, nil, 0, nil])
        #expect(changes.map(\.isUnmoved) == [true, false, true, false])
    }

    /// Texts that are equal in Unicode are two names.
    @Test func namesAreComparedByTheirBytes() {
        let changes = MeasureChange.all([Self.state("caf\u{e9}")], [Self.state("cafe\u{301}")])
        #expect(changes.map(\.comparison) == [.declaredSince, .noLongerDeclared])
    }

    @Test(
        arguments: [
            (state("m"), MeasureChange.Comparison.same), (state("m", .mean), .declaredOtherwise),
            (state("m", .sum, .cents), .declaredOtherwise),
            (state("m", unit: "min"), .declaredOtherwise), (state("m", of: "other"), .same),
        ]
    )
    func anotherKindAmountOrUnitIsNotCompared(
        after: MeasureChange.State,
        comparison: MeasureChange.Comparison
    ) {
        let change = MeasureChange.all([Self.state("m")], [after])[0]
        #expect(change.comparison == comparison)
        #expect(change.change == (comparison == .same ? 0 : nil))
        #expect(change.measure == after.measure)
    }

    @Test func whatIsKnownOfNoTripHasNoDifference() {
        let (none, some) = (Self.state("m", is: nil, known: 0), Self.state("m", is: -5))
        #expect(MeasureChange.all([none], [some])[0].change == nil)
        #expect(MeasureChange.all([some], [none])[0].change == nil)
        #expect(MeasureChange.all([some], [Self.state("m", is: 7)])[0].change == 12)
        #expect(MeasureChange.all([none], [none])[0].isUnmoved)
        let wider = Self.state("m", is: -5, known: 2)
        #expect(MeasureChange.all([some], [wider])[0].isUnmoved, "of more trips")
    }

    /// The slow twin: the values of all groups in one list.
    @Test(arguments: UInt64(1)...20)
    func totalsAreThoseOfTheValuesOfAllGroups(seed: UInt64) {
        var dice = SeededDice(seed: seed)
        var declared = DeclaredKPIs()
        declared.measures = DeclaredMeasure.Kind.allCases.map { kind in
            Self.state(kind.rawValue, kind, dice.below(2) == 0 ? .whole : .cents).measure
        }
        var values: [[Int64]] = declared.measures.map { _ in [] }
        for region in 0..<dice.below(6) {
            let group = DeclaredGroup(
                month: "2026-0\(1 + dice.below(3))",
                tripType: "BLS",
                region: "\(region)",
                tripClass: .inHouse,
                basis: "va_fleet"
            )
            for (number, measure) in declared.measures.enumerated() where dice.below(4) > 0 {
                let most = measure.kind == .count ? 2 : 40
                let own = (0...dice.below(9)).map { _ in Int64(dice.below(most)) }
                values[number] += own
                declared.cells.measures.append(
                    MeasureCell(
                        measure: measure.name,
                        group: group,
                        sums: MeasureSums(knownTrips: Int64(own.count), sum: own.reduce(0, +))
                    )
                )
                guard measure.kind == .median else { continue }
                declared.cells.values += Set(own).sorted().map { value in
                    let trips = Int64(own.count { $0 == value })
                    return MeasureValueCell(
                        measure: measure.name,
                        group: group,
                        count: ValueCount(value: value, trips: trips)
                    )
                }
            }
        }
        #expect(declared.totals.map(\.measure) == declared.measures)
        for (total, own) in zip(declared.totals, values) {
            #expect(total.value.knownTrips == own.count)
            #expect(total.value.value == Self.plain(total.measure, own.sorted()))
        }
    }

    /// A measure of some values, in their order.
    private static func plain(_ measure: DeclaredMeasure, _ values: [Int64]) -> Int64? {
        guard !values.isEmpty else { return nil }
        let sum = values.reduce(0, +)
        let (low, high) = (values[(values.count - 1) / 2], values[values.count / 2])
        let scale = measure.isInHundredths ? 100.0 : 1.0
        return switch measure.kind {
        case .count, .sum: sum
        case .mean: Int64((Double(sum) * scale / Double(values.count) + 0.5).rounded(.down))
        case .median: Int64((Double(low + high) * scale / 2 + 0.5).rounded(.down))
        }
    }
}
