import Synchronization

/// The cubes of those who see some regions and totals over all: each is made once, and kept.
final class RegionalCubes: Sendable {
    private let kept = Mutex<[Set<String>: ServedCube]>([:])

    /// More than there are regions, of which most see one; a cube takes some hundred kilobytes.
    private static let countMax = 32

    /// The cube of some regions.
    ///
    /// - Parameters:
    ///   - regions: Which.
    ///   - make: Makes it where it is not kept; two who ask at once may both make it.
    /// - Returns: The cube.
    func cube(of regions: Set<String>, make: () -> ServedCube) -> ServedCube {
        if let known = kept.withLock({ $0[regions] }) { return known }
        let cube = make()
        kept.withLock { kept in
            if kept.count >= Self.countMax { kept.removeAll() }
            kept[regions] = cube
        }
        return cube
    }
}
