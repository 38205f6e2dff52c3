public import TripDomain

/// What a plan is bound to: it holds as long as none of this is otherwise.
public struct PlanBinding: Sendable, Hashable {
    /// Names the plan: eight digits that come of the generation's number and the inputs.
    public let id: String
    /// The pipeline whose mart it is about.
    public let pipeline: String
    /// Whether the mart is made of generated data.
    public let isSynthetic: Bool
    /// The generation whose trips it decides anew.
    public let generation: Int
    /// SHA-256 over that generation's file, block by block, as its sums have it.
    public let generationSum: String
    /// The pipeline and the reference files as edited, in full.
    public let inputs: [GenerationInput]
    /// When it was made, as UTC text.
    public internal(set) var madeAt: String
    /// Who made it, as they gave their name.
    public internal(set) var madeBy: String
    /// The pipeline as it was named then.
    public let pipelinePath: String
    /// The folder of the reference files as it was named then.
    public let referencePath: String

    /// Binds a plan.
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

    /// Whether two plans are bound to the same, whoever made them and wherever the folders are.
    func isBound(as other: PlanBinding) -> Bool {
        (id, generation, generationSum) == (other.id, other.generation, other.generationSum)
            && Set(inputs) == Set(other.inputs)
    }
}
