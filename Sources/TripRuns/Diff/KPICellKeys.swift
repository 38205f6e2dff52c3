import Synchronization
import TripDomain
import TripEngine
import TripPipeline

/// The cell key of a counted trip: its month, type and region, and its class and basis.
struct KPICellKey: Sendable {
    let month: Month
    let tripType: String
    let region: String
    let tripClass: TripClass
    let basis: String
}

/// Numbers for cell keys, so that the trips of several generations can be compared.
///
/// The number of a key depends on which thread comes first, but nothing that is shown does.
final class KPICellKeys: Sendable {
    /// The number of a trip that is not counted, or that does not exist.
    static let none: UInt32 = 0

    private struct Key: Hashable {
        let month: Int32
        let tripType: UInt32
        let region: UInt32
        let tripClass: TripClass
        let basis: UInt32
    }

    private struct Table {
        var words: [ByteText: UInt32] = [:]
        var texts: [String] = []
        var keys: [Key: UInt32] = [:]
        var all: [Key] = []

        mutating func number(of word: String) -> UInt32 {
            if let known = words[ByteText(word)] { return known }
            let number = UInt32(texts.count)
            texts.append(word)
            words[ByteText(word)] = number
            return number
        }

        mutating func number(of key: Key) -> UInt32 {
            if let known = keys[key] { return known }
            all.append(key)
            let number = UInt32(all.count)
            keys[key] = number
            return number
        }
    }

    private let table = Mutex(Table())

    /// The cell keys, by number less one; ``none`` has none.
    var all: [KPICellKey] {
        table.withLock { table in
            table.all.map { key in
                KPICellKey(
                    month: Month(monthNumber: key.month),
                    tripType: table.texts[Int(key.tripType)],
                    region: table.texts[Int(key.region)],
                    tripClass: key.tripClass,
                    basis: table.texts[Int(key.basis)]
                )
            }
        }
    }

    /// Computes the contributions of the trips of a batch.
    ///
    /// - Parameter decided: The trips, with the rules they were classified by.
    /// - Returns: The contribution of each trip, with its cell key.
    /// - Complexity: O(*n*) in the trips.
    func contributions(_ decided: ClassifiedTrips) -> TripContributions { summed(decided).trips }

    /// Computes the contributions of the trips of a batch and their sums.
    ///
    /// - Parameter decided: The trips, with the rules they were classified by.
    /// - Returns: The contribution of each trip, and the sums for each cell key.
    /// - Complexity: O(*n*) in the trips.
    func summed(
        _ decided: ClassifiedTrips
    ) -> (trips: TripContributions, sums: [UInt32: TripSums]) {
        let (batch, shape) = (decided.batch, decided.shape)
        let tripTypes = batch.columns[shape.tripTypeIndex].texts
        let regions = batch.columns[shape.regionIndex].texts
        let pickups = batch.columns[shape.pickupIndex].integers.values
        let costs = shape.costIndex.map { batch.columns[$0].integers }
        let miles = shape.milesIndex.map { batch.columns[$0].integers }
        var contributions = TripContributions(count: batch.count)
        var distinct: [Local: UInt32] = [:]
        var locals: [Local] = []
        var (day, month): (Int64, Int32) = (.min, 0)
        for row in 0..<batch.count where batch.counted[row] {
            let pickupDay = CivilTime.floorDivide(pickups[row], CivilTime.daySeconds)
            if pickupDay != day {
                (day, month) = (pickupDay, CivilDate(dayNumber: Int32(pickupDay)).month.monthNumber)
            }
            let local = Local(
                month: month,
                tripType: tripTypes.codes[row],
                region: regions.codes[row],
                rule: batch.ruleNumbers[row]
            )
            var number = distinct[local] ?? Self.none
            if number == Self.none {
                locals.append(local)
                number = UInt32(locals.count)
                distinct[local] = number
            }
            contributions.cellKeys[row] = number
            contributions.costs[row] = costs?.value(row) ?? TripContributions.unknown
            contributions.miles[row] = miles?.value(row) ?? TripContributions.unknown
        }
        var local = [TripSums](repeating: TripSums(), count: locals.count + 1)
        for row in contributions.cellKeys.indices {
            local[Int(contributions.cellKeys[row])].add(contributions[row])
        }
        let numbers = numbers(of: locals, tripTypes.pool, regions.pool, decided.rules)
        for row in contributions.cellKeys.indices {
            contributions.cellKeys[row] = numbers[Int(contributions.cellKeys[row])]
        }
        var sums: [UInt32: TripSums] = [:]
        for (number, added) in zip(numbers, local).dropFirst() {
            sums[number, default: TripSums()] += added
        }
        return (contributions, sums)
    }

