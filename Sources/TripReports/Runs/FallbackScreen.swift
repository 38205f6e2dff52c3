import TripDomain
public import TripMart
public import TripRuns

/// The warning below an answer from another generation than the served one.
public struct FallbackScreen: Sendable {
    private let note: Fallback.Note
    private let ways: WaysOut
    private let martPath: String
    private let martFlags: String

    /// Shows why another generation answered.
    ///
    /// - Parameters:
    ///   - note: What kept the served generation from answering, and which one did.
    ///   - ways: What leads out of the damage.
    ///   - queries: The queries it answered.
    public init(_ note: Fallback.Note, _ ways: WaysOut, _ queries: MartQueries) {
        (self.note, self.ways) = (note, ways)
        (martPath, martFlags) = (queries.martPath, queries.martFlags)
    }

    /// The lines.
    public var lines: [String] {
        let file = note.damage.position?.file ?? martPath
        var steps: [String] = []
        if ways.isRebuildable {
            steps.append(
                "Build the next generation from the archive: triptych run PIPELINE --full"
                    + "\(martFlags) --input DIR"
            )
        }
        if let older = ways.older {
            steps.append(
                (steps.isEmpty ? "Go" : "Or go") + " back: triptych rollback \(older)\(martFlags)"
            )
        }
        if steps.isEmpty {
            steps.append("Restore the files of the generation from a backup of the mart.")
        }
        let isOne = steps.count == 1
        return [
            "What    \(file) is missing or not as it was published.",
            "        The answer is that of generation \(note.generation), the one in force before.",
        ]
            + steps.enumerated().map { index, step in
                (index == 0 ? "Do      " : "        ") + (isOne ? "" : "\(index + 1). ") + step
            } + ["More    docs/OPERATIONS.md#74"]
    }
}
