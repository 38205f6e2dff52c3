import Synchronization
public import TripDomain

/// One generation, open to be served: its numbers in memory, its file at hand.
///
/// What it answers never changes: whoever took hold of one sees one published state, however many are
/// published meanwhile.
public final class ServedGeneration: Sendable {
    /// Tells it from every other object of this process, also from one of the same generation.
    public let instance: Int
    /// Follows from the bytes of its file: two of one number, of two marts or before and after a restoration, differ.
    public let mark: String
    /// The generation's own row.
    public let header: GenerationHeader
    /// The months that have trips, in order.
    public let months: [MonthRow]
    private let openMonths: [Month]
    /// The cube for those who may see every number.
    public let whole: ServedCube
    /// The cube in which small numbers, and what they would follow from, are hidden.
    public let suppressed: ServedCube
    /// The whole cube split by class and basis.
    public let bases: ServedBases
    private let regionalCubes = RegionalCubes()
    /// The trips: several open files, so that one slow question does not hold up the others.
    private let readers: [ServedMart]
    private let readerCount = Atomic(0)

    private static let readerLimit = 4
    private static let instanceCount = Atomic(0)

    /// Opens a generation.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - number: The generation.
    /// - Throws: ``MartError`` of one of its two files, or with code `damaged` where they are of two
    ///   generations, or contradict each other.
    /// - Complexity: O(*n*) in the cells of the cube.
    public init(_ folder: MartFolder, number: Int) throws(MartError) {
        let mart = try ServedMart.open(folder, generation: number)
        let kpi = try MartFile(path: folder.kpiPath(number))
        let kpiNumbers = try kpi.rows("SELECT number FROM generation") { try $0[0] as Int }
        guard kpiNumbers == [mart.header.number], mart.header.number == number else {
            throw kpi.damaged()
        }
        header = mart.header
        instance = Self.instanceCount.add(1, ordering: .relaxed).newValue
        // Without sums beside it, it is told by when it was published.
        mark = (try? SumFile.written(for: folder.generationPath(number))) ?? header.publishedAt
        months = try mart.months()
        // A changed bit may make two months one, which would count twice.
        guard Set(months.map(\.month)).count == months.count else { throw mart.damaged }
        openMonths = months.filter(\.isOpen).map(\.month)
        let places = CubePlaces(
            months: months.map(\.month),
            tripTypes: try mart.tripTypes(),
            regions: try mart.regions()
        )
        whole = try ServedCube(mart.file, places: places, isSuppressed: false)
        suppressed = try ServedCube(kpi, places: places, isSuppressed: true)
        guard suppressed.agrees(with: whole, showing: header.suppressBelow) else {
            throw kpi.damaged()
        }
        bases = try ServedBases(mart.file, places: places)
        var readers = [mart]
        while readers.count < Self.readerLimit {
            readers.append(try ServedMart.open(folder, generation: number))
        }
        self.readers = readers
    }

    /// The trips of the generation; calls take turns with its open files.
    ///
    /// Reads the file, and so belongs on a thread that may wait.
    public var trips: ServedMart {
        readers[readerCount.add(1, ordering: .relaxed).oldValue % readers.count]
    }

    /// The numbers of some regions, and totals over all of which no small number of the others follows.
    ///
    /// - Parameter regions: The regions whose every number its reader sees.
    /// - Returns: What ``ServedCube/beside(totalsOf:own:showing:)`` says.
    /// - Complexity: O(*n*) in the cells when it is first asked for, and a look-up from then on.
    public func totals(beside regions: Set<String>) -> ServedCube {
        regionalCubes.cube(of: regions, in: whole.places) {
            whole.beside(totalsOf: suppressed, own: regions, showing: header.suppressBelow)
        }
    }

    /// Whether a month may still grow.
    public func isOpen(_ month: Month) -> Bool {
        openMonths.contains(month)
    }

    /// Whether its readers are to call it stale.
    ///
    /// - Parameter now: Seconds of UTC.
    /// - Returns: Whether an export is overdue by then.
    public func isStale(at now: Int64) -> Bool {
        header.staleAfter.map { $0 <= CivilTime.text(ofSeconds: now) } ?? false
    }
}
