import TripDomain
import TripMart

/// Two generations of a mart with their trips; trips that are no longer kept are rebuilt.
struct ComparedGenerations {
    /// The earlier one.
    let first: ServedMart
    /// The later one.
    let second: ServedMart
    /// The header with which each of them was published.
    let headers: (first: GenerationHeader, second: GenerationHeader)

    /// Opens two generations for some work, and afterwards removes what was rebuilt for it.
    ///
    /// - Parameters:
    ///   - numbers: Their numbers.
    ///   - options: Where the mart is.
    ///   - scratchPath: The folder in which trips are rebuilt.
    ///   - progress: Where progress is shown.
    ///   - body: The work.
    /// - Returns: The result of the work.
    /// - Throws: `MartError` of the files; the errors of ``Rebuild``; ``RunError`` where the
    ///   rebuilt numbers differ from the published ones, or another command uses the same folder;
    ///   the errors of the work.
    static func with<Value>(
        _ numbers: (first: Int, second: Int),
        _ options: RunOptions,
        scratchPath: String,
        progress: Progress,
        _ body: (ComparedGenerations) throws -> Value
    ) throws -> Value {
        let folder = MartFolder(path: options.martPath)
        let kept = try folder.generationNumbers()
        let isWhole = kept.contains(numbers.first) && kept.contains(numbers.second)
        let scratch = isWhole ? nil : try scratchMart(scratchPath, options)
        defer { scratch?.remove() }
        func open(_ number: Int) throws -> (ServedMart, GenerationHeader) {
            guard let scratch, !kept.contains(number) else {
                let mart = try ServedMart.open(folder, generation: number)
                return (mart, mart.header)
            }
            let published = try PublishedCube.open(folder, generation: number)
            let mart = try rebuilt(published, scratch.folder, options, progress: progress)
            return (mart, published.header)
        }
        let (earlier, later) = try (open(numbers.first), open(numbers.second))
        return try body(
            ComparedGenerations(
                first: earlier.0,
                second: later.0,
                headers: (earlier.1, later.1)
            )
        )
    }

    private static func scratchMart(_ path: String, _ options: RunOptions) throws -> ScratchMart {
        do throws(MartError) {
            return try ScratchMart(path: path, command: "diff", now: options.now)
        } catch {
            guard error.code == .locked else { throw error }
            throw RunError(
                .locked,
                summary: "another `diff` or `verify` uses the folder",
                what:
                    "Trips that are no longer kept are rebuilt in \(path), one command at a time.",
                remedies: [
                    "Wait until it ends, then compare again.",
                    "Or use another folder: --scratch DIR",
                ],
                cause: error
            )
        }
    }

    private static func rebuilt(
        _ published: PublishedCube,
        _ scratch: MartFolder,
        _ options: RunOptions,
        progress: Progress
    ) throws -> ServedMart {
        let folder = MartFolder(path: options.martPath)
        let number = published.header.number
        guard let keys = try MartKeys.open(keyFile: options.keyFilePath, for: folder) else {
            preconditionFailure("a mart with generations is not opened without its key")
        }
        let built = try Rebuild(
            of: published,
            number: number,
            archive: Archive(folder),
            options,
            progress: progress
        ).write(to: scratch, keys: keys)
        let mart = try ServedMart.open(path: built.path)
        guard try mart.cube() == published.cube(), try haveSameMeasures(mart, published) else {
            throw RunError(
                .badPipeline,
                summary: "generation \(number) cannot be rebuilt as it was",
                what:
                    "The trips of generation \(number) are no longer kept, and the numbers rebuilt "
                    + "from its exports differ from the published ones.",
                remedies: ["See where they differ: triptych verify \(number)\(options.martFlags)"]
            )
        }
        return mart
    }

    /// Whether the declared measures of every finest group are the same in both.
    private static func haveSameMeasures(
        _ mart: ServedMart,
        _ published: PublishedCube
    ) throws(MartError) -> Bool {
        // Most pipelines declare none.
        guard try !published.declaredMeasures().isEmpty else { return true }
        let finest = KPIQuery(by: [.month, .tripType, .region, .tripClass, .basis])
        let (rebuilt, stored) = try (mart.kpi(finest), published.kpi(finest))
        return rebuilt.measures == stored.measures
            && rebuilt.rows.map(\.measures) == stored.rows.map(\.measures)
    }
}
