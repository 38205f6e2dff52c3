import TestSupport
import Testing
import TripDomain

/// Values of declared measures against the plainest definition, over a list of single values.
@Suite struct DeclaredMeasureTests {
    private static func measure(
        _ kind: DeclaredMeasure.Kind,
        _ amount: DeclaredMeasure.Amount = .whole
    ) -> DeclaredMeasure {
        DeclaredMeasure(name: "m", kind: kind, column: "c", amount: amount, label: "m")
    }

    /// The value that answers give, from the sums and the counts of values.
    private static func value(_ measure: DeclaredMeasure, _ values: [Int64]) -> Int64? {
        let counts = Dictionary(grouping: values) { $0 }.mapValues { Int64($0.count) }
        return MeasureValue(
            measure,
            MeasureSums(knownTrips: Int64(values.count), sum: values.reduce(0, +)),
            values: MeasureGroups.sorted(counts)
        ).value
    }

    @Test(
        arguments: [
            ([], nil, nil), ([7], 700, 700), ([1, 2], 150, 150), ([2, 1, 4], 200, 233),
            ([-1, -2], -150, -150), ([-1, 0, 0, -1], -50, -50), ([5, 5, 5, 9], 500, 600),
            ([1, 1, 2, 2, 2, 100], 200, 1800), ([0, 0, 1], 0, 33), ([0, -1, 0], 0, -33),
        ] as [([Int64], Int64?, Int64?)]
    )
    func theMedianAndTheMeanOfWholeNumbersAreInHundredths(
        values: [Int64],
        median: Int64?,
        mean: Int64?
    ) {
        #expect(Self.value(Self.measure(.median), values) == median)
        #expect(Self.value(Self.measure(.mean), values) == mean)
    }

    @Test(
        arguments: [([1, 2], 2, 2), ([-1, -2], -1, -1), ([10, 20, 21], 20, 17), ([-3], -3, -3)]
            as [([Int64], Int64, Int64)]
    )
    func amountsAreRoundedToTheWholeCentAndAHalfGoesUp(
        values: [Int64],
        median: Int64,
        mean: Int64
    ) {
        #expect(Self.value(Self.measure(.median, .cents), values) == median)
        #expect(Self.value(Self.measure(.mean, .cents), values) == mean)
    }

    /// The slow twin: sort the values, take the two in the middle.
    @Test(arguments: UInt64(1)...40)
    func aMedianIsTheMiddleOfTheSortedValues(seed: UInt64) {
        var dice = SeededDice(seed: seed)
        let values = (0..<(1 + dice.below(60))).map { _ in Int64(dice.below(25)) - 12 }
        let sorted = values.sorted()
        let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        #expect(Self.value(Self.measure(.median), values) == 50 * (low + high))
    }

    @Test func aSumAndACountAreTheSum() {
        #expect(Self.value(Self.measure(.sum), [4, -9]) == -5)
        #expect(Self.value(Self.measure(.count), [1, 0, 1]) == 2)
        #expect(Self.value(Self.measure(.sum), []) == nil)
    }

    @Test func amountsCarryTheirUnitInTheName() {
        #expect(Self.measure(.sum).columnName == "m")
        #expect(Self.measure(.mean, .cents).columnName == "m_cents")
        #expect(Self.measure(.median, .hundredthsOfMile).columnName == "m_hundredths")
        #expect(Self.measure(.count, .cents).columnName == "m")
        #expect(Self.measure(.count).knownName == nil)
        #expect(Self.measure(.mean).knownName == "m_known_trips")
    }
}
