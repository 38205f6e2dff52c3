import Synchronization
import TripDomain
import TripEngine

/// What a counted trip is added to: its month, type and region, and the class and basis it was given.
struct KPIPlace: Sendable {
    let month: Month
    let tripType: String
    let region: String
    let tripClass: TripClass
    let basis: String
}

/// Numbers for the places of trips, so that those of several generations can be compared.
///
/// Which number a place gets depends on which thread comes first, and nothing that is shown does.
final class KPIPlaces: Sendable {
    /// Not counted, or not there.
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

    /// What a number stands for; there is one that is not ``none``.
    var all: [KPIPlace] {
        table.withLock { table in
            table.all.map { key in
                KPIPlace(
                    month: Month(monthNumber: key.month),
                    tripType: table.texts[Int(key.tripType)],
                    region: table.texts[Int(key.region)],
                    tripClass: key.tripClass,
                    basis: table.texts[Int(key.basis)]
                )
            }
        }
    }

    /// Places the trips of a batch.
    ///
    /// - Parameter decided: The trips, with the rules they were decided by.
    /// - Returns: What each of them adds to what.
    /// - Complexity: O(*n*) in the trips.
    func placed(_ decided: Decided) -> PlacedTrips { summed(decided).trips }

    /// Places the trips of a batch and adds them up.
    ///
    /// - Parameter decided: The trips, with the rules they were decided by.
    /// - Returns: What each of them adds to what, and what they add to each place.
    /// - Complexity: O(*n*) in the trips.
    func summed(_ decided: Decided) -> (trips: PlacedTrips, sums: [UInt32: PlacedSums]) {
        let (batch, shape) = (decided.batch, decided.shape)
        let tripTypes = batch.columns[shape.tripTypeIndex].texts
        let regions = batch.columns[shape.regionIndex].texts
        let pickups = batch.columns[shape.pickupIndex].integers.values
        let costs = shape.costIndex.map { batch.columns[$0].integers }
        let miles = shape.milesIndex.map { batch.columns[$0].integers }
        var placed = PlacedTrips(count: batch.count)
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
            placed.places[row] = number
            placed.costs[row] = costs?.value(row) ?? PlacedTrips.unknown
            placed.miles[row] = miles?.value(row) ?? PlacedTrips.unknown
        }
        var local = [PlacedSums](repeating: PlacedSums(), count: locals.count + 1)
        for row in placed.places.indices { local[Int(placed.places[row])].add(placed[row]) }
        let numbers = numbers(of: locals, tripTypes.pool, regions.pool, decided.rules)
        for row in placed.places.indices {
            placed.places[row] = numbers[Int(placed.places[row])]
        }
        var sums: [UInt32: PlacedSums] = [:]
        for (number, added) in zip(numbers, local).dropFirst() {
            sums[number, default: PlacedSums()] += added
        }
        return (placed, sums)
    }

    /// A place in the codes of one batch.
    private struct Local: Hashable {
        let month: Int32
        let tripType: UInt32
        let region: UInt32
        let rule: UInt16
    }

    /// The numbers of the places that a batch has, behind the one that stands for none.
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

/// What each of some trips adds to the KPIs.
///
///     places   3 | 3 | 0 | 17 | …      where; 0 adds nothing
///     costs, miles                     cents and hundredths; the least number where not known
struct PlacedTrips: Sendable {
    fileprivate static let unknown = Int64.min

    fileprivate(set) var places: [UInt32]
    fileprivate(set) var costs: [Int64]
    fileprivate(set) var miles: [Int64]

    /// Trips that add nothing.
    fileprivate init(count: Int) {
        places = [UInt32](repeating: KPIPlaces.none, count: count)
        costs = [Int64](repeating: Self.unknown, count: count)
        miles = costs
    }

    /// What one trip adds.
    subscript(row: Int) -> PlacedTrip {
        PlacedTrip(place: places[row], cost: costs[row], miles: miles[row])
    }
}

/// What one trip adds to the KPIs.
struct PlacedTrip: Hashable, Sendable {
    /// A trip that is not there.
    static let absent = PlacedTrip(
        place: KPIPlaces.none,
        cost: PlacedTrips.unknown,
        miles: PlacedTrips.unknown
    )

    /// Where it stands.
    let place: UInt32
    private let cost: Int64
    private let miles: Int64

    fileprivate init(place: UInt32, cost: Int64, miles: Int64) {
        (self.place, self.cost, self.miles) = (place, cost, miles)
    }

    /// Its cost in cents; nil where not known.
    var costCents: Int64? { cost == PlacedTrips.unknown ? nil : cost }
    /// Its loaded miles in hundredths; nil where not known.
    var milesHundredths: Int64? { miles == PlacedTrips.unknown ? nil : miles }
}
