import TripDomain

/// Everything that exists before the first trip: stations, providers, contracts and vehicles.
///
/// It is drawn from a seed of its own, so that exports of any seed fit one reference folder.
struct SyntheticWorld: Sendable {
    /// The seed of `data/reference`.
    static let defaultSeed: UInt64 = 2026

    /// The owner of a provider or a vehicle, or the employer of a crew.
    enum Owner: String, Sendable {
        case veteransAffairs = "VA"
        case vendor = "VENDOR"
    }

    /// One row's validity, both days inclusive; nil is unbounded.
    struct Validity: Sendable, Hashable {
        var from: Int32?
        var to: Int32?

        @inline(__always)
        func holds(on day: Int32) -> Bool {
            day >= (from ?? .min) && day <= (to ?? .max)
        }
    }

    /// The kind of a provider.
    enum ProviderKind: String, Sendable {
        case medicalCenter = "medical_center"
        case ground
        case air
        case wheelchair
        case community
    }

    /// One provider: a number and the names it had.
    struct Provider: Sendable {
        let identifier: String
        let owner: Owner
        let kind: ProviderKind
        /// The name in exports, and in the last row of the roster.
        let name: String
        /// An earlier name and the last day it was in use.
        var earlierName: String?
        var lastDayOfEarlierName: Int32?
    }

    /// One dated row of the vehicle roster.
    struct Unit: Sendable {
        let name: String
        let validity: Validity
        let owner: Owner
        let stationIndex: Int
        let crew: Owner?
    }

    /// One contract, its vendor, and the stations it serves.
    struct Contract: Sendable {
        let number: String
        let providerIndex: Int
        let stationIndexes: [Int]
        let firstDay: Int32
        let lastDay: Int32
        /// The first days of the performance periods: the year of the award, then the options.
        let periodStarts: [Int32]
    }

    /// The vendors, vehicles and contracts of one station.
    struct Supply: Sendable {
        /// VA's own provider number for the station.
        var medicalCenter = 0
        /// Ground vendors based at the station.
        var groundVendors: [Int] = []
        /// Roster rows of VA vehicles driven by VA, first those without dates.
        var ownUnits: [Int] = []
        /// Roster rows of vehicles leased from vendors and driven by VA.
        var leasedUnits: [Int] = []
        /// Roster rows of VA vehicles driven by vendors.
        var vendorCrewUnits: [Int] = []
        /// Contracts for ground service, in order of their dates.
        var contracts: [Int] = []
        /// Contracts for air service of the region.
        var airContracts: [Int] = []
    }

    let stations: [Station]
    private(set) var providers: [Provider] = []
    private(set) var contracts: [Contract] = []
    private(set) var units: [Unit] = []
    private(set) var supplies: [Supply]
    /// Vendors that serve a region: by kind, then by region index.
    private(set) var regionalVendors: [ProviderKind: [[Int]]] = [:]
    /// Per provider, the roster rows of its vehicles.
    private(set) var unitsOfProvider: [[Int]] = []
    /// The region index of each station before any change of region.
    let regionIndexes: [Int]
    /// Per station, the first day in another region, and that region; nil where it never changes.
    private let moves: [(day: Int32, regionIndex: Int)?]
    /// The relative number of trips of each station.
    let stationWeights: [Int]
    /// Per station, the share of in-house trips in 65,536ths; 41 % when weighted by station.
    let inHouseShares: [Int]
    /// Per station, local prices relative to the average, in thousandths.
    let priceFactors: [Int]

    /// Draws a world.
    init(seed: UInt64) {
        let table = StationTable.stations
        stations = table
        supplies = [Supply](repeating: Supply(), count: table.count)
        regionIndexes = table.map { station in
            StationTable.regions.firstIndex { $0.region == station.region } ?? 0
        }
        moves = Self.movesByStation(table)
        var random = SeededRandom(seed: seed, stream: 1, index: 0)
        let weights = table.map { station in
            station.isDivision ? 10 + random.below(15) : 30 + random.below(60) + random.below(60)
        }
        stationWeights = weights
        inHouseShares = Self.shares(weights: weights, random: &random)
        priceFactors = table.map { _ in 880 + random.below(340) }

        var providerBuilder = ProviderBuilder(seed: seed, regionCount: StationTable.regions.count)
        providers = providerBuilder.build(stations: table, supplies: &supplies)
        regionalVendors = providerBuilder.regionalVendors
        var contractBuilder = ContractBuilder(seed: seed)
        contracts = contractBuilder.build(
            stations: table,
            regionIndexes: regionIndexes,
            airVendors: regionalVendors[.air] ?? [],
            supplies: &supplies
        )
        var vehicleBuilder = VehicleBuilder(seed: seed)
        unitsOfProvider = vehicleBuilder.build(
            weights: weights,
            providers: providers,
            contracts: contracts,
            supplies: &supplies
        )
        units = vehicleBuilder.units
    }

    /// In-house shares between 27 % and 55 %, scaled so that the weighted mean is 41 %.
    private static func shares(weights: [Int], random: inout SeededRandom) -> [Int] {
        let drawn = weights.map { _ in 27_000 + random.below(28_000) }
        let total = weights.reduce(0, +)
        let mean = zip(weights, drawn).reduce(0) { $0 + $1.0 * $1.1 } / total
        return drawn.map { $0 * 41 * 65_536 / 100 / mean }
    }

    /// The region of a station on a day, as an index in the station table's regions.
    @inline(__always)
    func regionIndex(ofStation index: Int, on day: Int32) -> Int {
        guard let move = moves[index], day >= move.day else { return regionIndexes[index] }
        return move.regionIndex
    }

    private static func movesByStation(
        _ stations: [Station]
    ) -> [(day: Int32, regionIndex: Int)?] {
        var moves = [(day: Int32, regionIndex: Int)?](repeating: nil, count: stations.count)
        for move in StationTable.moves {
            let region = StationTable.regions.firstIndex { $0.region == move.newRegion }
            guard let region else { preconditionFailure("a move leads to a region of the table") }
            moves[move.stationIndex] = (day(move.firstDay), region)
        }
        return moves
    }

    /// The day number of a date of a table.
    static func day(_ text: String) -> Int32 {
        guard let date = CivilDate(text: text) else {
            preconditionFailure("the tables of the generator hold real dates")
        }
        return date.dayNumber
    }
}
