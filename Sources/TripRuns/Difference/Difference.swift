import TripDomain
public import TripMart

/// `diff`: why the numbers of two generations are not the same.
///
/// Nothing that is served is written and no lock is taken.
public struct Difference {
    private let options: RunOptions
    private let folder: MartFolder
    private let query: KPIQuery
    private let scratchPath: String
    private let progress: Progress

    /// Prepares to compare.
    ///
    /// - Parameters:
    ///   - options: Where the mart is.
    ///   - query: Which trips, and by what.
    ///   - scratch: Where trips that are no longer kept are built; nil stands for a folder in the mart.
    ///   - progress: Where progress is shown.
    public init(options: RunOptions, query: KPIQuery, scratch: String?, progress: Progress) {
        self.options = options
        self.query = query
        self.progress = progress
        folder = MartFolder(path: options.martPath)
        scratchPath = scratch.map { $0 + "/triptych-diff" } ?? folder.scratchPath
    }

    /// Compares two generations.
    ///
    /// - Parameters:
    ///   - first: The one to begin with; nil stands for the one before the other.
    ///   - second: The one to end with; nil stands for the served one.
    ///   - format: How to answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published, and of the files; ``RunError`` where there is no such
    ///   generation, a filter names what neither has, or trips that are no longer kept cannot be built again.
    public func answer(_ first: Int?, _ second: Int?, _ format: OutputFormat) throws -> String {
        let numbers = try numbers(first, second)
        let compared = try ComparedGenerations(
            numbers,
            options,
            scratchPath: scratchPath,
            progress: progress
        )
        let query = try MartQueries(martPath: options.martPath, keyPath: options.keyPath)
            .known(query, in: [compared.first, compared.second])
        let edits = try PublishedEdits(compared.first, compared.second)
        let difference = try GenerationDifference(
            compared.first,
            compared.second,
            edits: edits,
            threadCount: options.threadCount,
            progress: progress
        )
        let screen = DifferenceScreen(
            headers: compared.headers,
            query: query,
            table: try DifferenceTable(difference, compared.first, compared.second, query),
            files: try FileDifference(compared.first.files(), compared.second.files()),
            untold: edits.untold,
            samples: try samples(difference, compared)
        )
        return screen.text(format)
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
                remedies: ["See what was published: triptych runs list"]
            )
        }
        for number in [first, second] where !known.contains(number) {
            throw RunError(
                .notFound,
                summary: "there is no generation \(number)",
                what: "\(folder.path) keeps generation \(Shown.ranges(known)).",
                remedies: ["See what was published: triptych runs list"]
            )
        }
        return (first, second)
    }

    /// References of some trips of each cause, where the key is at hand.
    private func samples(
        _ difference: GenerationDifference,
        _ compared: ComparedGenerations
    ) throws(MartError) -> [DifferenceCause: [DifferenceSample]] {
        let kept = try folder.generationNumbers()
        var samples: [DifferenceCause: [DifferenceSample]] = [:]
        for (cause, move) in zip(difference.causes, difference.moves) {
            let mart = cause.kind.isOfEarlier ? compared.first : compared.second
            let numbers = move.samples.map { Int64($0) }
            let refs = try options.refs(of: numbers, in: mart)
            samples[cause] = numbers.compactMap { refs[$0] }.map { ref in
                DifferenceSample(
                    ref: ref,
                    generation: mart.header.number,
                    isKept: kept.contains(mart.header.number)
                )
            }
        }
        return samples
    }
}

/// A trip to look at.
struct DifferenceSample {
    let ref: String
    /// The generation that has it.
    let generation: Int
    /// Whether the trips of that generation are kept.
    let isKept: Bool
}
