public import TripDomain

/// The files of a generation that are written and not yet published.
public struct BuiltGeneration: Sendable, Hashable {
    /// The generation's number.
    public let number: Int
    /// The generation's file, under its building name.
    public let path: String
    /// The history file, which is kept for good, under its building name.
    public let historyPath: String
    /// The cube with small cells suppressed, under its building name.
    public let kpiPath: String
    /// The number of trips.
    public let trips: Int
    /// Whether it withdraws content of the current generation, as after a rollback.
    var withdraws = false
}

/// Writes a generation into new files beside the published one.
///
/// The files have no journal and are not synced while they grow: a crash discards them, and
/// publication syncs them. They are readable for their owner and group.
public struct GenerationWriter: Sendable {
    private let folder: MartFolder
    private let keys: MartKeys
    private let programVersion: String
    /// The maximum number of distinct values of a column that is stored by code; smaller in tests.
    var distinctLimit = TextCoding.distinctLimit
    /// The number of rows in a leaf run and in a block of trips; smaller in tests.
    var leafRunSize: Int?
    private let threadCount: Int

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - folder: The mart, whose folders exist and whose lock the run holds.
    ///   - keys: The mart's keys.
    ///   - programVersion: Kept in `meta`; not compared by `verify`.
    ///   - threadCount: Threads that encode pages; the file does not depend on it.
    public init(
        folder: MartFolder,
        keys: MartKeys,
        programVersion: String,
        threadCount: Int = 2
    ) {
        self.threadCount = threadCount
        self.folder = folder
        self.keys = keys
        self.programVersion = programVersion
    }

    /// Writes one generation; readers do not see it yet.
    ///
    /// - Parameters:
    ///   - contents: The generation; its number is the folder's next number.
    ///   - progress: Called now and then with the number of trips written.
    /// - Returns: The files, to be checked and published.
    /// - Throws: ``MartError`` with code `numberTaken`, `nameClash`, `patientClash`, or of a file.
    /// - Complexity: O(*n* log *n*) in the trips, for the indexes; about 64 MiB of page cache.
    public func write(
        _ contents: GenerationContents,
        progress: (Int) -> Void = { _ in }
    ) throws(MartError) -> BuiltGeneration {
        try TripTables.requireFreeNames(contents.shape)
        let built = try begin(contents.summary.header, trips: contents.acceptedOrder.count)
        try write(built, SummarySource(contents)) { (source) throws(MartError) in
            try writeGeneration(contents, source, to: built.path, progress: progress)
        }
        return built
    }

    /// Writes a generation with the trips of another one, classified again.
    ///
    /// - Parameters:
    ///   - revision: The generation; its number is the folder's next number.
    ///   - progress: Called now and then with the number of trips written.
    /// - Returns: The files, to be checked and published.
    /// - Throws: ``MartError`` with code `numberTaken`, `nameClash` or `damaged`, or of a file.
    /// - Complexity: O(*n*) in the trips; about 25 bytes of memory per trip besides the
    ///   classifications.
    public func write(
        _ revision: GenerationRevision,
        progress: (Int) -> Void = { _ in }
    ) throws(MartError) -> BuiltGeneration {
        try TripTables.requireFreeNames(revision.shape)
        let built = try begin(revision.summary.header, trips: revision.tripCount)
        try write(built, try revision.source()) { (source) throws(MartError) in
            try writeRevision(revision, source, to: built.path, progress: progress)
        }
        return built
    }

    /// Writes a generation with the content of an older one.
    ///
    /// - Parameter copy: The generation; its number is the folder's next number.
    /// - Returns: The files, to be checked and published.
    /// - Throws: ``MartError`` with code `numberTaken`, or of a file.
    /// - Complexity: O(*n*) in the bytes of the older generation.
    public func write(_ copy: GenerationCopy) throws(MartError) -> BuiltGeneration {
        var built = try begin(copy.header, trips: copy.tripCount)
        built.withdraws = true
        try copy.write(folder.generationPath(copy.base), to: built.path, isSummary: true)
        try copy.write(folder.historyPath(copy.base), to: built.historyPath, isSummary: true)
        try copy.write(folder.kpiPath(copy.base), to: built.kpiPath, isSummary: false)
        return built
    }

    private func begin(_ header: GenerationHeader, trips: Int) throws(MartError) -> BuiltGeneration
    {
        let number = header.number
        guard number >= (try folder.nextNumber()) else {
            throw MartError(
                .numberTaken,
                file: folder.generationPath(number),
                remedy: "Another run has used this number. Run again."
            )
        }
        return BuiltGeneration(
            number: number,
            path: folder.generationsPath + "/.building-\(number).sqlite",
            historyPath: folder.historyPath + "/.building-\(number).sqlite",
            kpiPath: folder.generationsPath + "/.building-\(number).kpi.sqlite",
            trips: trips
        )
    }

