public import TripDomain

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
