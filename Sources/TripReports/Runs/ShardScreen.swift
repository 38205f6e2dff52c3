import TripDomain
public import TripRuns

/// The lines of the commands of a divided run.
public enum ShardScreen {
    /// The result of a plan: one line for a program, and notes for people.
    ///
    /// - Parameter plan: What it says.
    /// - Returns: The line, the notes, and whether something should be looked at.
    public static func lines(
        of plan: ShardWork.Planned
    ) -> (line: String, notes: [String], isInDoubt: Bool) {
        var parts = [
            "PLANNED", plan.pipeline, Counted.text(plan.fileCount, "file"),
            Counted.text(plan.size, "byte"),
        ]
        if !plan.comparesVersions { parts.append("trip ids taken as unique") }
        if !plan.refusals.isEmpty {
            parts.append(Counted.text(plan.refusals.count, "file") + " refused")
        }
        parts.append(plan.path)
        let notes =
            refusals(plan.refusals) + plan.unread.map(\.text)
            + plan.unclaimed.map { "unclaimed \($0): no source matches it" }
        let isInDoubt = !plan.refusals.isEmpty || plan.unread.contains(where: \.isInDoubt)
        return (parts.joined(separator: " | "), notes, isInDoubt)
    }

    /// The result of a decision which files are in force.
    ///
    /// - Parameter decided: The decision.
    /// - Returns: The line, the notes, and whether something should be looked at.
    public static func lines(
        of decided: ShardWork.Decided
    ) -> (line: String, notes: [String], isInDoubt: Bool) {
        var parts = [
            "DECIDED",
            "\(decided.inForceCount) of \(Counted.text(decided.fileCount, "file")) in force",
        ]
        if !decided.refusals.isEmpty {
            parts.append(Counted.text(decided.refusals.count, "file") + " refused")
        }
        parts.append(decided.path)
        return (
            parts.joined(separator: " | "), refusals(decided.refusals), !decided.refusals.isEmpty
        )
    }

    private static func refusals(
        _ refusals: [(path: String, reason: String, remedy: String)]
    ) -> [String] {
        refusals.flatMap { ["refused \($0.path): \($0.reason)", "  \($0.remedy)"] }
    }
}
