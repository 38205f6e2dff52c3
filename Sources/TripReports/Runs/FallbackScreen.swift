import TripDomain
import TripMart
public import TripRuns

/// The warning below an answer from another generation than the served one.
public struct FallbackScreen: Sendable {
    private let note: Fallback.Note
    private let martPath: String

    /// Shows why another generation answered.
    ///
    /// - Parameters:
    ///   - note: What kept the served generation from answering, and which one did.
    ///   - martPath: The mart's folder, as the command names it.
    public init(_ note: Fallback.Note, martPath: String) {
        (self.note, self.martPath) = (note, martPath)
    }

    /// The lines.
    public var lines: [String] {
        let mart =
            martPath == RunOptions.usualMartPath ? "" : " --mart \(ShellWord.quoted(martPath))"
        return [
            "What    \(note.damage.position?.file ?? martPath) is missing or not as it was published.",
            "        The answer is that of generation \(note.generation), the one in force before.",
            "Do      1. Build the next generation from the archive: "
                + "triptych run PIPELINE --full\(mart)",
            "        2. Or go back: triptych rollback \(note.generation)\(mart)",
            "More    docs/OPERATIONS.md#74",
        ]
    }
}
