public import TripDomain

/// The effects of a plan, as the plan's file stores them.
public struct PlanEffects: Sendable, Hashable {
    /// Trips that another rule would decide, or that would start or cease to count.
    public struct RuleMove: Sendable, Hashable {
        /// The rule that decides now; nil where none does.
        public let oldRule: String?
        /// The rule that would decide; nil where none would.
        public let newRule: String?
        /// The number of trips.
        public let trips: Int64
        /// The number of them that count before or after.
        public let countedTrips: Int64
        /// The references of some of them.
        public let samples: [String]

        /// Describes trips that move between two rules.
        public init(
            oldRule: String?,
            newRule: String?,
            trips: Int64,
            countedTrips: Int64,
            samples: [String]
        ) {
            self.oldRule = oldRule
            self.newRule = newRule
            self.trips = trips
            self.countedTrips = countedTrips
            self.samples = samples
        }
    }

    /// Counted trips whose class or basis would change.
    public struct ClassAndBasisMove: Sendable, Hashable {
        /// Class and basis now, such as `in_house/va_fleet`.
        public let old: String
        /// Class and basis after the change.
        public let new: String
        /// The trips and their known costs.
        public let sums: CostSums

        /// Describes trips that move between two pairs of class and basis.
        public init(old: String, new: String, sums: CostSums) {
            self.old = old
            self.new = new
            self.sums = sums
        }
    }

    /// Numbers of trips by class.
    public struct ClassCounts: Sendable, Hashable {
        /// In-house trips.
        public let inHouse: Int64
        /// Contracted trips.
        public let contracted: Int64
        /// Undetermined trips.
        public let undetermined: Int64

        /// Counts trips by class.
        public init(inHouse: Int64, contracted: Int64, undetermined: Int64) {
            self.inHouse = inHouse
            self.contracted = contracted
            self.undetermined = undetermined
        }
    }

    /// Trips that one edit changes.
    public struct EditMove: Sendable, Hashable {
        /// What the edit changes.
        public let what: String
        /// The number of trips for which something changes.
        public let trips: Int64
        /// The change of the number of counted trips in each class.
        public let change: ClassCounts
        /// The known cost of the trips whose class changes, in cents.
        public let costCents: Int64
        /// The references of some of the trips.
        public let samples: [String]

        /// Describes the effect of one edit.
        public init(
            what: String,
            trips: Int64,
            change: ClassCounts,
            costCents: Int64,
            samples: [String]
        ) {
            self.what = what
            self.trips = trips
            self.change = change
            self.costCents = costCents
            self.samples = samples
        }
    }

    /// One finest cell (month, trip type and region) whose numbers would change.
    public struct CellMove: Sendable, Hashable {
        /// `YYYY-MM`.
        public let month: String
        /// The trip type.
        public let tripType: String
        /// The region.
        public let region: String
        /// The change of the number of trips.
        public let trips: Int64
        /// The change of the number of trips in each class.
        public let change: ClassCounts

        /// Describes a cell that moves.
        public init(
            month: String,
            tripType: String,
            region: String,
            trips: Int64,
            change: ClassCounts
        ) {
            self.month = month
            self.tripType = tripType
            self.region = region
            self.trips = trips
            self.change = change
        }
    }

    /// All edits, a clause each.
    public let edits: [String]
    /// The trips by the edit that changes them; none where all edits are taken together.
    public let editMoves: [EditMove]
    /// The trips by the rules that decide them, the largest number first.
    public let rules: [RuleMove]
    /// The trips by class and basis, the largest number first.
    public let bases: [ClassAndBasisMove]
    /// The cells that change, the largest change first.
    public let cells: [CellMove]
    /// All cells as planned, by primary key.
    public let cube: [KPICell]
    /// The same split by class and basis.
    public let basisCells: [BasisCell]

    /// Gathers the effects of a plan.
    public init(
        edits: [String],
        editMoves: [EditMove],
        rules: [RuleMove],
        bases: [ClassAndBasisMove],
        cells: [CellMove],
        cube: [KPICell],
        basisCells: [BasisCell]
    ) {
        self.edits = edits
        self.editMoves = editMoves
        self.rules = rules
        self.bases = bases
        self.cells = cells
        self.cube = cube
        self.basisCells = basisCells
    }
}
