import Testing
import TripDomain

@testable import TripMart

@Suite struct RegionalCubesTests {
    private static let cubeIndex = CubeIndex(
        months: [Month(monthNumber: 24_300)],
        tripTypes: [],
        regions: ["\u{e9}", "e\u{301}", "08", "10"].map { DimensionLabel(value: $0, label: $0) }
    )

    /// A cube of some cells.
    private static func cube(_ count: UInt32 = 1) -> ServedCube {
        var cells = CubeTable<ServedCell>(cubeIndex)
        for region in 0..<count {
            cells.set(.empty, at: CubeKey(month: 1, tripType: 0, region: region))
        }
        return ServedCube(cubeIndex: cubeIndex, cells: cells)
    }

    /// The number of cubes that are made for these requests, one after the other.
    private static func makeCount(_ asked: [Set<String>], cellCountMax: Int = 100) -> Int {
        let cubes = RegionalCubes(cellCountMax: cellCountMax)
        var count = 0
        for regions in asked {
            _ = cubes.cube(of: regions, in: cubeIndex) {
                count += 1
                return cube(2)
            }
        }
        return count
    }

    @Test func eachIsMadeOnce() {
        #expect(Self.makeCount([["08"], ["08"], ["08", "10"], ["10", "08"], ["08"]]) == 2)
        // Regions that do not occur are ignored.
        #expect(Self.makeCount([["08"], ["08", "none"], ["none"], []]) == 2)
    }

    /// Regions are compared by their bytes: no account gets the cube of other regions.
    @Test func namesEqualInUnicodeAreTwo() {
        let (one, other) = ("\u{e9}", "e\u{301}")
        #expect(one == other)
        #expect(Self.makeCount([[one], [other], [one]]) == 2)
    }

    @Test func theCacheIsLimited() {
        // Two cells each: the limit does not allow three of them.
        #expect(Self.makeCount([["08"], ["10"], ["08"], ["10"]], cellCountMax: 4) == 2)
        #expect(Self.makeCount([["08"], ["10"], [], ["08"], []], cellCountMax: 4) == 4)
        // A cube that exceeds the limit alone is returned all the same.
        #expect(Self.makeCount([["08"], ["08"]], cellCountMax: 1) == 1)
    }
}
