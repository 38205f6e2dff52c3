import Synchronization
public import TripDomain

/// One generation that a server has open: its numbers in memory, its trips in its file.
///
/// Its contents never change: a caller that holds one sees one published state, even while newer
/// generations are published.
public final class ServedGeneration: Sendable {
    /// Identifies the object in this process, even among objects of the same generation.
    public let instance: Int
    /// Derived from the bytes of its file: generations with one number from two marts, or from
    /// before and after a restoration, differ.
    public let mark: String
    /// The generation's own row.
    public let header: GenerationHeader
    /// The months that have trips, in order.
    public let months: [MonthRow]
    private let openMonths: [Month]
    /// The goals that its pipeline declares, in order of their months.
    public let goals: [Goal]
    /// What its open months are compared with.
    let earlierMonths: EarlierMonths
    /// Identifies what its open months are compared with, which comes from other files.
    public var comparisonMark: String { earlierMonths.mark }
    /// The cube for accounts that may see every number.
    public let whole: ServedCube
    /// The cube in which small numbers, and those from which they could be derived, are hidden.
    public let suppressed: ServedCube
    /// The unsuppressed cube split by class and basis.
    public let bases: ServedBases
    /// The declared measures, with every number.
    public let measures: ServedMeasures
    /// Whether its own file has its trips; those of a run on a cluster lie elsewhere.
    public let hasTrips: Bool
    private let regionalCubes = RegionalCubes()
    /// The trips: several open files, so that one slow query does not block the others.
    private let readers: [ServedMart]
    private let readerCount = Atomic(0)

    private static let readerLimit = 4
    private static let instanceCount = Atomic(0)

    /// Opens a generation.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - number: The generation.
    /// - Throws: ``MartError`` of one of its two files, or with code `damaged` where they are of
    ///   two generations, or contradict each other.
    /// - Complexity: O(*n*) in the cells of the cube, and in the history files of a year.
    public convenience init(_ folder: MartFolder, number: Int) throws(MartError) {
        try self.init(folder, number: number, history: HistoryIndex(folder))
    }

    /// The same, with the history files that are known from before.
    init(_ folder: MartFolder, number: Int, history: HistoryIndex) throws(MartError) {
        let mart = try ServedMart.open(folder, generation: number)
        let kpi = try MartFile(path: folder.kpiPath(number), sums: .used)
        let kpiNumbers = try kpi.rows("SELECT number FROM generation") { try $0[0] as Int }
        guard kpiNumbers == [mart.header.number], mart.header.number == number else {
            throw kpi.damaged()
        }
        header = mart.header
        hasTrips = mart.location == nil
        instance = Self.instanceCount.add(1, ordering: .relaxed).newValue
        // Without a sum file, the time of publication identifies it.
        mark = (try? SumFile.written(for: folder.generationPath(number))) ?? header.publishedAt
        months = try mart.months()
        // A changed bit may make two months equal, which would count twice.
        guard Set(months.map(\.month)).count == months.count else { throw mart.damaged }
        openMonths = months.filter(\.isOpen).map(\.month)
        goals = try mart.goals()
        let cubeIndex = CubeIndex(
            months: months.map(\.month),
            tripTypes: try mart.tripTypes(),
            regions: try mart.regions()
        )
        whole = try ServedCube(mart.file, cubeIndex: cubeIndex, isSuppressed: false)
        suppressed = try ServedCube(kpi, cubeIndex: cubeIndex, isSuppressed: true)
        guard suppressed.agrees(with: whole, showing: header.suppressBelow) else {
            throw kpi.damaged()
        }
        bases = try ServedBases(mart.file, cubeIndex: cubeIndex)
        measures = try ServedMeasures(mart.file, cubeIndex: cubeIndex)
        earlierMonths = EarlierMonths(header, open: openMonths, history: history)
        var readers = [mart]
        while readers.count < Self.readerLimit {
            readers.append(try ServedMart(again: mart))
        }
        self.readers = readers
    }

    /// The trips of the generation; calls use its open files in turn.
    ///
    /// It reads the file, and so must be called on a thread that may block.
    public var trips: ServedMart {
        readers[readerCount.add(1, ordering: .relaxed).oldValue % readers.count]
    }

    /// The numbers of some regions, and national totals from which no small number of the other
    /// regions can be derived.
    ///
    /// - Parameter regions: The regions of which its reader sees every number.
    /// - Returns: The result of ``ServedCube/beside(totalsOf:own:showing:)``.
    /// - Complexity: O(*n*) in the cells at the first call, and a look-up from then on.
    public func totals(beside regions: Set<String>) -> ServedCube {
        regionalCubes.cube(of: regions, in: whole.cubeIndex) {
            whole.beside(totalsOf: suppressed, own: regions, showing: header.suppressBelow)
        }
    }

    /// Whether a month may still grow.
    public func isOpen(_ month: Month) -> Bool {
        openMonths.contains(month)
    }

    /// Whether the generation is stale.
    ///
    /// - Parameter now: Seconds of UTC.
    /// - Returns: Whether an export is overdue by then.
    public func isStale(at now: Int64) -> Bool {
        header.staleAfter.map { $0 <= CivilTime.text(ofSeconds: now) } ?? false
    }
}

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
