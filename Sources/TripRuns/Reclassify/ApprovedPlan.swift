import TripDomain
import TripEngine
public import TripMart
import TripPipeline

/// A plan that the user approved, and that is published unchanged or not at all.
public enum ApprovedPlan: Sendable {
    /// A plan that was just shown, by its id.
    case shown(String)
    /// A saved plan.
    case saved(PlanFile)

    /// Opens a saved plan.
    ///
    /// - Parameters:
    ///   - name: The path of its file, or the first digits of its id.
    ///   - martPath: The mart.
    /// - Returns: The plan.
    /// - Throws: ``RunError`` with code `notFound` where no plan has the name; `MartError` of the
    ///   file.
    public static func open(_ name: String, martPath: String) throws -> ApprovedPlan {
        do throws(MartError) {
            let path = try PlanFile.path(named: name, in: MartFolder(path: martPath))
            return .saved(try PlanFile(path: path))
        } catch {
            guard error.code == .notFound else { throw error }
            throw RunError(
                .notFound,
                summary: "no such plan",
                what: "\(error.position?.file ?? martPath): there is no plan \(name).",
                remedies: [
                    error.remedy, "List the saved plans: ls \(ShellWord.quoted(martPath))/plans",
                ]
            )
        }
    }

    /// The path of the pipeline when the plan was made; nil where it was only shown.
    public var pipelinePath: String? { binding?.pipelinePath }

    /// The folder of the reference files when the plan was made; nil where it was only shown.
    public var referencePath: String? { binding?.referencePath }

    /// Its id.
    var id: String {
        switch self {
        case .shown(let id): id
        case .saved(let file): file.binding.id
        }
    }

    /// Its binding; nil where it was only shown.
    var binding: PlanBinding? {
        switch self {
        case .shown: nil
        case .saved(let file): file.binding
        }
    }

    /// Refuses a plan where the generation or a file it is bound to has changed.
    ///
    /// The bytes are compared before anything is read from them: files that were edited since may
    /// be faulty, or need the exports, and neither was approved.
    ///
    /// - Parameters:
    ///   - served: The generation that is served.
    ///   - options: Where the folders are.
    /// - Throws: ``RunError`` with code `planMismatch` that names what changed; `MartError` of the
    ///   file.
    func requireBound(_ served: ServedMart, _ options: RunOptions) throws {
        guard let binding else { return }
        guard binding.pipeline == served.header.pipeline else {
            throw RunError.otherPipeline(
                options.martPath,
                expected: served.header.pipeline,
                asked: binding.pipeline
            )
        }
        let changes =
            try binding.changes(since: served)
            + binding.inputs.compactMap { Self.change(of: $0, options) }
        guard changes.isEmpty else {
            throw mismatch("Changed since: \(changes.joined(separator: "; ")).", options)
        }
    }

    /// Refuses a plan where the folder that was read differs from the plan's.
    ///
    /// - Parameters:
    ///   - planned: The edits of the folder.
    ///   - options: Where the folders are.
    /// - Throws: ``RunError`` with code `planMismatch`.
    func requireSame(_ planned: PlannedEdits, _ options: RunOptions) throws(RunError) {
        guard id != planned.id else { return }
        throw mismatch(
            "The folder was edited or another generation was published since, and the plan is now "
                + "\(planned.id).",
            options
        )
    }

    /// Refuses a plan where the trips give other numbers than the approved ones.
    ///
    /// - Parameters:
    ///   - cube: The sums of the trips.
    ///   - options: Where the folders are.
    /// - Throws: ``RunError`` with code `planMismatch`; `MartError` of the file.
    func requireSame(_ cube: Cube, _ options: RunOptions) throws {
        guard case .saved(let file) = self else { return }
        let basisCells = Set(try file.basisCells())
        guard try file.cube() == cube.cells, basisCells == Set(cube.basisCells) else {
            throw mismatch(
                "From the same trips and files it now computes other numbers: the plan file was "
                    + "altered, or another version of the program made it.",
                options
            )
        }
    }

    /// What happened to one of the files; nil where it is unchanged.
    private static func change(of input: GenerationInput, _ options: RunOptions) -> String? {
        let folder =
            input.role == .reference
            ? options.referencePath : PipelineReader.folder(of: options.pipelinePath)
        do throws(PipelineFault) {
            let bytes = try FileText.read(input.path, in: folder)
            return ContentHash.of(bytes) == input.hash ? nil : "\(input.path) was edited"
        } catch {
            return FileText.exists(folder + "/" + input.path)
                ? "\(input.path) cannot be read" : "\(input.path) is missing"
        }
    }

    private func mismatch(_ why: String, _ options: RunOptions) -> RunError {
        RunError(
            .planMismatch,
            summary: "the plan no longer holds",
            what: "Plan \(id) was \(binding == nil ? "shown" : "saved"). \(why)",
            remedies: ["See what it would do now: triptych plan \(options.pipelineWords)"]
        )
    }
}

extension PlanBinding {
    /// The differences between a generation and the one the plan was computed from, one clause
    /// each.
    ///
    /// - Throws: `MartError` of the generation's sums.
    func changes(since served: ServedMart) throws(MartError) -> [String] {
        let number = served.header.number
        guard generation == number else {
            return ["generation \(generation) was served, and \(number) is now"]
        }
        guard generationSum == (try SumFile.written(for: served.file.path)) else {
            return ["generation \(number) has another file than before"]
        }
        return []
    }
}
