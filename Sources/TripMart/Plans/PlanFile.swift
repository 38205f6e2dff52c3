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
                    ? "Make one: triptych plan PIPELINE"
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
