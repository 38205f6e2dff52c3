public import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// The effect that the edits of a folder would have on a generation; nothing of it is published.
public struct Plan: Sendable {
    /// Trips whose class or basis changes, or that begin or cease to count.
    public struct ClassAndBasisMove: Sendable {
        /// Class and basis now, such as `in_house/va_fleet`, or `not counted`.
        public let from: String
        /// Class and basis as planned.
        public let to: String
        /// Whether the class changes, or the basis alone.
        public let changesClass: Bool
        /// The trips, and their known costs.
        public internal(set) var sums = CostSums()
    }

    /// Trips whose deciding rule changes, or that begin or cease to count.
    public struct RuleMove: Sendable {
        /// The rule that decided; nil where no rule did.
        public let from: String?
        /// The rule that decides.
        public let to: String?
        /// Whether it gives another class or basis than the previous rule.
        public let changesClassOrBasis: Bool
        /// The number of trips.
        public internal(set) var trips: Int64 = 0
        /// Those among them that count, now or as planned.
        public internal(set) var countedTrips: Int64 = 0
        /// The numbers of the first of them.
        public internal(set) var samples: [Int64] = []
    }

    /// The months of one region or trip type in which a class gains or loses trips.
    public struct ValueMove: Sendable {
        /// The region or the trip type.
        public let value: String
        /// The first and the last of the months.
        public let months: ClosedRange<String>
        /// What the classes gain and lose.
        public let change: ClassChange
        /// The least and greatest change of the in-house share of these months, in hundredths of a
        /// point.
        public let points: ClosedRange<Int64>?
    }

    /// One finest cell whose numbers change.
    public struct CellMove: Sendable {
        /// `YYYY-MM`.
        public let month: String
        /// The trip type.
        public let tripType: String
        /// The region.
        public let region: String
        /// What the classes gain and lose.
        public let change: ClassChange

        /// The sort key of cells whose changes have the same size.
        var key: ByteText { ByteText("\(month) \(tripType) \(region)") }
    }

    /// The id of the plan: digits of the hash of what it is bound to.
    public let id: String
    /// The generation it was computed from.
    public let header: GenerationHeader
    /// The edits, one clause each.
    public let edits: FolderEdits
    /// Decisions made by hand in the folder that need attention.
    public let overrideNotes: [String]
    /// The sums of all trips now.
    public let now: KPISums
    /// The sums of all trips as planned.
    public let planned: KPISums
    /// The declared measures of all trips, now and as planned; none where none is declared.
    public let measures: [MeasureChange]
    /// The trips whose class or basis changes, the largest number first.
    public let bases: [ClassAndBasisMove]
    /// The trips whose deciding rule changes, the largest number first.
    public let rules: [RuleMove]
    /// The trips that each edit moves alone, then what several do together.
    ///
    /// They sum up to the change of all edits. Empty where there is one edit.
    public let edited: [EditMove]
    /// The regions that change, the largest change first.
    public let regions: [ValueMove]
    /// The trip types that change, the largest change first.
    public let tripTypes: [ValueMove]
    /// The finest cells that change, the largest change first.
    public let cells: [CellMove]
    /// The months in which a cell changes.
    public let months: [String]
    /// The number of months, now or as planned.
    public let monthCount: Int
    /// The number of regions, now or as planned.
    public let regionCount: Int
    /// The number of trip types, now or as planned.
    public let tripTypeCount: Int
    /// Trips whose region or type changes.
    public let relocated: Int64
    /// The numbers of the first of these.
    public let relocatedSamples: [Int64]
    /// Trips with any change of the deciding rule, class or basis, or of whether they count.
    public let changedTrips: Int64
    /// Integer results of expressions that left 64 bits and became NULL.
    public let overflows: Int
    /// The sums of all trips as planned.
    let cube: Cube

