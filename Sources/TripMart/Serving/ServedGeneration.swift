public import TripDomain

/// One generation, open to be served: its numbers in memory, its file at hand.
///
/// What it answers never changes: whoever took hold of one sees one published state, however many are
/// published meanwhile.
public final class ServedGeneration: Sendable {
    /// The generation's own row.
    public let header: GenerationHeader
    /// The months that have trips, in order.
    public let months: [MonthRow]
    /// The cube for those who may see every number.
    public let whole: ServedCube
    /// The cube in which small numbers, and what they would follow from, are hidden.
    public let suppressed: ServedCube

    /// Opens a generation.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - number: The generation.
    /// - Throws: ``MartError`` of one of its two files, or with code `damaged` where they are of two
    ///   generations.
    /// - Complexity: O(*n*) in the cells of the cube.
    public init(_ folder: MartFolder, number: Int) throws(MartError) {
        let mart = try ServedMart.open(folder, generation: number)
        let kpi = try MartFile(path: folder.kpiPath(number))
        let kpiNumbers = try kpi.rows("SELECT number FROM generation") { try $0[0] as Int }
        guard kpiNumbers == [mart.header.number], mart.header.number == number else {
            throw kpi.damaged()
        }
        header = mart.header
        months = try mart.months()
        let (tripTypes, regions) = (try mart.tripTypes(), try mart.regions())
        whole = try ServedCube(
            mart.file,
            months: months.map(\.month),
            tripTypes: tripTypes,
            regions: regions,
            isSuppressed: false
        )
        suppressed = try ServedCube(
            kpi,
            months: months.map(\.month),
            tripTypes: tripTypes,
            regions: regions,
            isSuppressed: true
        )
    }

    /// Whether a month may still grow.
    public func isOpen(_ month: Month) -> Bool {
        months.contains { $0.month == month && $0.isOpen }
    }

    /// Whether its readers are to call it stale.
    ///
    /// - Parameter now: Seconds of UTC.
    /// - Returns: Whether an export is overdue by then.
    public func isStale(at now: Int64) -> Bool {
        header.staleAfter.map { $0 <= CivilTime.text(ofSeconds: now) } ?? false
    }
}
