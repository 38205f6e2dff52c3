/// Which numbers of a generation a reader may see.
public enum VisibleNumbers: Sendable, Hashable {
    /// Every number.
    case whole
    /// Those of the suppressed cube.
    case suppressed
    /// Every number of some regions, and national totals from which no small number of the other
    /// regions can be derived.
    case beside(Set<String>)
}

extension ServedGeneration {
    /// The numbers that a reader may see.
    ///
    /// - Parameter numbers: Which ones.
    /// - Returns: The cube that has them.
    public func cube(_ numbers: VisibleNumbers) -> ServedCube {
        switch numbers {
        case .whole: whole
        case .suppressed: suppressed
        case .beside(let regions): totals(beside: regions)
        }
    }
}