    init(
        id: String,
        header: GenerationHeader,
        edits: FolderEdits,
        overrideNotes: [String],
        oldRules: [RuleEntry],
        newRules: [RuleEntry],
        oldCube: [KPICell],
        measures: [MeasureChange],
        decisions: StoredDecisions
    ) {
        self.id = id
        self.header = header
        self.edits = edits
        self.overrideNotes = overrideNotes
        cube = decisions.cube
        let newCube = cube.cells
        now = Self.total(oldCube)
        planned = cube.total
        self.measures = measures
        let moves = decisions.changes.all
        bases = Self.bases(moves, oldRules, newRules)
        rules = Self.rules(moves, oldRules, newRules)
        edited = Self.inOrder(decisions.moves, from: now)
        relocated = decisions.changes.relocated
        relocatedSamples = decisions.changes.relocatedSamples
        changedTrips = Self.changed(moves, oldRules, newRules)
        overflows = decisions.overflows
        (regions, regionCount) = Self.values(oldCube, newCube) { cell in
            cell.tripType == KPICell.all ? cell.region : nil
        }
        cells = Self.cells(oldCube, newCube)
        (months, monthCount) = Self.months(oldCube, newCube, cells)
        (tripTypes, tripTypeCount) = Self.values(oldCube, newCube) { cell in
            cell.region == KPICell.all ? cell.tripType : nil
        }
    }

    /// What all edits do: the sum of the rows of ``edited``.
    public var together: EditMove { EditMove("All edits", edited, from: now, to: planned) }

    /// Whether any KPI of any cell changes.
    public var changesKPIs: Bool { !cells.isEmpty }

    /// The trips whose class or basis changes.
    public var movedTrips: Int64 { bases.reduce(0) { $0 + $1.sums.trips } }

    /// The content of the plan file.
    ///
    /// - Parameter samples: The references of samples, by trip number.
    /// - Returns: All effects; nothing is cut short.
    func effects(_ samples: [Int64: String]) -> PlanEffects {
        PlanEffects(
            edits: edits.all,
            editMoves: edited.map { move in
                PlanEffects.EditMove(
                    what: move.name,
                    trips: move.trips,
                    change: PlanEffects.ClassCounts(
                        inHouse: move.change.inHouseTrips,
                        contracted: move.change.contractedTrips,
                        undetermined: move.change.undeterminedTrips
                    ),
                    costCents: move.costCents,
                    samples: move.samples.compactMap { samples[$0] }
                )
            },
            rules: rules.map { move in
                PlanEffects.RuleMove(
                    oldRule: move.from,
                    newRule: move.to,
                    trips: move.trips,
                    countedTrips: move.countedTrips,
                    samples: move.samples.compactMap { samples[$0] }
                )
            },
            bases: bases.map { move in
                PlanEffects.ClassAndBasisMove(
                    old: move.from,
                    new: move.to,
                    sums: move.sums
                )
            },
            cells: cells.map { move in
                PlanEffects.CellMove(
                    month: move.month,
                    tripType: move.tripType,
                    region: move.region,
                    trips: move.change.trips,
                    change: PlanEffects.ClassCounts(
                        inHouse: move.change.inHouse,
                        contracted: move.change.contracted,
                        undetermined: move.change.undetermined
                    )
                )
            },
            cube: cube.cells,
            basisCells: cube.basisCells
        )
    }

    /// The moves with the change of the in-house share, each after those before it; what several
    /// edits do only where they do anything.
    private static func inOrder(_ moves: [EditMove], from now: KPISums) -> [EditMove] {
        var sums = now
        return moves.filter { $0.interplay == nil || !$0.isEmpty }.map { move in
            var move = move
            let before = sums.inHousePercentHundredths
            sums += move.change
            if let before, let after = sums.inHousePercentHundredths {
                move.points = after - before
            }
            return move
        }
    }

    private static func total(_ cube: [KPICell]) -> KPISums {
        cube.first {
            $0.month == KPICell.all && $0.tripType == KPICell.all && $0.region == KPICell.all
        }?.sums ?? KPISums()
    }

