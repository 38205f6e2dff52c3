public import TripDomain

/// The numbers of a generation as they were published, from what is kept of it for good.
public final class PublishedCube: SummaryReading {
    /// The open file.
    public let file: MartFile
    /// The generation's own row.
    public let header: GenerationHeader

    /// The error for what is kept of a generation and contradicts it.
    public var damaged: MartError { file.damaged() }

    private init(_ file: MartFile) throws(MartError) {
        self.file = file
        header = try file.header()
    }

    /// Opens what is kept of a generation.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - generation: The number.
    /// - Returns: Its numbers as published.
    /// - Throws: ``MartError`` with code `notFound` where there never was such a generation.
    public static func open(
        _ folder: MartFolder,
        generation: Int
    ) throws(MartError) -> PublishedCube {
        try PublishedCube(MartFile(path: folder.historyPath(generation)))
    }
}

/// What one generation brought.
public struct GenerationVolume: Sendable, Hashable {
    /// The generation.
    public let number: Int
    /// When it was published.
    public let publishedAt: String
    /// The greatest pick-up date in it.
    public let dataThrough: CivilDate?
    /// Files that the generation before it did not know.
    public let newFiles: Int
    /// Their data records.
    public let newRecords: Int64
    /// Their items.
    public let newItems: Int64
    /// Those of their items that were rejected.
    public let newRejectedItems: Int64
    /// The counted trips of the whole generation.
    public let sums: KPISums
    /// The counted trips of its newest month, as they were known then.
    public let newestMonthSums: KPISums
}

/// What the mart keeps of every generation for good.
public struct History: Sendable {
    private let folder: MartFolder

    /// Names the history of a mart.
    public init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// What the last generations brought, oldest first.
    ///
    /// - Parameter count: How many generations to look back.
    /// - Returns: One entry per generation; the first that there ever was is compared with nothing.
    /// - Throws: ``MartError`` of a file.
    public func volumes(last count: Int) throws(MartError) -> [GenerationVolume] {
        var volumes: [GenerationVolume] = []
        var known: Set<FileKey> = []
        for number in try folder.historyNumbers().suffix(count + 1) {
            let cube = try PublishedCube.open(folder, generation: number)
            let files = try cube.files()
            let new = files.filter { !known.contains(FileKey($0)) }
            known = Set(files.map(FileKey.init))
            // What is published once more is no night of its own.
            guard try cube.file.meta("content_of") == nil else { continue }
            volumes.append(
                GenerationVolume(
                    number: number,
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
            )
        }
        return volumes.suffix(count)
    }

    private struct FileKey: Hashable {
        let source: String
        /// As bytes: texts that Unicode calls equal are two names.
        let path: [UInt8]
        let sequence: Int

        init(_ file: SourceFileEntry) {
            source = file.source
            path = Array(file.path.utf8)
            sequence = file.sequence
        }
    }
}
