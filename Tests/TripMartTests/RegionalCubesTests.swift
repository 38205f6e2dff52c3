import Testing
import TripDomain

@testable import TripMart

@Suite struct RegionalCubesTests {
    private static let places = CubePlaces(
        months: [Month(monthNumber: 24_300)],
        tripTypes: [],
        regions: ["\u{e9}", "e\u{301}", "08", "10"].map { DimensionLabel(value: $0, label: $0) }
    )

    /// A cube of some cells.
    private static func cube(_ count: UInt32 = 1) -> ServedCube {
        var cells = CubeTable<ServedCell>(places)
        for region in 0..<count {
            cells.set(.empty, at: CubeKey(month: 1, tripType: 0, region: region))
        }
        return ServedCube(places: places, cells: cells)
    }

    /// How often cubes are made where these are asked for, one after the other.
    private static func makeCount(_ asked: [Set<String>], cellCountMax: Int = 100) -> Int {
        let cubes = RegionalCubes(cellCountMax: cellCountMax)
        var count = 0
        for regions in asked {
            _ = cubes.cube(of: regions, in: places) {
                count += 1
                return cube(2)
            }
        }
        return count
    }

    @Test func eachIsMadeOnce() {
        #expect(Self.makeCount([["08"], ["08"], ["08", "10"], ["10", "08"], ["08"]]) == 2)
        // What does not occur makes no difference.
        #expect(Self.makeCount([["08"], ["08", "none"], ["none"], []]) == 2)
    }

    /// Regions are told apart by their bytes, here as everywhere: nobody gets the cube of somebody else's regions.
    @Test func namesThatUnicodeCallsEqualAreTwo() {
        let (one, other) = ("\u{e9}", "e\u{301}")
        #expect(one == other)
        #expect(Self.makeCount([[one], [other], [one]]) == 2)
    }

    @Test func noMoreAreKeptThanThereIsRoomFor() {
        // Two cells each: three of them have no room beside each other.
        #expect(Self.makeCount([["08"], ["10"], ["08"], ["10"]], cellCountMax: 4) == 2)
        #expect(Self.makeCount([["08"], ["10"], [], ["08"], []], cellCountMax: 4) == 4)
        // One that has none alone is given all the same.
        #expect(Self.makeCount([["08"], ["08"]], cellCountMax: 1) == 1)
    }
}
