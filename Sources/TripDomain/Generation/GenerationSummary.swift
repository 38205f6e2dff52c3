/// The small tables of a generation: its description and the totals of its trips.
public struct GenerationSummary: Sendable {
    /// The generation's own row.
    public var header: GenerationHeader
    /// All files ever taken in, in order of exports.
    public var files: [SourceFileEntry]
    /// When each source last delivered a file, in the pipeline's order.
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
    /// The texts the generation was made from.
    public var inputs: [GenerationInput]
    /// The results of the checks.
    public var checks: [CheckResult]
    /// The contents that rollbacks left out and that no run was asked to include since.
    public var exclusions: [Exclusion] = []
    /// The people who published edits with it; nil where it has no edits.
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
