import TripDomain
import TripEngine
public import TripMart

/// A plan that somebody agreed to, and that is to be published as it was then or not at all.
public enum AgreedPlan: Sendable {
    /// One that was shown a moment ago, by its id.
    case shown(String)
    /// One that was saved.
    case saved(PlanFile)

    /// Opens a saved plan.
    ///
    /// - Parameters:
    ///   - name: The path of its file, or the first digits of its id.
    ///   - martPath: The mart.
    /// - Returns: The plan.
    /// - Throws: ``RunError`` with code `notFound` where there is none of the name; `MartError` of the file.
    public static func open(_ name: String, martPath: String) throws -> AgreedPlan {
        do throws(MartError) {
            let path = try PlanFile.path(named: name, in: MartFolder(path: martPath))
            return .saved(try PlanFile(path: path))
        } catch {
            guard error.code == .notFound else { throw error }
            throw RunError(
                .notFound,
                summary: "no such plan",
                what: "\(error.place?.file ?? martPath): there is no plan \(name).",
                remedies: [
                    error.remedy, "See which there are: ls \(Shown.shell(martPath))/plans",
                ]
            )
        }
    }

    /// The pipeline as it was named when the plan was made; nil where it was only shown.
    public var pipelinePath: String? { binding?.pipelinePath }

    /// The folder of the reference files as it was named then; nil where it was only shown.
    public var referencePath: String? { binding?.referencePath }

    /// Its id.
    var id: String {
        switch self {
        case .shown(let id): id
        case .saved(let file): file.binding.id
        }
    }

    /// What it is bound to; nil where it was only shown.
    var binding: PlanBinding? {
        switch self {
        case .shown: nil
        case .saved(let file): file.binding
        }
    }

    /// Refuses to go on where the generation or one of the files it is bound to has changed.
    ///
    /// The bytes are compared before anything is read out of them: what was edited since may be faulty, or
    /// need the exports, and neither is what somebody agreed to.
    ///
    /// - Parameters:
    ///   - served: The generation that is served.
    ///   - options: Where the folders are.
    /// - Throws: ``RunError`` with code `planMismatch` that names what changed; `MartError` of the file.
    func requireBound(_ served: ServedMart, _ options: RunOptions) throws {
        guard let binding else { return }
        guard binding.pipeline == served.header.pipeline else {
            throw RunError.otherPipeline(
                options.martPath,
                holds: served.header.pipeline,
                asked: binding.pipeline
            )
        }
        let changes =
            try binding.changes(since: served)
            + binding.inputs.compactMap { Self.change(of: $0, options) }
        guard changes.isEmpty else {
            throw mismatch("Since then: \(changes.joined(separator: "; ")).", options)
        }
    }

    /// Refuses to go on where the folder as it was read is not what it is bound to.
    ///
    /// - Parameters:
    ///   - planned: The edits of the folder as it is.
    ///   - options: Where the folders are.
    /// - Throws: ``RunError`` with code `planMismatch`.
    func requireSame(_ planned: PlannedEdits, _ options: RunOptions) throws(RunError) {
        guard id != planned.id else { return }
        throw mismatch(
            "Since then the folder was edited or another generation was published, and the plan is "
                + "\(planned.id).",
            options
        )
    }

    /// Refuses to go on where the trips come to other numbers than those agreed to.
    ///
    /// - Parameters:
    ///   - cube: What the trips come to.
    ///   - options: Where the folders are.
    /// - Throws: ``RunError`` with code `planMismatch`; `MartError` of the file.
    func requireSame(_ cube: Cube, _ options: RunOptions) throws {
        guard case .saved(let file) = self else { return }
        let basisCells = Set(try file.basisCells())
        guard try file.cube() == cube.cells, basisCells == Set(cube.basisCells) else {
            throw mismatch(
                "From the same trips and files it computed other numbers: the plan file was altered, "
                    + "or another version of the program made it.",
                options
            )
        }
    }

    /// What became of one of the files; nil where it is as it was.
    private static func change(of input: GenerationInput, _ options: RunOptions) -> String? {
        let folder =
            input.role == .reference
            ? options.referencePath : PipelineReader.folder(of: options.pipelinePath)
        do throws(PipelineFault) {
            let bytes = try FileText.read(folder + "/" + input.path, shown: input.path)
            return ContentHash.of(bytes) == input.hash ? nil : "\(input.path) was edited"
        } catch {
            return FileText.exists(folder + "/" + input.path)
                ? "\(input.path) cannot be read" : "\(input.path) is gone"
        }
    }

    private func mismatch(_ why: String, _ options: RunOptions) -> RunError {
        RunError(
            .planMismatch,
            summary: "the plan no longer holds",
            what: "Plan \(id) was agreed to. \(why)",
            remedies: ["Look at what it would do now: triptych plan \(options.pipelineWords)"]
        )
    }
}

extension PlanBinding {
    /// How a generation differs from the one the plan was computed from, a clause each.
    ///
    /// - Throws: `MartError` of the generation's sums.
    func changes(since served: ServedMart) throws(MartError) -> [String] {
        let number = served.header.number
        guard generation == number else {
            return ["generation \(generation) was served, and \(number) is now"]
        }
        guard generationSum == (try SumFile.written(for: served.file.path)) else {
            return ["generation \(number) is another file than it was"]
        }
        return []
    }
}
