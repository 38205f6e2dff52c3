import TripDomain
import TripMart

/// The refusals of commands that need what a run on a cluster left where it was: its exports, and
/// the trips that it read from them.
extension RunError {
    /// The refusal to read exports again that only a cluster has read.
    ///
    /// - Parameters:
    ///   - location: Where the trips lie.
    ///   - generation: The generation that was made of them.
    ///   - options: Where the pipeline and the mart are.
    /// - Returns: The error.
    static func exportsElsewhere(
        _ location: TripLocation,
        _ generation: Int,
        _ options: RunOptions
    ) -> RunError {
        RunError(
            .knownFileMissing,
            summary: "the exports were read on a cluster",
            what: "A cluster read the exports of generation \(generation): the mart's archive has "
                + "none of them, and their trips lie at "
                + "\(UnseenCharacters.named(in: location.uri)).",
            remedies: [
                "Publish the next generation from there as well, from all exports: "
                    + options.clusterRun,
                "To read exports on this machine alone, give them a mart of their own: "
                    + "triptych run PIPELINE --input DIR --mart DIR",
            ]
        )
    }

    /// The refusal to try edits on trips that lie elsewhere.
    ///
    /// - Parameters:
    ///   - location: Where they lie.
    ///   - generation: The generation that they belong to.
    ///   - options: Where the pipeline and the mart are.
    /// - Returns: The error.
    static func editsElsewhere(
        _ location: TripLocation,
        _ generation: Int,
        _ options: RunOptions
    ) -> RunError {
        RunError(
            .notFound,
            summary: "the trips lie elsewhere",
            what: "The trips of generation \(generation) lie at "
                + "\(UnseenCharacters.named(in: location.uri)), and the mart has their numbers "
                + "alone: no edit can be tried on them here.",
            remedies: [
                "See what it would do: \(options.clusterRun) --apply-changes --dry-run",
                "Publish it: \(options.clusterRun) --apply-changes",
            ]
        )
    }
}

extension RunError {
    /// The refusal to explain a trip by a row that is not of the generation.
    ///
    /// - Parameters:
    ///   - location: Where the trips lie.
    ///   - generation: The generation they should belong to.
    ///   - what: In what way it differs from what the generation has.
    /// - Returns: The error.
    static func otherTrips(
        _ location: TripLocation,
        _ generation: Int,
        _ what: String
    ) -> RunError {
        RunError(
            .ioFailed,
            summary: "the trip cannot be read",
            what: "\(UnseenCharacters.named(in: location.uri)) has this trip \(what) generation "
                + "\(generation) has.",
            remedies: ["See whether the folder holds the trips of that generation, and no others."]
        )
    }
}

extension ServedMart {
    /// Refuses to try edits on trips that lie elsewhere.
    ///
    /// - Parameter options: Where the pipeline and the mart are.
    /// - Throws: ``RunError`` with code `notFound`.
    func requireTrips(_ options: RunOptions) throws(RunError) {
        guard let location else { return }
        throw RunError.editsElsewhere(location, header.number, options)
    }
}

extension SummaryReading {
    /// Refuses to go on from exports that only a cluster has read.
    ///
    /// - Parameter options: Where the pipeline and the mart are.
    /// - Throws: ``RunError`` with code `knownFileMissing`; `MartError` of the file.
    func requireExports(_ options: RunOptions) throws {
        guard let location = try tripLocation() else { return }
        throw RunError.exportsElsewhere(location, header.number, options)
    }
}
