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
        let trips: Int64
        let inHouse: Int64
        let contracted: Int64
        let undetermined: Int64
        /// By how many hundredths of a point the in-house share of these months changes, least and most.
        let points: ClosedRange<Int64>?

        var size: Int64 {
            inHouse.magnitudeClamped + contracted.magnitudeClamped + undetermined.magnitudeClamped
        }
    }

    /// Names the plan: what it is bound to comes to these digits.
    let id: String
    let header: GenerationHeader
    /// The edits, a clause each; of a file with many, some and a count.
    let edits: [String]
    let editCount: Int
    /// The sums of all trips now and as planned.
    let now: KPISums
    let planned: KPISums
    let grounds: [GroundMove]
    let rules: [RuleMove]
    let regions: [ValueMove]
    let tripTypes: [ValueMove]
    /// How many regions and trip types there are, now or as planned.
    let regionCount: Int
    let tripTypeCount: Int
    /// Trips that belong to another region or are of another type than before.
    let relocated: Int64
    let overflows: Int

    init(
        id: String,
        header: GenerationHeader,
        edits: FolderEdits,
        oldRules: [RuleEntry],
        newRules: [RuleEntry],
        oldCube: [KPICell],
        decisions: StoredDecisions
    ) {
        self.id = id
        self.header = header
        self.edits = edits.clauses
        editCount = edits.count
        let newCube = decisions.cube.cells
        now = Self.total(oldCube)
        planned = decisions.cube.total
        let moves = decisions.changes.all
        grounds = Self.grounds(moves, oldRules, newRules)
        rules = Self.rules(moves, oldRules, newRules)
        relocated = decisions.changes.relocated
        overflows = decisions.overflows
        (regions, regionCount) = Self.values(oldCube, newCube) { cell in
            cell.tripType == KPICell.all ? cell.region : nil
        }
        (tripTypes, tripTypeCount) = Self.values(oldCube, newCube) { cell in
            cell.region == KPICell.all ? cell.tripType : nil
        }
    }

    /// Whether any number of any cell changes.
    var changesNumbers: Bool { now != planned || !regions.isEmpty || !tripTypes.isEmpty }

    /// The trips whose class or basis is another.
    var movedTrips: Int64 { grounds.reduce(0) { $0 + $1.trips } }

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
        var grounds: [String: GroundMove] = [:]
        for move in moves where move.wasCounted || move.isCounted {
            let old = ground(oldRules, move.oldRule)
            let new = ground(newRules, move.newRule)
            let from = move.wasCounted ? Shown.ground(old.0, old.1) : "not counted"
            let to = move.isCounted ? Shown.ground(new.0, new.1) : "not counted"
            guard from != to else { continue }
            let changesClass = old.0 != new.0 || move.wasCounted != move.isCounted
            var sums =
                grounds["\(from)\n\(to)"]
                ?? GroundMove(from: from, to: to, changesClass: changesClass)
            sums.trips += move.trips
            sums.costedTrips += move.costedTrips
            sums.costCents += move.costCents
            grounds["\(from)\n\(to)"] = sums
        }
        return grounds.values.sorted { ($1.trips, $0.from, $0.to) < ($0.trips, $1.from, $1.to) }
    }

    private static func rules(
        _ moves: [DecisionChanges.Move],
        _ oldRules: [RuleEntry],
        _ newRules: [RuleEntry]
    ) -> [RuleMove] {
        var pairs: [[String?]: RuleMove] = [:]
        for move in moves {
            let from = move.oldRule == 0 ? nil : oldRules[move.oldRule - 1].id
            let to = move.newRule == 0 ? nil : newRules[move.newRule - 1].id
            guard from != to || move.wasCounted != move.isCounted else { continue }
            var sums = pairs[[from, to]] ?? RuleMove(from: from, to: to)
            sums.trips += move.trips
            if move.wasCounted || move.isCounted { sums.countedTrips += move.trips }
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

    /// The values of one dimension that move.
    ///
    /// - Parameters:
    ///   - old: The cube of now.
    ///   - new: The cube as planned.
    ///   - value: The value of a cell in that dimension; nil where the other one is not rolled up.
    /// - Returns: The values that move, the largest first, and how many values there are.
    private static func values(
        _ old: [KPICell],
        _ new: [KPICell],
        _ value: (KPICell) -> String?
    ) -> ([ValueMove], Int) {
        var months: [String: [String: (old: KPISums, new: KPISums)]] = [:]
        func each(_ cells: [KPICell], _ add: (inout (old: KPISums, new: KPISums), KPISums) -> Void)
        {
            for cell in cells where cell.month != KPICell.all {
                guard let name = value(cell), name != KPICell.all else { continue }
                add(
                    &months[name, default: [:]][cell.month, default: (KPISums(), KPISums())],
                    cell.sums
                )
            }
        }
        each(old) { $0.old = $1 }
        each(new) { $0.new = $1 }
        let moves = months.compactMap { move($0, $1.filter { $1.old != $1.new }) }
        return (moves.sorted { ($1.size, $0.value) < ($0.size, $1.value) }, months.count)
    }

    private static func move(
        _ value: String,
        _ months: [String: (old: KPISums, new: KPISums)]
    ) -> ValueMove? {
        guard let first = months.keys.min(), let last = months.keys.max() else { return nil }
        func change(_ count: (KPISums) -> Int64) -> Int64 {
            months.values.reduce(0) { $0 + count($1.new) - count($1.old) }
        }
        let points = months.values.compactMap { month -> Int64? in
            guard let old = month.old.inHousePercentHundredths,
                let new = month.new.inHousePercentHundredths
            else { return nil }
            return new - old
        }
        var range: ClosedRange<Int64>?
        if let least = points.min(), let most = points.max() { range = least...most }
        return ValueMove(
            value: value,
            months: first...last,
            trips: change(\.trips),
            inHouse: change(\.inHouseTrips),
            contracted: change(\.contractedTrips),
            undetermined: change(\.undeterminedTrips),
            points: range
        )
    }
}

extension Int64 {
    /// The number without its sign.
    fileprivate var magnitudeClamped: Int64 { Int64(clamping: magnitude) }
}
