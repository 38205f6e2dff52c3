import TripDomain
import TripMart

/// Two generations of a mart with their trips; those of one that are no longer kept are built once more.
final class ComparedGenerations {
    /// The earlier one.
    let first: ServedMart
    /// The later one.
    let second: ServedMart
    /// How each of them was published.
    let headers: (first: GenerationHeader, second: GenerationHeader)
    private let scratch: ScratchMart?

    /// Opens two generations.
    ///
    /// - Parameters:
    ///   - numbers: Their numbers.
    ///   - options: Where the mart is.
    ///   - scratchPath: Where trips that are no longer kept are built.
    ///   - progress: Where progress is shown.
    /// - Throws: `MartError` of the files; as ``Rebuild``; ``RunError`` where what is built has other numbers than
    ///   were published.
    init(
        _ numbers: (first: Int, second: Int),
        _ options: RunOptions,
        scratchPath: String,
        progress: Progress
    ) throws {
        let folder = MartFolder(path: options.martPath)
        let kept = try folder.generationNumbers()
        let isWhole = kept.contains(numbers.first) && kept.contains(numbers.second)
        let scratch =
            isWhole ? nil : try ScratchMart(path: scratchPath, command: "diff", now: options.now)
        func open(_ number: Int) throws -> (ServedMart, GenerationHeader) {
            guard let scratch, !kept.contains(number) else {
                let mart = try ServedMart.open(folder, generation: number)
                return (mart, mart.header)
            }
            let published = try PublishedCube.open(folder, generation: number)
            let mart = try Self.rebuilt(published, scratch.folder, options, progress: progress)
            return (mart, published.header)
        }
        do {
            let earlier = try open(numbers.first)
            let later = try open(numbers.second)
            (first, second) = (earlier.0, later.0)
            headers = (earlier.1, later.1)
        } catch {
            scratch?.remove()
            throw error
        }
        self.scratch = scratch
    }

    deinit { scratch?.remove() }

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
        guard try mart.cube() == published.cube() else {
            throw RunError(
                .badPipeline,
                summary: "generation \(number) cannot be built as it was",
                what:
                    "The trips of generation \(number) are no longer kept, and what its exports come "
                    + "to now has other numbers than were published.",
                remedies: ["See where they differ: triptych verify \(number)"]
            )
        }
        return mart
    }
}
