public import TripDomain

/// A saved plan, as lists of plans show it.
public struct SavedPlan: Sendable {
    /// Its id.
    public let id: String
    /// When it was made, as UTC text.
    public let madeAt: String
    /// The name that its author gave.
    public let madeBy: String
    /// The generation whose trips it classifies again.
    public let generation: Int
    /// Its edits, a clause each.
    public let edits: [String]
    /// The counted trips whose class or basis would change.
    public let changedTrips: Int64
    /// The sums of all trips as planned.
    public let planned: KPISums

    /// Reads one plan.
    init(_ plan: PlanFile) throws(MartError) {
        let binding = plan.binding
        id = binding.id
        madeAt = binding.madeAt
        madeBy = binding.madeBy
        generation = binding.generation
        edits = try plan.edits()
        changedTrips = try plan.changedTrips()
        let total = try plan.cube().first {
            [$0.month, $0.tripType, $0.region].allSatisfy { $0 == KPICell.all }
        }
        planned = total?.sums ?? KPISums()
    }

    /// The plans of a mart, the latest first.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - limit: How many are read.
    /// - Returns: The plans, and the number of files among them that cannot be read as plans.
    /// - Throws: ``MartError`` where the folder cannot be listed.
    /// - Complexity: O(the bytes of the plans that are read).
    public static func all(
        in folder: MartFolder,
        limit: Int
    ) throws(MartError) -> (plans: [SavedPlan], unreadable: Int) {
        let names = try FileSystem.names(in: folder.plansPath)
        let files = names.filter { $0.hasSuffix(PlanSaving.suffix) && !$0.hasPrefix(".") }
            .map { name in
                let path = folder.plansPath + "/" + name
                // A plan that is removed meanwhile is the last one, and counts as unreadable.
                return (path: path, changedAt: (try? FileSystem.status(path))?.changedAt ?? 0)
            }
            .sorted { ($0.changedAt, $0.path) > ($1.changedAt, $1.path) }
            .prefix(limit)
        // One damaged plan must not hide the others.
        let plans = files.compactMap { try? SavedPlan(PlanFile(path: $0.path)) }
        return (plans, files.count - plans.count)
    }
}