    /// Writes the three files; the history and the suppressed cube depend on the cube alone, and
    /// are written in parallel with the trips.
    private func write(
        _ built: BuiltGeneration,
        _ source: SummarySource,
        _ writeTrips: (SummarySource) throws(MartError) -> Void
    ) throws(MartError) {
        let meta = meta(source.summary)
        let threads = threadCount
        let (written, suppressed) = Parallel.both(threads: threads) {
            Result { () throws(MartError) in try writeTrips(source) }
        } _: {
            Result { () throws(MartError) in
                try GenerationFile.writeSummary(path: built.historyPath, source, meta: meta)
                try SuppressedCubeFile(source, threads: threads).write(to: built.kpiPath)
            }
        }
        try written.get()
        try suppressed.get()
    }

    private func writeGeneration(
        _ contents: GenerationContents,
        _ source: SummarySource,
        to path: String,
        progress: (Int) -> Void
    ) throws(MartError) {
        var accepted = contents.batches.map { [Bool](repeating: false, count: $0.count) }
        for position in contents.acceptedOrder {
            accepted[Int(position.batch)][Int(position.row)] = true
        }
        let coding = TextCoding(
            contents,
            accepted: accepted,
            limit: distinctLimit,
            threads: threadCount
        )
        let patients = try PatientTable(contents, accepted: accepted, threads: threadCount) {
            [keys] in keys.patientRefs()
        }
        let tables = TripTables(contents.shape, coding)
        let file = try GenerationFile(
            path: path,
            source,
            tables: tables,
            values: coding.values,
            meta: meta(source.summary)
        )
        try VersionWriting(connection: file.connection, versions: contents.versions).write()
        if source.summary.tripLocation != nil {
            try file.connection.insertCorrections(contents.rejects)
        }
        let roots = try file.close(tables)
        var pages = TripPages(
            contents,
            tables: tables,
            coding: coding,
            patients: patients,
            keys: keys,
            leafRunSize: leafRunSize,
            threads: threadCount
        )
        try pages.write(to: path, roots, progress: progress)
    }

    private func writeRevision(
        _ revision: GenerationRevision,
        _ source: SummarySource,
        to path: String,
        progress: (Int) -> Void
    ) throws(MartError) {
        let coding = RevisedCoding(revision, limit: distinctLimit, threads: threadCount)
        let tables = TripTables(revision.shape, coding.coding, stored: revision.stored.tables)
        let file = try GenerationFile(
            path: path,
            source,
            tables: tables,
            values: coding.coding.values,
            meta: meta(source.summary),
            base: revision.stored.path
        )
        try RevisedPages.copyRecords(file.connection)
        let roots = try file.close(tables)
        try RevisedPages(
            revision,
            tables: tables,
            coding: coding,
            leafRunSize: leafRunSize,
            threads: threadCount
        ).write(to: path, roots, progress: progress)
    }

    private func meta(_ summary: GenerationSummary) -> [(String, String)] {
        let approval: [(String, String?)] = [
            ("approved_by", summary.approval?.approvedBy),
            ("made_by", summary.approval?.madeBy), ("plan", summary.approval?.plan),
        ]
        return [
            ("key_check", keys.checkValue),
            ("pipeline", summary.header.pipeline),
            ("program_version", programVersion),
            ("synthetic", summary.header.isSynthetic ? "1" : "0"),
        ] + approval.compactMap { name, value in value.map { (name, $0) } }
            + summary.goals.map { $0.stored } + [summary.storedYearStart].compactMap(\.self)
    }
}

extension TripTables {
    /// Describes the columns of a new generation.
    ///
    /// - Parameters:
    ///   - shape: The columns of a trip.
    ///   - coding: The texts that are stored by code.
    ///   - base: The columns of the base generation, whose storage the fields keep; nil where there
    ///     is none.
    init(_ shape: TripShape, _ coding: TextCoding, stored base: TripTables? = nil) {
        var storage = Self.storage(shape, coding)
        for index in shape.columns.indices where !shape.columns[index].isDerived {
            if let base { storage[index] = base.storage[index] }
        }
        self.init(shape: shape, storage: storage)
    }

    private static func storage(_ shape: TripShape, _ coding: TextCoding) -> [TripStorage] {
        shape.columns.enumerated().map { index, column in
            switch column.kind {
            case .text: return coding.codes[index] == nil ? .inlineText : .codedText
            case .integer, .boolean, .money, .miles: return .integer
            case .decimal: return .real
            case .date: return .days
            case .patient: return .patient
            case .timestamp:
                guard column.name.hasSuffix("_utc"),
                    let local = shape.columns.firstIndex(where: {
                        $0.kind == .timestamp && $0.name == column.name.dropLast(4)
                    })
                else { return .seconds }
                return .offset(of: local)
            }
        }
    }
}
