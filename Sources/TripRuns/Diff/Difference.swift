public import TripDomain
public import TripMart
import TripPipeline

/// `diff`: the reasons why the numbers of two generations differ.
///
/// It writes nothing that is served, and runs can publish meanwhile.
public struct Difference {
    private let options: RunOptions
    private let folder: MartFolder
    private let query: KPIQuery
    private let scratchPath: String
    private let isSaved: Bool
    private let progress: Progress

    /// Prepares to compare.
    ///
    /// - Parameters:
    ///   - options: Where the mart is.
    ///   - query: The filters and the grouping.
    ///   - scratch: The folder in which trips are rebuilt; nil stands for a folder in the mart.
    ///   - isSaved: Whether the causes of all changes are saved in the mart, for a server to show.
    ///   - progress: Where progress is shown.
    public init(
        options: RunOptions,
        query: KPIQuery,
        scratch: String?,
        isSaved: Bool = false,
        progress: Progress
    ) {
        self.options = options
        self.query = query
        self.isSaved = isSaved
        self.progress = progress
        folder = MartFolder(path: options.martPath)
        scratchPath = scratch.map { $0 + "/triptych-diff" } ?? folder.scratchPath
    }

    /// Compares two generations.
    ///
    /// - Parameters:
    ///   - first: The earlier generation; nil stands for the one before the other.
    ///   - second: The later generation; nil stands for the served one.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published, and of the files; ``RunError`` where there
    ///   is no such generation, a filter names a value that neither has, or trips cannot be
    ///   rebuilt.
    public func answer(_ first: Int?, _ second: Int?) throws -> DifferenceAnswer {
        let numbers = try numbers(first, second)
        if let answer = try answerOfTotals(numbers) { return answer }
        do {
            return try ComparedGenerations.with(
                numbers,
                options,
                scratchPath: scratchPath,
                progress: progress
            ) { try answer($0) }
        } catch {
            try requireStillThere(numbers, error)
            throw error
        }
    }

    private func answer(_ compared: ComparedGenerations) throws -> DifferenceAnswer {
        let (first, second) = (compared.first, compared.second)
        let query = try MartQueries(martPath: options.martPath, keyPath: options.keyPath)
            .known(query, in: [first, second])
        try requireSameYears(first, second, query)
        let edits = try PublishedEdits(first, second)
        let difference = try GenerationDifference(
            first,
            second,
            edits: edits,
            threadCount: options.threadCount,
            progress: progress
        )
        let table = try DifferenceTable(difference, first, second, query)
        if isSaved {
            let whole = KPIQuery(by: [.month, .tripType, .region])
            let (from, to) = (compared.headers.first.number, compared.headers.second.number)
            let changes = try DifferenceTable(difference, first, second, whole)
                .changes(from: from, to: to)
            _ = try changes.save(in: folder)
        }
        var answer = DifferenceAnswer(
            first: compared.headers.first,
            second: compared.headers.second,
            query: query,
            table: table,
            files: try FileDifference(first.files(), second.files()),
            months: Set(try [first, second].flatMap { try $0.months().map(\.month) }).sorted(),
            martFlags: options.martFlags
        )
        answer.take(edits)
        answer.samples = try samples(table, compared)
        return answer
    }

    /// Compares the totals, where the trips of a generation lie elsewhere; nil where neither's do.
    private func answerOfTotals(
        _ numbers: (first: Int, second: Int)
    ) throws -> DifferenceAnswer? {
        // A file that cannot be read is reported where its trips are read.
        guard let first = try? Rollback.kept(numbers.first, folder),
            let second = try? Rollback.kept(numbers.second, folder),
            let elsewhere = try [first, second].first(where: { try $0.tripLocation() != nil }),
            let location = try elsewhere.tripLocation()
        else { return nil }
        guard !isSaved else {
            throw MartError.tripsElsewhere(location, elsewhere.header.number)
        }
        return try answer(ofTotals: first, second, elsewhere.header.number)
    }

