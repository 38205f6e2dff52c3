import TripDomain
import TripMart

/// A run's line in the list of runs.
///
/// A list of another program stops the run before it does anything: the folder may belong to
/// another program. A list that cannot be written costs a warning, and never the numbers.
struct RunListing {
    /// The run's number in the list.
    let number: Int
    /// Whether it begins although generations were published before: the runs before are lost.
    var hasLostRuns: Bool { log.hasLostRuns }
    private let log: RunLog

    /// Why the list of runs cannot be written.
    struct Unwritten: Error {
        /// The reason in words.
        let clause: String

        init(_ error: MartError) {
            clause = "\(error.position?.file ?? "runs.sqlite"): \(error.remedy)"
        }
    }

    /// Begins a line in the list of runs.
    ///
    /// - Parameters:
    ///   - folder: The mart, which is made where it is missing.
    ///   - command: The command, for the list of runs.
    ///   - startedAt: The time of the start, as text with offset.
    /// - Throws: ``RunListing/Unwritten`` where the list cannot be written; ``Failure`` where
    ///   another program or version wrote it.
    init(_ folder: MartFolder, command: String, startedAt: String) throws {
        do {
            try folder.create()
            log = try RunLog(folder)
            number = try log.begin(command: command, startedAt: startedAt)
        } catch {
            guard [.foreignFile, .newerFile, .olderFile].contains(error.code) else {
                throw Unwritten(error)
            }
            throw Failure(
                status: ExitStatus(error.code),
                summary: "the list of runs is not from this program",
                what: [
                    error.code == .foreignFile
                        ? "\(folder.runLogPath) was not written by Triptych."
                        : "\(folder.runLogPath): another version of Triptych wrote it."
                ],
                remedies: [
                    "Check that --mart names the right folder.",
                    "If it does, move the file away; the next run begins a new list.",
                ]
            )
        }
    }

    /// Records which generation is about to be published, so that a run that is stopped right after
    /// publication does not look like one that died.
    func announce(_ generation: Int) {
        // A list that can no longer be written is reported when the run ends.
        try? log.announce(number, generation: generation)
    }

    /// Records how the run ended.
    func finish(
        _ ending: RunSession.Ending,
        endedAt: String,
        outcome: String,
        generation: Int?
    ) throws(MartError) {
        try log.finish(
            number,
            endedAt: endedAt,
            exitCode: Int(ending.status.rawValue),
            outcome: outcome,
            generation: generation,
            summary: ending.text.summary,
            details: (ending.text.plan + (ending.text.plan.isEmpty ? [] : [""])
                + ending.text.details).joined(separator: "\n")
        )
    }
}
