/// What a generation says of itself and of all its trips together: its small tables.
public struct GenerationSummary: Sendable {
    /// The generation's own row.
    public var header: GenerationHeader
    /// All files ever taken in, in order of exports.
    public var files: [SourceFileEntry]
    /// When each source last brought something, in the pipeline's order.
    public var clocks: [SourceClock]
    /// The rules in force, in order.
    public var rules: [RuleEntry]
    /// All cells of all eight grouping sets, by primary key.
    public var cube: [KPICell]
    /// The cube split by class and basis, by primary key.
    public var basisCells: [BasisCell]
    /// All regions that occur, with labels, by value.
    public var regions: [DimensionLabel]
    /// All trip types that occur, with labels, by value.
    public var tripTypes: [DimensionLabel]
    /// The reference tables of all lookups, in the pipeline's order.
    public var references: [ReferenceTable]
    /// What the generation was made from.
    public var inputs: [GenerationInput]
    /// What the checks said.
    public var checks: [CheckResult]
    /// What rollbacks left behind and nobody asked for since.
    public var holds: [Hold] = []
    /// Who published edits with it; nil where nobody did.
    public var approval: ChangeApproval?

    /// Gathers the parts.
    public init(
        header: GenerationHeader,
        files: [SourceFileEntry],
        clocks: [SourceClock],
        rules: [RuleEntry],
        cube: [KPICell],
        basisCells: [BasisCell],
        regions: [DimensionLabel],
        tripTypes: [DimensionLabel],
        references: [ReferenceTable],
        inputs: [GenerationInput],
        checks: [CheckResult],
        approval: ChangeApproval? = nil
    ) {
        self.header = header
        self.files = files
        self.clocks = clocks
        self.rules = rules
        self.cube = cube
        self.basisCells = basisCells
        self.regions = regions
        self.tripTypes = tripTypes
        self.references = references
        self.inputs = inputs
        self.checks = checks
        self.approval = approval
    }
}