    private func answer(
        ofTotals first: some SummaryReading,
        _ second: some SummaryReading,
        _ generation: Int
    ) throws -> DifferenceAnswer {
        let query = try MartQueries(martPath: options.martPath, keyPath: options.keyPath)
            .known(query, in: [first, second])
        try requireSameYears(first, second, query)
        let (before, now) = try (PublishedInputs.readable(first), PublishedInputs.readable(second))
        let edits = try FolderEdits(before.kept, FolderReading(now.kept))
        var answer = DifferenceAnswer(
            first: first.header,
            second: second.header,
            query: query,
            table: try DifferenceTable(ofTotals: first, second, query),
            files: try FileDifference(first.files(), second.files()),
            months: Set(try first.months().map(\.month) + second.months().map(\.month)).sorted(),
            martFlags: options.martFlags
        )
        (answer.editClauses, answer.allEdits) = (edits.clauses, edits.all)
        answer.withoutTrips = generation
        return answer
    }

    private func requireSameYears(
        _ first: some SummaryReading,
        _ second: some SummaryReading,
        _ query: KPIQuery
    ) throws {
        let starts = try (first.fiscalYearStart(), second.fiscalYearStart())
        guard starts.0 == starts.1 || !query.by.contains(.fiscalYear) else {
            throw RunError(
                .usage,
                summary: "two fiscal years",
                what: "The fiscal years of the two generations begin in different months.",
                remedies: ["Compare them by month or by year: --by year"]
            )
        }
    }

    /// Reports a generation whose file a run removed during the comparison.
    ///
    /// A published file never changes, but a run may remove an old one.
    private func requireStillThere(
        _ numbers: (first: Int, second: Int),
        _ error: any Error
    ) throws {
        guard let error = error as? MartError, [.ioFailed, .notFound].contains(error.code),
            let number = [numbers.first, numbers.second].first(where: {
                error.position?.file == folder.generationPath($0)
                    && !FileText.exists(folder.generationPath($0))
            })
        else { return }
        throw RunError(
            .notFound,
            summary: "generation \(number) was removed meanwhile",
            what: "A run removed its trips while they were compared.",
            remedies: ["Compare again: they are then rebuilt from their exports."],
            cause: error
        )
    }

    private func numbers(_ first: Int?, _ second: Int?) throws -> (first: Int, second: Int) {
        let served = try Rollback.require(folder)
        let known = try Set(folder.historyNumbers() + folder.generationNumbers()).sorted()
        let second = second ?? served
        guard let first = first ?? known.last(where: { $0 < second }) else {
            throw RunError(
                .usage,
                summary: "there is nothing to compare with",
                what: "\(folder.path) has no generation before \(second).",
                remedies: ["See what was published: triptych runs list\(options.martFlags)"]
            )
        }
        for number in [first, second] where !known.contains(number) {
            throw RunError(
                .notFound,
                summary: "there is no generation \(number)",
                what:
                    "\(folder.path) has no generation \(number). "
                    + "Its numbers: \(Counted.ranges(known)).",
                remedies: ["See what was published: triptych runs list\(options.martFlags)"]
            )
        }
        return (first, second)
    }

    /// References of sample trips, where the key is available.
    private func samples(
        _ table: DifferenceTable,
        _ compared: ComparedGenerations
    ) throws(MartError) -> [DifferenceMove.Sample: DifferenceSample] {
        let kept = try folder.generationNumbers()
        let all = Set(table.groups.flatMap(\.parts).flatMap(\.samples))
        var samples: [DifferenceMove.Sample: DifferenceSample] = [:]
        for isOfEarlier in [true, false] {
            let mart = isOfEarlier ? compared.first : compared.second
            let numbers = all.filter { $0.isOfEarlier == isOfEarlier }
            let refs = try options.refs(of: numbers.map { Int64($0.number) }, in: mart)
            for sample in numbers {
                guard let ref = refs[Int64(sample.number)] else { continue }
                samples[sample] = DifferenceSample(
                    ref: ref,
                    generation: mart.header.number,
                    isKept: kept.contains(mart.header.number)
                )
            }
        }
        return samples
    }
}