    private static func classAndBasis(_ rules: [RuleEntry], _ number: Int) -> (TripClass, String) {
        number == 0
            ? (.undetermined, "") : (rules[number - 1].tripClass, rules[number - 1].basis)
    }

    private static func bases(
        _ moves: [DecisionChanges.Move],
        _ oldRules: [RuleEntry],
        _ newRules: [RuleEntry]
    ) -> [ClassAndBasisMove] {
        var bases: [ByteText: ClassAndBasisMove] = [:]
        for move in moves where move.transition.wasCounted || move.transition.isCounted {
            let old = classAndBasis(oldRules, move.transition.oldRule)
            let new = classAndBasis(newRules, move.transition.newRule)
            let from =
                move.transition.wasCounted
                ? old.0.word(basis: old.1) : "not counted"
            let to =
                move.transition.isCounted ? new.0.word(basis: new.1) : "not counted"
            guard ByteText(from) != ByteText(to) else { continue }
            let transition = ByteText("\(from)\n\(to)")
            let changesClass =
                old.0 != new.0 || move.transition.wasCounted != move.transition.isCounted
            var classAndBasis =
                bases[transition]
                ?? ClassAndBasisMove(from: from, to: to, changesClass: changesClass)
            classAndBasis.sums += move.sums
            bases[transition] = classAndBasis
        }
        return bases.values.sorted {
            ($1.sums.trips, $0.from, $0.to) < ($0.sums.trips, $1.from, $1.to)
        }
    }

    private static func changed(
        _ moves: [DecisionChanges.Move],
        _ oldRules: [RuleEntry],
        _ newRules: [RuleEntry]
    ) -> Int64 {
        func decision(_ rules: [RuleEntry], _ number: Int, _ isCounted: Bool) -> [ByteText] {
            let rule = number == 0 ? nil : rules[number - 1]
            return [rule?.id, rule?.tripClass.word, rule?.basis, isCounted ? "counted" : nil]
                .map { ByteText($0 ?? "") }
        }
        return moves.reduce(0) { sum, move in
            let old = decision(oldRules, move.transition.oldRule, move.transition.wasCounted)
            let new = decision(newRules, move.transition.newRule, move.transition.isCounted)
            return old == new ? sum : sum + move.sums.trips
        }
    }

    private static func rules(
        _ moves: [DecisionChanges.Move],
        _ oldRules: [RuleEntry],
        _ newRules: [RuleEntry]
    ) -> [RuleMove] {
        var pairs: [[String?]: RuleMove] = [:]
        for move in moves {
            let from = move.transition.oldRule == 0 ? nil : oldRules[move.transition.oldRule - 1].id
            let to = move.transition.newRule == 0 ? nil : newRules[move.transition.newRule - 1].id
            let old = classAndBasis(oldRules, move.transition.oldRule)
            let new = classAndBasis(newRules, move.transition.newRule)
            let changesClassOrBasis = old.0 != new.0 || ByteText(old.1) != ByteText(new.1)
            let isMarked = move.transition.wasCounted != move.transition.isCounted
            guard from != to || changesClassOrBasis || isMarked else { continue }
            var sums =
                pairs[[from, to]]
                ?? RuleMove(from: from, to: to, changesClassOrBasis: changesClassOrBasis)
            sums.trips += move.sums.trips
            if move.transition.wasCounted || move.transition.isCounted {
                sums.countedTrips += move.sums.trips
            }
            sums.samples += move.samples
            pairs[[from, to]] = sums
        }
        for pair in pairs.keys {
            let samples = pairs[pair]?.samples.sorted() ?? []
            pairs[pair]?.samples = Array(samples.prefix(DecisionChanges.sampleCount))
        }
        return pairs.values.sorted {
            ($1.trips, $0.from ?? "", $0.to ?? "") < ($0.trips, $1.from ?? "", $1.to ?? "")
        }
    }
}
