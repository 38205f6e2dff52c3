public import TripDomain

/// What a plan would do, as it is kept.
public struct PlanEffects: Sendable, Hashable {
    /// Trips that another rule decides, or that came to count or ceased to.
    public struct RuleMove: Sendable, Hashable {
        /// The rule that decides now; nil where none does.
        public let oldRule: String?
        /// The rule that would decide; nil where none would.
        public let newRule: String?
        /// How many trips.
        public let trips: Int64
        /// Those among them that count, now or then.
        public let countedTrips: Int64
        /// References of some of them.
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

    /// Counted trips whose class or basis would be another.
    public struct GroundMove: Sendable, Hashable {
        /// Class and basis now, such as `in_house/va_fleet`.
        public let old: String
        /// Class and basis then.
        public let new: String
        /// How many trips.
        public let trips: Int64
        /// Those among them whose cost is known.
        public let costedTrips: Int64
        /// What those cost.
        public let costCents: Int64

        /// Describes trips that move between two grounds.
        public init(old: String, new: String, trips: Int64, costedTrips: Int64, costCents: Int64) {
            self.old = old
            self.new = new
            self.trips = trips
            self.costedTrips = costedTrips
            self.costCents = costCents
        }
    }

    /// Trips by class.
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

    /// Trips that one edit brings where they are planned.
    public struct EditMove: Sendable, Hashable {
        /// What is edited.
        public let what: String
        /// Trips for which something is otherwise.
        public let trips: Int64
        /// By how many counted trips the classes change.
        public let change: ClassCounts
        /// The known cost of those whose class is another.
        public let costCents: Int64
        /// References of some of the trips.
        public let samples: [String]

        /// Describes what one edit moves.
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

    /// One finest cell whose numbers would change.
    public struct CellMove: Sendable, Hashable {
        /// `YYYY-MM`.
        public let month: String
        /// The trip type.
        public let tripType: String
        /// The region.
        public let region: String
        /// By how many trips it changes.
        public let trips: Int64
        /// By how many its classes change.
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

    /// The edits, a clause each, all of them.
    public let edits: [String]
    /// The trips by the edit that moves them; none where all are taken together.
    public let editMoves: [EditMove]
    /// The trips by the rules that decide, the most first.
    public let rules: [RuleMove]
    /// The trips by class and basis, the most first.
    public let grounds: [GroundMove]
    /// The cells that move, the largest first.
    public let cells: [CellMove]
    /// All cells as planned, by primary key.
    public let cube: [KPICell]
    /// The same split by class and basis.
    public let basisCells: [BasisCell]

    /// Gathers what a plan would do.
    public init(
        edits: [String],
        editMoves: [EditMove],
        rules: [RuleMove],
        grounds: [GroundMove],
        cells: [CellMove],
        cube: [KPICell],
        basisCells: [BasisCell]
    ) {
        self.edits = edits
        self.editMoves = editMoves
        self.rules = rules
        self.grounds = grounds
        self.cells = cells
        self.cube = cube
        self.basisCells = basisCells
    }
}