/// Why the numbers of two generations differ.
public struct DifferenceAnswer: Sendable {
    /// The earlier generation, as it was published.
    public let first: GenerationHeader
    /// The later generation, as it was published.
    public let second: GenerationHeader
    /// The filters and the grouping.
    public let query: KPIQuery
    /// The causes.
    public let table: DifferenceTable
    /// The exports in which the generations differ.
    public let files: FileDifference
    fileprivate(set) var samples: [DifferenceMove.Sample: DifferenceSample] = [:]
    /// All months that have trips in either, in order.
    public let months: [Month]
    /// The flags that name the mart in a command.
    public let martFlags: String
    /// The edits between the generations that are shown, one clause each.
    public fileprivate(set) var editClauses: [String] = []
    /// Every edit between the generations, in the same order.
    public fileprivate(set) var allEdits: [String] = []
    /// Whether the fields differ, so that edits cannot be told apart by the stored trips.
    public fileprivate(set) var hasDifferentFields = false
    /// The generation whose trips lie elsewhere, so that only totals are compared; nil where the
    /// mart has all trips.
    public fileprivate(set) var withoutTrips: Int?

    init(
        first: GenerationHeader,
        second: GenerationHeader,
        query: KPIQuery,
        table: DifferenceTable,
        files: FileDifference,
        months: [Month],
        martFlags: String
    ) {
        self.first = first
        self.second = second
        self.query = query
        self.table = table
        self.files = files
        self.months = months
        self.martFlags = martFlags
    }

    fileprivate mutating func take(_ edits: PublishedEdits) {
        (editClauses, allEdits) = (edits.clauses, edits.all)
        hasDifferentFields = edits.hasDifferentFields
    }

    /// Some of the trips that one cause moved in one group.
    ///
    /// - Parameter part: The cause in a group of the table.
    /// - Returns: The sample trips; none where the key is not available.
    public func samples(of part: DifferenceTable.Part) -> [DifferenceSample] {
        part.samples.compactMap { samples[$0] }
    }
}

/// A sample trip.
public struct DifferenceSample: Sendable {
    /// Its reference.
    public let ref: String
    /// The number of the generation that has it.
    public let generation: Int
    /// Whether the trips of that generation are kept.
    public let isKept: Bool
}

/// The exports in which two generations differ.
public struct FileDifference: Sendable {
    /// Exports that only the earlier one uses.
    public let gone: [String]
    /// Exports that only the later one uses.
    public let come: [String]
    /// Exports that both use, with different contents.
    public let changed: [String]

    /// Compares the exports of two generations.
    init(_ first: [SourceFileEntry], _ second: [SourceFileEntry]) {
        let (before, now) = (Self.contents(first), Self.contents(second))
        func paths(_ names: some Sequence<Name>) -> [String] {
            names.sorted { ($0.path, $0.source) < ($1.path, $1.source) }.map(\.path.text)
        }
        gone = paths(before.keys.filter { now[$0] == nil })
        come = paths(now.keys.filter { before[$0] == nil })
        changed = paths(now.filter { before[$0.key] != nil && before[$0.key] != $0.value }.keys)
    }

    /// A path of a source.
    private struct Name: Hashable {
        let source: String
        let path: ByteText
    }

    /// The contents of each export in force.
    private static func contents(_ files: [SourceFileEntry]) -> [Name: Set<String>] {
        var contents: [Name: Set<String>] = [:]
        for file in files where file.status == .current {
            let name = Name(source: file.source, path: ByteText(file.path))
            contents[name, default: []].insert(file.contentHash)
        }
        return contents
    }
}