    /// A cell key in the codes of one batch.
    private struct Local: Hashable {
        let month: Int32
        let tripType: UInt32
        let region: UInt32
        let rule: UInt16
    }

    /// The numbers of the cell keys of a batch, after ``none``.
    private func numbers(
        of locals: [Local],
        _ tripTypes: TextPool,
        _ regions: TextPool,
        _ rules: [RuleEntry]
    ) -> [UInt32] {
        table.withLock { table in
            var known: [[UInt32: UInt32]] = [[:], [:], [:]]
            func word(_ column: Int, _ code: UInt32, _ text: () -> String) -> UInt32 {
                if let number = known[column][code] { return number }
                let number = table.number(of: text())
                known[column][code] = number
                return number
            }
            return [Self.none]
                + locals.map { local in
                    let rule = local.rule == 0 ? nil : rules[Int(local.rule) - 1]
                    let key = Key(
                        month: local.month,
                        tripType: word(0, local.tripType) {
                            tripTypes.string(local.tripType) ?? ""
                        },
                        region: word(1, local.region) { regions.string(local.region) ?? "" },
                        tripClass: rule?.tripClass ?? .undetermined,
                        basis: word(2, UInt32(local.rule)) { rule?.basis ?? "" }
                    )
                    return table.number(of: key)
                }
        }
    }
}

/// The contributions of some trips to the KPIs.
///
///     cellKeys   3 | 3 | 0 | 17 | …    the number of the cell key; 0 contributes nothing
///     costs, miles                     cents and hundredths; the least number where not known
struct TripContributions: Sendable {
    fileprivate static let unknown = Int64.min

    fileprivate(set) var cellKeys: [UInt32]
    fileprivate(set) var costs: [Int64]
    fileprivate(set) var miles: [Int64]

    /// Creates trips that contribute nothing.
    fileprivate init(count: Int) {
        cellKeys = [UInt32](repeating: KPICellKeys.none, count: count)
        costs = [Int64](repeating: Self.unknown, count: count)
        miles = costs
    }

    /// The contribution of one trip.
    subscript(row: Int) -> TripContribution {
        TripContribution(cellKey: cellKeys[row], cost: costs[row], miles: miles[row])
    }
}

/// The contribution of one trip to the KPIs.
struct TripContribution: Hashable, Sendable {
    /// The contribution of a trip that does not exist.
    static let absent = TripContribution(
        cellKey: KPICellKeys.none,
        cost: TripContributions.unknown,
        miles: TripContributions.unknown
    )

    /// The number of its cell key.
    let cellKey: UInt32
    private let cost: Int64
    private let miles: Int64

    fileprivate init(cellKey: UInt32, cost: Int64, miles: Int64) {
        (self.cellKey, self.cost, self.miles) = (cellKey, cost, miles)
    }

    /// Its cost in cents; nil where not known.
    var costCents: Int64? { cost == TripContributions.unknown ? nil : cost }
    /// Its loaded miles in hundredths; nil where not known.
    var milesHundredths: Int64? { miles == TripContributions.unknown ? nil : miles }
}

extension TripSums {
    /// Adds one trip; one that is not counted contributes nothing.
    mutating func add(_ trip: TripContribution) {
        guard trip.cellKey != KPICellKeys.none else { return }
        add(cost: trip.costCents, miles: trip.milesHundredths)
    }
}
