import Testing
import TripDomain

@testable import TripMart

/// The table beside a dictionary, in which nothing can be in another's place.
@Suite struct CubeTableTests {
    private static let places = CubePlaces(
        months: [Month(year: 2026, month: 1), Month(year: 2026, month: 3)],
        tripTypes: ["BLS", "ALS1", "SCT"].map { DimensionLabel(value: $0, label: $0) },
        regions: ["01", "02", "05", "06"].map { DimensionLabel(value: $0, label: $0) }
    )

    private static let keys: [CubeKey] = (0...2).flatMap { month in
        (0...3).flatMap { type in
            (0...4).map { CubeKey(month: month, tripType: type, region: $0) }
        }
    }

    @Test func everyGroupHasAPlaceOfItsOwn() {
        var table = CubeTable<Int>(Self.places)
        for (number, key) in Self.keys.enumerated() { table.set(number, at: key) }
        for (number, key) in Self.keys.enumerated() { #expect(table[key] == number) }
    }

    /// What is set in the order of the places is side by side as it is added up.
    @Test func keysAreOrderedAsTheirPlacesAre() {
        let table = CubeTable<CubeKey>(Self.places)
        let keys = Self.keys.sorted()
        #expect(keys.map(table.index) == Array(keys.indices))
        let expected = (0...3).flatMap { type in
            (0...4).flatMap { region in
                (0...2).map { CubeKey(month: $0, tripType: type, region: region) }
            }
        }
        #expect(keys == expected)
    }

    @Test func thoseThatHaveAValueComeBackWithIt() {
        var (table, twin) = (CubeTable<Int>(Self.places), [CubeKey: Int]())
        for (number, key) in Self.keys.enumerated() where number % 3 == 1 {
            table.set(-1, at: key)
            table.set(number, at: key)
            twin[key] = number
        }
        let entries = Dictionary(uniqueKeysWithValues: table.entries.map { ($0.key, $0.value) })
        #expect(entries == twin)
        for key in Self.keys { #expect(table[key] == twin[key]) }
    }
}
