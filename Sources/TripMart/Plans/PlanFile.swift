import TripCrypto
public import TripDomain

/// A saved plan: one small SQLite file that says what it is bound to and what it would do.
public struct PlanFile: Sendable {
    /// What the plan is bound to.
    public let binding: PlanBinding
    private let file: MartFile

    /// Opens a plan.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``MartError`` with code `notFound`, `foreignFile` where it is no plan, `damaged` where its
    ///   inputs are not what their hashes say, or of the file.
    public init(path: String) throws(MartError) {
        let file = try MartFile(path: path)
        let tables = try file.rows("SELECT 1 FROM sqlite_schema WHERE name = 'plan'") { _ in true }
        guard !tables.isEmpty else {
            throw MartError(
                .foreignFile,
                file: path,
                remedy: "This file is no plan. Make one: triptych plan PIPELINE"
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
                remedy: "The plan is damaged. Make it again: triptych plan PIPELINE"
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

    /// Finds the file of a plan.
    ///
    /// - Parameters:
    ///   - name: The first digits of a plan's id, its file's name among the mart's plans, or a path.
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
                    ? "Make one: triptych plan PIPELINE"
                    : "Several plans begin with \(name). Give more of the digits."
            )
        }
        return folder.plansPath + "/" + first
    }

    /// Saves a plan in the mart's folder of plans.
    ///
    /// One that is there already under the same id and bound to the same is replaced, and keeps its author:
    /// whoever makes the plan again to look at it must not become the one who made it.
    ///
    /// - Parameters:
    ///   - binding: What it is bound to.
    ///   - effects: What it would do.
    ///   - folder: The mart.
    /// - Returns: The file's path.
    /// - Throws: ``MartError`` of what cannot be written; a file that is there stays as it is.
    public static func save(
        _ binding: PlanBinding,
        _ effects: PlanEffects,
        in folder: MartFolder
    ) throws(MartError) -> String {
        var binding = binding
        // What is no plan, or a damaged one, has no author.
        let before = try? PlanFile(path: folder.planPath(binding.id)).binding
        if let before, before.isBound(as: binding) {
            binding.madeAt = before.madeAt
            binding.madeBy = before.madeBy
        }
        return try PlanSaving(binding, effects).save(in: folder)
    }
}
