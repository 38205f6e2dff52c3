public import TripDomain

/// The cube of one generation split by class and basis, in memory; whole, since no suppressed one exists.
public struct ServedBases: Sendable {
    /// What decides a trip as far as readers are told: its class and the finer ground.
    public struct Ground: Sendable, Hashable {
        /// The class.
        public let tripClass: TripClass
        /// The basis; empty where there is none.
        public let basis: String
    }

    /// What the trips of one ground add up to.
    public struct Sums: Sendable, Hashable {
        /// Counted trips.
        public internal(set) var trips: Int64 = 0
        /// Those whose cost is known.
        public internal(set) var costedTrips: Int64 = 0
        /// The known costs, in cents.
        public internal(set) var costCents: Int64 = 0

        fileprivate static func += (left: inout Sums, right: Sums) {
            left.trips += right.trips
            left.costedTrips += right.costedTrips
            left.costCents += right.costCents
        }
    }

    private let places: CubePlaces
    /// Where each group's own stand among all.
    private let cells: CubeTable<Range<Int>>
    private let all: [(ground: Int, sums: Sums)]
    /// All grounds that occur, by class and basis.
    private let grounds: [Ground]

    /// Reads the split cube of a generation.
    ///
    /// - Parameters:
    ///   - file: The generation's file.
    ///   - places: Its months, trip types and regions.
    /// - Throws: ``MartError`` of the file; with code `damaged` where a cell is of a month, type or region
    ///   that does not occur, or where numbers are too large to be added up.
    init(_ file: MartFile, places: CubePlaces) throws(MartError) {
        self.places = places
        let rows = try file.basisCells()
        let grounds = Set(rows.map { Ground(tripClass: $0.tripClass, basis: $0.basis) }).sorted {
            ($0.tripClass.order, $0.basis) < ($1.tripClass.order, $1.basis)
        }
        let numbers = Dictionary(uniqueKeysWithValues: grounds.enumerated().map { ($1, $0) })
        var lists = CubeTable<[(ground: Int, sums: Sums)]>(places)
        for row in rows {
            guard
                let key = places.key(
                    month: row.month,
                    tripType: row.tripType,
                    region: row.region
                ), let ground = numbers[Ground(tripClass: row.tripClass, basis: row.basis)]
            else { throw file.damaged() }
            let sums = Sums(
                trips: row.trips,
                costedTrips: row.costedTrips,
                costCents: row.costCents
            )
            lists.set((lists[key] ?? []) + [(ground, sums)], at: key)
        }
        var (cells, all) = (CubeTable<Range<Int>>(places), [(ground: Int, sums: Sums)]())
        for (key, list) in lists.entries.sorted(by: { $0.key < $1.key }) {
            cells.set(all.count..<all.count + list.count, at: key)
            all += list
        }
        (self.cells, self.all, self.grounds) = (cells, all, grounds)
    }

    /// The grounds of the trips a filter lets through, by class and basis.
    ///
    /// - Parameter filter: Which trips.
    /// - Returns: Each ground that has trips, with what they add up to.
    public func byBasis(_ filter: ServedFilter) -> [(ground: Ground, sums: Sums)] {
        var found = [Sums](repeating: Sums(), count: grounds.count)
        places.span(filter)?.forEach { key in
            for (ground, sums) in all[cells[key] ?? 0..<0] { found[ground] += sums }
        }
        return zip(grounds, found).filter { $0.1.trips != 0 }.map { ($0, $1) }
    }
}

extension TripClass {
    /// What is known comes first.
    fileprivate var order: UInt8 { self == .undetermined ? .max : rawValue }
}
