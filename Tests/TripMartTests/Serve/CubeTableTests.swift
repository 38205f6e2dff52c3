import Testing
import TripDomain

@testable import TripMart

/// Compares the table with a dictionary, as the reference.
@Suite struct CubeTableTests {
    private static let cubeIndex = CubeIndex(
        months: [Month(year: 2026, month: 1), Month(year: 2026, month: 3)],
        tripTypes: ["BLS", "ALS1", "SCT"].map { DimensionLabel(value: $0, label: $0) },
        regions: ["01", "02", "05", "06"].map { DimensionLabel(value: $0, label: $0) }
    )

    private static let keys: [CubeKey] = (0...2).flatMap { month in
        (0...3).flatMap { type in
            (0...4).map { CubeKey(month: month, tripType: type, region: $0) }
        }
    }

    @Test func everyGroupHasItsOwnPosition() {
        var table = CubeTable<Int>(Self.cubeIndex)
        for (number, key) in Self.keys.enumerated() { table.set(number, at: key) }
        for (number, key) in Self.keys.enumerated() { #expect(table[key] == number) }
    }

    /// Values that are inserted in the order of their positions are adjacent where they are added
    /// up.
    @Test func keysHaveTheOrderOfTheirPositions() {
        let table = CubeTable<CubeKey>(Self.cubeIndex)
        let keys = Self.keys.sorted()
        #expect(keys.map(table.index) == Array(keys.indices))
        let expected = (0...3).flatMap { type in
            (0...4).flatMap { region in
                (0...2).map { CubeKey(month: $0, tripType: type, region: region) }
            }
        }
        #expect(keys == expected)
    }

    @Test func entriesAreTheInsertedValues() {
        var (table, reference) = (CubeTable<Int>(Self.cubeIndex), [CubeKey: Int]())
        for (number, key) in Self.keys.enumerated() where number % 3 == 1 {
            table.set(-1, at: key)
            table.set(number, at: key)
            reference[key] = number
        }
        let entries = Dictionary(uniqueKeysWithValues: table.entries.map { ($0.key, $0.value) })
        #expect(entries == reference)
        for key in Self.keys { #expect(table[key] == reference[key]) }
    }
}
