import Glibc
import TripDomain

/// Writes a plan into a file of its own, whole or not at all.
struct PlanSaving {
    /// The suffix of the names of plans.
    static let suffix = ".plan"

    /// The prefix of the names of files that are being written.
    private static let building = ".building-"
    /// A file that was not finished after this many seconds never will be.
    private static let staleSeconds: Int64 = 3600

    private let binding: PlanBinding
    private let effects: PlanEffects

    init(_ binding: PlanBinding, _ effects: PlanEffects) {
        self.binding = binding
        self.effects = effects
    }

    /// Writes the file under another name, and moves it to its path.
    func save(in folder: MartFolder) throws(MartError) -> String {
        try folder.createPlans()
        try removeStale(folder)
        let path = folder.planPath(binding.id)
        // Two processes, even on two machines, may plan the same edits at the same time.
        let unique = UInt64.random(in: 0...UInt64.max)
        let building = folder.plansPath + "/" + Self.building + String(unique, radix: 16)
        do throws(MartError) {
            let connection = try GenerationFile.make(building)
            try connection.execute(PlanTables.ddl)
            try fill(connection)
            try connection.execute("COMMIT")
            try connection.close()
            try FileSystem.sync(building)
            try FileSystem.move(building, to: path)
            try FileSystem.sync(folder.plansPath)
        } catch {
            // The first error is the one to report; a later run removes the rest as stale.
            try? FileSystem.remove(building)
            throw error
        }
        return path
    }

    /// Removes the files of planning processes that were stopped.
    private func removeStale(_ folder: MartFolder) throws(MartError) {
        let now = Int64(time(nil))
        for name in try FileSystem.names(in: folder.plansPath) where name.hasPrefix(Self.building) {
            let path = folder.plansPath + "/" + name
            // Another process may finish or remove it at this moment.
            guard let status = try? FileSystem.status(path),
                status.changedAt < now - Self.staleSeconds
            else { continue }
            try FileSystem.remove(path)
        }
    }

    private func fill(_ connection: RawConnection) throws(MartError) {
        let origin: [StoredValue] = [
            .text(binding.id), .text(binding.pipeline),
            StoredValue(binding.isSynthetic ? 1 : 0), StoredValue(binding.generation),
            .text(binding.generationSum), .text(binding.madeAt), .text(binding.madeBy),
            .text(binding.pipelinePath), .text(binding.referencePath),
        ]
        try connection.insert(into: "plan", origin.count, [origin])
        try connection.insert(binding.inputs)
        try connection.insert(
            into: "edit",
            2,
            effects.edits.enumerated().map { [StoredValue($0 + 1), .text($1)] }
        )
        try fillMoves(connection)
        try connection.insert(
            into: "ground_move",
            5,
            effects.grounds.map { [.text($0.old), .text($0.new)] + $0.sums.stored }
        )
        try connection.insert(
            into: "cell_move",
            7,
            effects.cells.map { move in
                [
                    .text(move.month), .text(move.tripType), .text(move.region),
                    .integer(move.trips),
                ] + Self.values(move.change)
            }
        )
        try connection.insert(cube: effects.cube, basisCells: effects.basisCells)
    }

    private func fillMoves(_ connection: RawConnection) throws(MartError) {
        try connection.insert(
            into: "edit_move",
            7,
            effects.editMoves.enumerated().map { index, move in
                [StoredValue(index + 1), .text(move.what), .integer(move.trips)]
                    + Self.values(move.change) + [.integer(move.costCents)]
            }
        )
        try connection.insert(
            into: "edit_sample",
            2,
            Self.samples(effects.editMoves.map(\.samples))
        )
        try connection.insert(
            into: "rule_move",
            5,
            effects.rules.enumerated().map { index, move in
                [
                    StoredValue(index + 1), StoredValue(move.oldRule), StoredValue(move.newRule),
                    .integer(move.trips), .integer(move.countedTrips),
                ]
            }
        )
        try connection.insert(into: "rule_sample", 2, Self.samples(effects.rules.map(\.samples)))
    }

    private static func values(_ counts: PlanEffects.ClassCounts) -> [StoredValue] {
        [
            .integer(counts.inHouse), .integer(counts.contracted),
            .integer(counts.undetermined),
        ]
    }

    /// The references of each move, with its number.
    private static func samples(_ moves: [[String]]) -> [[StoredValue]] {
        moves.enumerated().flatMap { index, refs in
            refs.map { [StoredValue(index + 1), .text($0)] }
        }
    }
}
