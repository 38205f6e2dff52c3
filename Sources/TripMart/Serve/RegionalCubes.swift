import Synchronization

/// A cache of the cubes for accounts that see some regions and national totals.
final class RegionalCubes: Sendable {
    private struct Kept {
        /// By the positions of their regions: two names that are equal in Unicode have separate
        /// positions.
        var cubes: [[UInt32]: ServedCube] = [:]
        var cellCount = 0
    }

    private let kept = Mutex(Kept())
    private let cellCountMax: Int

    /// - Parameter cellCountMax: The maximum number of cells of all cached cubes; one takes about
    ///   150 bytes.
    init(cellCountMax: Int = 50_000) {
        self.cellCountMax = cellCountMax
    }

    /// The cube of some regions.
    ///
    /// - Parameters:
    ///   - regions: The regions; those that do not occur are ignored.
    ///   - cubeIndex: The regions that occur.
    ///   - make: Computes the cube where it is not cached; two concurrent callers may both compute
    ///     it.
    /// - Returns: The cube.
    func cube(
        of regions: Set<String>,
        in cubeIndex: CubeIndex,
        make: () -> ServedCube
    ) -> ServedCube {
        let key = regions.compactMap(cubeIndex.position(ofRegion:)).sorted()
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
