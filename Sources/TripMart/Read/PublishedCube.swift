import Glibc
public import TripDomain

/// The numbers of a generation as they were published, from its history file.
public final class PublishedCube: SummaryReading {
    /// The open file.
    public let file: MartFile
    /// The generation's own row.
    public let header: GenerationHeader

    /// The error of a history file that contradicts itself.
    public var damaged: MartError { file.damaged() }

    private init(_ file: MartFile) throws(MartError) {
        self.file = file
        header = try file.header()
    }

    /// Opens the history file of a generation.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - generation: The number.
    /// - Returns: Its numbers as published.
    /// - Throws: ``MartError`` with code `notFound` where no such generation ever existed.
    public static func open(
        _ folder: MartFolder,
        generation: Int
    ) throws(MartError) -> PublishedCube {
        let cube = try PublishedCube(
            MartFile(path: folder.historyPath(generation), sums: .used)
        )
        try cube.file.require(cube.header, number: generation)
        return cube
    }

    /// Opens the history file of a generation, and refuses it where a byte is not as published.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - generation: The number.
    /// - Returns: Its numbers as published.
    /// - Throws: ``MartError`` as ``open(_:generation:)``; with code `damaged`.
    public static func whole(
        _ folder: MartFolder,
        generation: Int
    ) throws(MartError) -> PublishedCube {
        let cube = try open(folder, generation: generation)
        try cube.file.requireWhole()
        return cube
    }
}

/// The volume of data that one generation added.
public struct GenerationVolume: Sendable, Hashable {
    /// The generation.
    public let number: Int
    /// When it was published.
    public let publishedAt: String
    /// The greatest pick-up date in it.
    public let dataThrough: CivilDate?
    /// The number of files that the generation before it did not have.
    public let newFiles: Int
    /// The number of data records in the new files.
    public let newRecords: Int64
    /// The number of items in the new files.
    public let newItems: Int64
    /// The number of rejected items in the new files.
    public let newRejectedItems: Int64
    /// The sums of the counted trips of the whole generation.
    public let sums: KPISums
    /// The sums of the counted trips of its newest month, as known at that time.
    public let newestMonthSums: KPISums
}

/// The parts of every generation that the mart keeps for good.
public struct History: Sendable {
    private let folder: MartFolder

    /// Creates the history of a mart; touches no file.
    public init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// The volumes of the last generations, oldest first.
    ///
    /// A damaged or missing history file does not keep the next night from being published: its
    /// generation is left out, and so is the one after it, whose new files nothing tells.
    ///
    /// - Parameters:
    ///   - count: The maximum number of generations.
    ///   - damaged: Called with each damaged file.
    /// - Returns: One entry per generation; all files of the very first generation are new.
    /// - Throws: ``MartError`` of a file that cannot be read.
    public func volumes(
        last count: Int,
        damaged: (String) -> Void = { _ in }
    ) throws(MartError) -> [GenerationVolume] {
        var volumes: [GenerationVolume] = []
        var known: Set<FileKey>? = []
        let missing = try folder.historyLoss().files
        var previous = 0
        for number in try folder.historyNumbers().suffix(count + 1) {
            if missing.contains(where: { (previous..<number).contains($0.upperBound) }) {
                known = nil
            }
            previous = number
            do throws(MartError) {
                let cube = try PublishedCube.whole(folder, generation: number)
                let files = try cube.files()
                let before = known
                known = Set(files.map(FileKey.init))
                // A generation that was published again (a rollback) adds no data.
                guard let before, try cube.file.meta("content_of") == nil else { continue }
                let new = files.filter { !before.contains(FileKey($0)) }
                volumes.append(try Self.volume(cube, new))
            } catch {
                let path = folder.historyPath(number)
                guard error.isDamage(of: path) else { throw error }
                known = nil
                damaged(path)
            }
        }
        return volumes.suffix(count)
    }

    private static func volume(
        _ cube: PublishedCube,
        _ new: [SourceFileEntry]
    ) throws(MartError) -> GenerationVolume {
        GenerationVolume(
            number: cube.header.number,
            publishedAt: cube.header.publishedAt,
            dataThrough: cube.header.dataThrough,
            newFiles: new.count,
            newRecords: new.reduce(0) { $0 + $1.recordCount },
            newItems: new.reduce(0) { $0 + $1.ledger.read.items },
            newRejectedItems: new.reduce(0) { $0 + $1.ledger[.rejected].items },
            sums: try cube.kpi(KPIQuery()).total.sums,
            newestMonthSums: try cube.header.dataThrough.map { day throws(MartError) in
                try cube.kpi(KPIQuery(months: day.month...day.month)).total.sums
            } ?? KPISums()
        )
    }

    private struct FileKey: Hashable {
        let source: String
        /// As bytes: texts that are equal in Unicode are two names.
        let path: [UInt8]
        let sequence: Int

        init(_ file: SourceFileEntry) {
            source = file.source
            path = Array(file.path.utf8)
            sequence = file.sequence
        }
    }
}

/// The numbers of a generation, added up by other regions than those it was published with.
///
/// They are in a temporary file, which has no name once it is open and is freed with this value.
public final class MappedCube: SummaryReading {
    /// The open file.
    public let file: MartFile
    /// The generation's own row.
    public let header: GenerationHeader

    /// Writes the numbers and opens them for queries.
    ///
    /// - Parameters:
    ///   - trips: The trips of the generation.
    ///   - summary: The totals of the trips; files, inputs and checks may be left out.
    /// - Throws: ``MartError`` of the files.
    public init(_ trips: StoredTrips, _ summary: GenerationSummary) throws(MartError) {
        header = summary.header
        let folder = try Self.temporaryFolder()
        defer { rmdir(folder) }
        let path = folder + "/cube.sqlite"
        defer { unlink(path) }
        try GenerationFile.writeSummary(
            path: path,
            SummarySource(summary, months: try trips.months(), bridge: []),
            meta: summary.goals.map { $0.stored } + [summary.storedYearStart].compactMap(\.self)
        )
        file = try MartFile(path: path)
    }

    private static func temporaryFolder() throws(MartError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/triptych-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileSystem.error(errno, parent, creating: true)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
