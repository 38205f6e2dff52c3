import TripDomain

/// Draws the contracts: for every parent station a chain of ground contracts, most without a gap,
/// and for every region two air contracts.
struct ContractBuilder {
    /// The chains begin within five years of this day, so that all stations have a contract by
    /// 2019.
    private static let firstDay = SyntheticWorld.day("2013-01-01")
    /// Contracts that ended before this day are left out.
    private static let keptFrom = SyntheticWorld.day("2019-01-01")
    /// No contract begins after this day; the last ones run for years beyond it.
    private static let lastDay = SyntheticWorld.day("2028-12-31")
    /// Four years and three months: the base year, three options and an extension.
    private static let shortDays = 1551
    private static let longDays = 1826

    private var random: SeededRandom
    private var contracts: [SyntheticWorld.Contract] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed, stream: 3, index: 0)
    }

    mutating func build(
        stations: [Station],
        regionIndexes: [Int],
        airVendors: [[Int]],
        supplies: inout [SyntheticWorld.Supply]
    ) -> [SyntheticWorld.Contract] {
        for (index, station) in stations.enumerated() where !station.isDivision {
            let served = stations.indices.filter { stations[$0].parent == station.number }
            addChain(parent: index, station: station, served: served, supplies: &supplies)
        }
        for (region, vendors) in airVendors.enumerated() {
            let served = stations.indices.filter { regionIndexes[$0] == region }
            addAirContracts(
                region: StationTable.regions[region].region,
                served: served,
                vendors: vendors,
                supplies: &supplies
            )
        }
        return contracts
    }

    private mutating func addChain(
        parent: Int,
        station: Station,
        served: [Int],
        supplies: inout [SyntheticWorld.Supply]
    ) {
        var day = Self.firstDay + Int32(random.below(5 * 365))
        while day < Self.lastDay {
            let length = Int32(random.chance(24_000) ? Self.shortDays : Self.longDays)
            let vendors = supplies[parent].groundVendors
            let vendor = vendors[random.below(vendors.count)]
            let end = day + length - 1
            if end >= Self.keptFrom {
                let index = add(
                    region: station.region,
                    vendor: vendor,
                    served: served,
                    days: day...end,
                    periodCount: 5
                )
                for station in served { supplies[station].contracts.append(index) }
            }
            // One award in five comes late: trips in between have no contract in force.
            day = end + 1 + Int32(random.chance(13_000) ? 20 + random.below(100) : 0)
        }
    }

    private mutating func addAirContracts(
        region: String,
        served: [Int],
        vendors: [Int],
        supplies: inout [SyntheticWorld.Supply]
    ) {
        let change = SyntheticWorld.day("2025-07-01") + Int32(random.below(360))
        for (days, vendor) in zip(
            [Self.keptFrom...(change - 1), change...Self.lastDay],
            vendors
        ) {
            let index = add(
                region: region,
                vendor: vendor,
                served: served,
                days: days,
                periodCount: 1
            )
            for station in served { supplies[station].airContracts.append(index) }
        }
    }

    private mutating func add(
        region: String,
        vendor: Int,
        served: [Int],
        days: ClosedRange<Int32>,
        periodCount: Int
    ) -> Int {
        contracts.append(
            SyntheticWorld.Contract(
                number: number(region: region, firstDay: days.lowerBound),
                providerIndex: vendor,
                stationIndexes: served,
                firstDay: days.lowerBound,
                lastDay: days.upperBound,
                periodStarts: (0..<periodCount).map { days.lowerBound + Int32($0 * 365) }
            )
        )
        return contracts.count - 1
    }

    /// `36C`, the contracting office (240 + VISN), the fiscal year, a letter of awards, and a
    /// serial that begins with X, which real awards do not.
    private mutating func number(region: String, firstDay: Int32) -> String {
        let office = 240 + (Int(region) ?? 0)
        let year = CivilDate(dayNumber: firstDay).month.fiscalYear % 100
        let letter = ["C", "D", "N", "P"][random.below(4)]
        let serial = String(contracts.count + 1)
        return "36C\(office)\(year)\(letter)X"
            + String(repeating: "0", count: 3 - serial.count) + serial
    }
}
