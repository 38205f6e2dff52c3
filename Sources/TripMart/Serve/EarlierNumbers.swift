public import TripDomain

/// The numbers of an earlier generation as they were published then, of one month or of all.
///
/// They are every number, from the history file, which is kept for good. Only readers who see small
/// counts may see them beside today's: the difference of two generations may be a single trip, also
/// where neither of them shows a small count.
public final class EarlierNumbers: Sendable {
    /// The generation's own row.
    public let header: GenerationHeader
    /// The numbers.
    public let cube: ServedCube
    /// The declared measures of the month; nil where all months were read, which no answer compares
    /// by their measures.
    let measures: ServedMeasures?

    /// Reads the numbers of a generation.
    ///
    /// - Parameters:
    ///   - number: The generation.
    ///   - month: The month; nil for all.
    ///   - folder: The mart.
    /// - Throws: ``MartError`` of the history file; with code `notFound` where it has no number of
    ///   the month.
    init(_ number: Int, month: Month?, in folder: MartFolder) throws(MartError) {
        let history = try PublishedCube.open(folder, generation: number)
        let months = if let month { [month] } else { try history.months().map(\.month) }
        let index = CubeIndex(
            months: months,
            tripTypes: try history.tripTypes(),
            regions: try history.regions()
        )
        header = history.header
        cube = try ServedCube(history.file, cubeIndex: index, isSuppressed: false, month: month)
        measures =
            if let month {
                try ServedMeasures(history.file, cubeIndex: index, month: month)
            } else { nil }
        guard !cube.cells.entries.isEmpty else {
            throw MartError(
                .notFound,
                file: history.file.path,
                remedy: "The generation has no trips of the month."
            )
        }
    }
}
