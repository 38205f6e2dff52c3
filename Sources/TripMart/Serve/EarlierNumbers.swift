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
    /// The declared measures of the month; nil where all months were read.
    let measures: ServedMeasures?
    /// The file from which declared measures are read when an answer has them; nil where the
    /// generation declares none, or one month was read.
    private let measured: PublishedCube?

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
        if let month {
            measures = try ServedMeasures(history.file, cubeIndex: index, month: month)
            measured = nil
        } else {
            measures = nil
            measured = try history.declaredMeasures().isEmpty ? nil : history
        }
        guard !cube.cells.entries.isEmpty else {
            throw MartError(
                .notFound,
                file: history.file.path,
                remedy: "The generation has no trips of the month."
            )
        }
    }

    /// The declared measures of some trips, as this generation declares them.
    ///
    /// Of all months they are read from the file whenever they are asked for: the values of a
    /// median may be many, and one answer alone has them.
    ///
    /// - Parameter filter: The trips; their reader sees every number of them.
    /// - Returns: The measures, in the pipeline's order; none where none is declared.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: O(*n*) in the rows of the measures that the filter lets through.
    func measures(_ filter: ServedFilter) throws(MartError) -> [MeasureChange.State] {
        if let measures { return measures.states(filter) }
        guard let measured else { return [] }
        let measures = try measured.declaredMeasures()
        let values = try filter.query.map { query throws(MartError) in
            try measured.values(of: measures, query)
        }
        let found = values?[GroupKeys([])] ?? measures.map { MeasureValue($0, MeasureSums()) }
        return zip(measures, found).map { MeasureChange.State($0, $1) }
    }
}

extension ServedFilter {
    /// The same filter as a query of a file; nil where its reader may see no region of it.
    fileprivate var query: KPIQuery? {
        var query = KPIQuery(months: months, tripTypes: [tripType].compactMap(\.self))
        if let region {
            guard mayShow(region: region) else { return nil }
            query.regions = [region]
        } else if let scope, !hasNationalTotals {
            // No region at all would be read as every region.
            guard !scope.isEmpty else { return nil }
            query.regions = scope.sorted()
        }
        return query
    }
}
