import TripDomain
import TripEngine
import TripMart

/// What the edits of a folder would do to a generation; nothing of it is published.
struct Plan {
    /// Trips that counted and count, and whose class or basis is another.
    struct GroundMove {
        let from: String
        let to: String
        /// Whether the class is another, or the basis alone.
        let changesClass: Bool
        var trips: Int64 = 0
        var costedTrips: Int64 = 0
        var costCents: Int64 = 0
    }

    /// Trips that another rule decides, or that came to count or ceased to.
    struct RuleMove {
        /// The rule that decided; nil where none did.
        let from: String?
        /// The rule that decides.
        let to: String?
        /// Whether it gives another class or basis than the one that decided.
        let changesGround: Bool
        var trips: Int64 = 0
        /// Those among them that count, now or as planned.
        var countedTrips: Int64 = 0
        /// The numbers of the first of them.
        var samples: [Int64] = []
    }

    /// The months of one region or trip type in which a class gains or loses trips.
    struct ValueMove {
        let value: String
        let months: ClosedRange<String>
        let change: ClassChange
        /// By how many hundredths of a point the in-house share of these months changes, least and most.
        let points: ClosedRange<Int64>?
    }

    /// One finest cell whose numbers change.
    struct CellMove {
        let month: String
        let tripType: String
        let region: String
        let change: ClassChange

        /// What cells of one size are ordered by.
        var key: ByteText { ByteText("\(month) \(tripType) \(region)") }
    }

    /// Names the plan: what it is bound to comes to these digits.
    let id: String
    let header: GenerationHeader
    /// The edits, a clause each.
    let edits: FolderEdits
    /// What is to be done about the folder's decisions made by hand.
    let overrideNotes: [String]
    /// The sums of all trips now and as planned.
    let now: KPISums
    let planned: KPISums
    let grounds: [GroundMove]
    let rules: [RuleMove]
    /// The trips by the edit that moves them; none where there is one edit.
    let edited: [EditMove]
    let regions: [ValueMove]
    let tripTypes: [ValueMove]
    /// The finest cells that move, the largest first.
    let cells: [CellMove]
    /// The months in which some cell moves, and how many months there are.
    let months: [String]
    let monthCount: Int
    /// How many regions and trip types there are, now or as planned.
    let regionCount: Int
    let tripTypeCount: Int
    /// Trips that belong to another region or are of another type than before.
    let relocated: Int64
    /// The numbers of the first of these.
    let relocatedSamples: [Int64]
    /// Trips for which anything is otherwise: the deciding rule, class or basis, or whether they count.
    let changedTrips: Int64
    let overflows: Int
    /// What all trips come to as planned.
    let cube: Cube

    init(
        id: String,
        header: GenerationHeader,
        edits: FolderEdits,
        overrideNotes: [String],
        oldRules: [RuleEntry],
        newRules: [RuleEntry],
        oldCube: [KPICell],
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
        let moves = decisions.changes.all
        grounds = Self.grounds(moves, oldRules, newRules)
        rules = Self.rules(moves, oldRules, newRules)
        edited = decisions.moves
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

    /// Whether any KPI of any cell changes.
    var changesKPIs: Bool { !cells.isEmpty }

    /// The trips whose class or basis is another.
    var movedTrips: Int64 { grounds.reduce(0) { $0 + $1.trips } }

    /// What is kept of it in its file.
    ///
    /// - Parameter samples: The references of samples, by trip number.
    /// - Returns: All of it, nothing cut short.
    func effects(_ samples: [Int64: String]) -> PlanEffects {
        PlanEffects(
            edits: edits.all,
            editMoves: edited.map { move in
                PlanEffects.EditMove(
                    what: move.name,
                    trips: move.sums.trips,
                    change: PlanEffects.ClassCounts(
                        inHouse: move.sums.inHouse,
                        contracted: move.sums.contracted,
                        undetermined: move.sums.undetermined
                    ),
                    costCents: move.sums.costCents,
                    samples: move.sums.samples.compactMap { samples[$0] }
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
            grounds: grounds.map { move in
                PlanEffects.GroundMove(
                    old: move.from,
                    new: move.to,
                    trips: move.trips,
                    costedTrips: move.costedTrips,
                    costCents: move.costCents
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

    private static func total(_ cube: [KPICell]) -> KPISums {
        cube.first {
            $0.month == KPICell.all && $0.tripType == KPICell.all && $0.region == KPICell.all
        }?.sums ?? KPISums()
    }

    private static func ground(_ rules: [RuleEntry], _ number: Int) -> (TripClass, String) {
        number == 0
            ? (.undetermined, "") : (rules[number - 1].tripClass, rules[number - 1].basis)
    }

    private static func grounds(
        _ moves: [DecisionChanges.Move],
        _ oldRules: [RuleEntry],
        _ newRules: [RuleEntry]
    ) -> [GroundMove] {
        var grounds: [ByteText: GroundMove] = [:]
        for move in moves where move.way.wasCounted || move.way.isCounted {
            let old = ground(oldRules, move.way.oldRule)
            let new = ground(newRules, move.way.newRule)
            let from = move.way.wasCounted ? Shown.ground(old.0, old.1) : "not counted"
            let to = move.way.isCounted ? Shown.ground(new.0, new.1) : "not counted"
            guard ByteText(from) != ByteText(to) else { continue }
            let way = ByteText("\(from)\n\(to)")
            let changesClass = old.0 != new.0 || move.way.wasCounted != move.way.isCounted
            var sums =
                grounds[way]
                ?? GroundMove(from: from, to: to, changesClass: changesClass)
            sums.trips += move.trips
            sums.costedTrips += move.costedTrips
            sums.costCents += move.costCents
            grounds[way] = sums
        }
        return grounds.values.sorted { ($1.trips, $0.from, $0.to) < ($0.trips, $1.from, $1.to) }
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
            let old = decision(oldRules, move.way.oldRule, move.way.wasCounted)
            let new = decision(newRules, move.way.newRule, move.way.isCounted)
            return old == new ? sum : sum + move.trips
        }
    }

    private static func rules(
        _ moves: [DecisionChanges.Move],
        _ oldRules: [RuleEntry],
        _ newRules: [RuleEntry]
    ) -> [RuleMove] {
        var pairs: [[String?]: RuleMove] = [:]
        for move in moves {
            let from = move.way.oldRule == 0 ? nil : oldRules[move.way.oldRule - 1].id
            let to = move.way.newRule == 0 ? nil : newRules[move.way.newRule - 1].id
            let old = ground(oldRules, move.way.oldRule)
            let new = ground(newRules, move.way.newRule)
            let changesGround = old.0 != new.0 || ByteText(old.1) != ByteText(new.1)
            let isMarked = move.way.wasCounted != move.way.isCounted
            guard from != to || changesGround || isMarked else { continue }
            var sums =
                pairs[[from, to]] ?? RuleMove(from: from, to: to, changesGround: changesGround)
            sums.trips += move.trips
            if move.way.wasCounted || move.way.isCounted { sums.countedTrips += move.trips }
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
