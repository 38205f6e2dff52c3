import Synchronization

/// The cubes of those who see some regions and totals over all: each is made once, and kept.
final class RegionalCubes: Sendable {
    private struct Kept {
        /// By the places of their regions: of two names that Unicode calls equal, each has one of its own.
        var cubes: [[UInt32]: ServedCube] = [:]
        var cellCount = 0
    }

    private let kept = Mutex(Kept())
    private let cellCountMax: Int

    /// - Parameter cellCountMax: How many cells are kept of all cubes together; one takes some 150 bytes.
    init(cellCountMax: Int = 50_000) {
        self.cellCountMax = cellCountMax
    }

    /// The cube of some regions.
    ///
    /// - Parameters:
    ///   - regions: Which; those that do not occur make no difference.
    ///   - places: The regions there are.
    ///   - make: Makes it where it is not kept; two who ask at once may both make it.
    /// - Returns: The cube.
    func cube(
        of regions: Set<String>,
        in places: CubePlaces,
        make: () -> ServedCube
    ) -> ServedCube {
        let key = regions.compactMap(places.place(ofRegion:)).sorted()
        if let known = kept.withLock({ $0.cubes[key] }) { return known }
        let cube = make()
        let cellCount = cube.cells.entries.count
        kept.withLock { kept in
            guard kept.cubes[key] == nil else { return }
            if kept.cellCount + cellCount > cellCountMax { kept = Kept() }
            kept.cubes[key] = cube
            kept.cellCount += cellCount
        }
        return cube
    }
}
