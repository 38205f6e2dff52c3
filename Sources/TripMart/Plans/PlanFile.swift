import Glibc
import TripCrypto
public import TripDomain

/// A saved plan: one small SQLite file with the state that it is bound to and its effects.
public struct PlanFile: Sendable {
    /// The state that the plan is bound to.
    public let binding: PlanBinding
    private let file: MartFile

    /// Opens a plan.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``MartError`` with code `notFound`, `foreignFile` where it is no plan, `damaged`
    ///   where its inputs do not match their hashes, or an error of the file.
    public init(path: String) throws(MartError) {
        let file = try MartFile(path: path)
        guard try file.has(table: "plan") else {
            throw MartError(
                .foreignFile,
                file: path,
                remedy: "This file is no plan. Name one of those that `triptych plan` saves."
            )
        }
        let inputs = try file.inputs()
        let bindings = try file.rows("SELECT * FROM plan") { row in
            try PlanBinding(
                id: row["id"],
                pipeline: row["pipeline"],
                isSynthetic: row["synthetic"],
                generation: row["generation"],
                generationSum: row["generation_sum"],
                inputs: inputs,
                madeAt: row["made_at"],
                madeBy: row["made_by"],
                pipelinePath: row["pipeline_path"],
                referencePath: row["reference_path"]
            )
        }
        let isWhole = inputs.allSatisfy { Hex.sha256($0.content) == $0.hash }
        guard let binding = bindings.first, isWhole else {
            throw MartError(
                .damaged,
                file: path,
                remedy: "The plan is damaged. Make it again with `triptych plan`."
            )
        }
        self.file = file
        self.binding = binding
    }

    /// All cells as planned, by primary key.
    ///
    /// - Throws: ``MartError`` of the file.
    public func cube() throws(MartError) -> [KPICell] { try file.cube() }

    /// The same split by class and basis.
    ///
    /// - Throws: ``MartError`` of the file.
    public func basisCells() throws(MartError) -> [BasisCell] { try file.basisCells() }

    /// The edits, a clause each.
    func edits() throws(MartError) -> [String] {
        try file.rows("SELECT what FROM edit ORDER BY number") { try $0[0] }
    }

    /// The counted trips whose class or basis would change.
    func changedTrips() throws(MartError) -> Int64 {
        let sums: [Int64] = try file.rows("SELECT coalesce(sum(trips), 0) FROM ground_move") {
            try $0[0]
        }
        return sums.first ?? 0
    }

    /// Finds the file of a plan.
    ///
    /// - Parameters:
    ///   - name: The first digits of a plan's id, its file's name among the mart's plans, or a
    ///     path.
    ///   - folder: The mart.
    /// - Returns: The path.
    /// - Throws: ``MartError`` with code `notFound` where no plan has the name, or several have.
    public static func path(
        named name: String,
        in folder: MartFolder
    ) throws(MartError) -> String {
        if name.contains("/") { return name }
        let own = folder.plansPath + "/" + name
        if name.hasSuffix(PlanSaving.suffix) { return FileSystem.exists(own) ? own : name }
        let found = try FileSystem.names(in: folder.plansPath).filter {
            $0.hasPrefix(name) && $0.hasSuffix(PlanSaving.suffix) && !$0.hasPrefix(".")
        }
        guard let first = found.first, found.count == 1, !name.isEmpty else {
            throw MartError(
                .notFound,
                file: folder.plansPath,
                remedy: found.isEmpty || name.isEmpty
                    ? "Make one: triptych plan PIPELINE\(folder.flags())"
                    : "Several plans begin with \(name). Give more of the digits."
            )
        }
        return folder.plansPath + "/" + first
    }

    /// Saves a plan in the mart's folder of plans.
    ///
    /// An existing plan with the same id and binding is replaced and keeps its author: an account
    /// that makes the plan again to view it must not become its author.
    ///
    /// - Parameters:
    ///   - binding: The state that it is bound to.
    ///   - effects: Its effects.
    ///   - folder: The mart.
    /// - Returns: The file's path.
    /// - Throws: ``MartError`` where the file cannot be written; an existing file stays as it is.
    public static func save(
        _ binding: PlanBinding,
        _ effects: PlanEffects,
        in folder: MartFolder
    ) throws(MartError) -> String {
        var binding = binding
        // A file that is not a plan, or a damaged plan, has no author.
        let before = try? PlanFile(path: folder.planPath(binding.id)).binding
        if let before, before.isBound(as: binding) {
            binding.madeAt = before.madeAt
            binding.madeBy = before.madeBy
        }
        return try PlanSaving(binding, effects).save(in: folder)
    }
}

/// The state that a plan is bound to: the plan is valid for as long as none of it changes.
public struct PlanBinding: Sendable, Hashable {
    /// The id of the plan: eight digits derived from the generation's number and the inputs.
    public let id: String
    /// The pipeline of the mart.
    public let pipeline: String
    /// Whether the mart holds generated data.
    public let isSynthetic: Bool
    /// The generation whose trips it classifies again.
    public let generation: Int
    /// The SHA-256 over that generation's file, block by block, as its sum file has it.
    public let generationSum: String
    /// The contents of the edited pipeline and reference files.
    public let inputs: [GenerationInput]
    /// When the plan was made, as UTC text.
    public internal(set) var madeAt: String
    /// The name that the plan's author gave.
    public internal(set) var madeBy: String
    /// The path of the pipeline at that time.
    public let pipelinePath: String
    /// The path of the folder of the reference files at that time.
    public let referencePath: String

    /// Creates a binding.
    public init(
        id: String,
        pipeline: String,
        isSynthetic: Bool,
        generation: Int,
        generationSum: String,
        inputs: [GenerationInput],
        madeAt: String,
        madeBy: String,
        pipelinePath: String,
        referencePath: String
    ) {
        self.id = id
        self.pipeline = pipeline
        self.isSynthetic = isSynthetic
        self.generation = generation
        self.generationSum = generationSum
        self.inputs = inputs
        self.madeAt = madeAt
        self.madeBy = madeBy
        self.pipelinePath = pipelinePath
        self.referencePath = referencePath
    }

    /// Whether two plans are bound to the same state, whatever their authors and paths.
    func isBound(as other: PlanBinding) -> Bool {
        (id, generation, generationSum) == (other.id, other.generation, other.generationSum)
            && Set(inputs) == Set(other.inputs)
    }
}

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
            effects.bases.map { [.text($0.old), .text($0.new)] + $0.sums.stored }
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
