public import TripDomain

/// The numbers of an earlier generation as they were published then, of one month or of all.
///
/// The whole cube is in the history file, which is kept for good. The suppressed one is that of the
/// generation's own `kpi.sqlite`, as long as it is kept: it is not made again, since another
/// version of the program may hide other numbers, and the two laid over each other would show some.
public final class EarlierNumbers: Sendable {
    /// The generation's own row.
    public let header: GenerationHeader
    private let whole: ServedCube
    /// Nil where it was never published, is no longer kept, or may not be laid over today's.
    private let suppressed: ServedCube?
    private let suppressBelow: Int
    private let regionalCubes = RegionalCubes()

    /// Whether there are numbers for readers who do not see small counts.
    public var isForEveryReader: Bool { suppressed != nil }

    /// Reads the numbers of a generation.
    ///
    /// - Parameters:
    ///   - entry: The generation.
    ///   - month: The month; nil for all.
    ///   - folder: The mart.
    ///   - served: The served generation, beside whose numbers they are shown.
    /// - Throws: ``MartError`` of the history file; with code `notFound` where it has no number of
    ///   the month. A suppressed cube that cannot be read is left out.
    init(
        _ entry: HistoryIndex.Entry,
        month: Month?,
        in folder: MartFolder,
        beside served: HistoryIndex.Entry
    ) throws(MartError) {
        let history = try PublishedCube.open(folder, generation: entry.number)
        let months = if let month { [month] } else { try history.months().map(\.month) }
        let index = CubeIndex(
            months: months,
            tripTypes: try history.tripTypes(),
            regions: try history.regions()
        )
        header = history.header
        suppressBelow = max(history.header.suppressBelow, served.suppressBelow)
        whole = try ServedCube(history.file, cubeIndex: index, isSuppressed: false, month: month)
        guard !whole.cells.entries.isEmpty else {
            throw MartError(
                .notFound,
                file: history.file.path,
                remedy: "The generation has no trips of the month."
            )
        }
        let isOfOneVersion =
            entry.programVersion != nil && entry.programVersion == served.programVersion
        guard isOfOneVersion else {
            suppressed = nil
            return
        }
        let cube = Self.suppressed(entry.number, index, month: month, in: folder)
        let least = suppressBelow
        suppressed = cube.flatMap { [whole] in $0.agrees(with: whole, showing: least) ? $0 : nil }
    }

    /// The suppressed cube of a generation; nil where it is no longer kept.
    private static func suppressed(
        _ number: Int,
        _ index: CubeIndex,
        month: Month?,
        in folder: MartFolder
    ) -> ServedCube? {
        // A file that is missing or damaged has numbers for no reader.
        guard let file = try? MartFile(path: folder.kpiPath(number), sums: .used),
            let numbers = try? file.rows("SELECT number FROM generation", [], { try $0[0] as Int }),
            numbers == [number]
        else { return nil }
        // The same.
        return try? ServedCube(file, cubeIndex: index, isSuppressed: true, month: month)
    }

    /// The numbers that a reader may see.
    ///
    /// - Parameter numbers: Which ones.
    /// - Returns: The cube that has them; nil where it cannot be shown that they were published to
    ///   readers like them.
    public func cube(_ numbers: VisibleNumbers) -> ServedCube? {
        switch numbers {
        case .whole: whole
        case .suppressed: suppressed
        case .beside(let regions):
            suppressed.map { suppressed in
                regionalCubes.cube(of: regions, in: whole.cubeIndex) {
                    whole.beside(totalsOf: suppressed, own: regions, showing: suppressBelow)
                }
            }
        }
    }
}
