/// Draws the vehicle roster: VA's units at every station, units of vendors with contracts, and
/// cases in which the owner alone is misleading.
struct VehicleBuilder {
    private static let unitsPerVendor = 3

    private(set) var units: [SyntheticWorld.Unit] = []
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed, stream: 4, index: 0)
    }

    /// Draws all rows.
    ///
    /// - Returns: Per provider, the rows of its vehicles.
    mutating func build(
        weights: [Int],
        providers: [SyntheticWorld.Provider],
        contracts: [SyntheticWorld.Contract],
        supplies: inout [SyntheticWorld.Supply]
    ) -> [[Int]] {
        for station in supplies.indices {
            addOwnUnits(station: station, weight: weights[station], supply: &supplies[station])
        }
        var homes = [Int?](repeating: nil, count: providers.count)
        for contract in contracts where homes[contract.providerIndex] == nil {
            homes[contract.providerIndex] = contract.stationIndexes.first
        }
        var rows = [[Int]](repeating: [], count: providers.count)
        for (provider, home) in homes.enumerated() {
            guard let home else { continue }
            let isGround = providers[provider].kind == .ground
            for number in 1...Self.unitsPerVendor {
                let serial = String(provider)
                rows[provider].append(
                    add(
                        "V" + String(repeating: "0", count: 4 - serial.count)
                            + "\(serial)-0\(number)",
                        SyntheticWorld.Validity(),
                        .vendor,
                        home,
                        crew: isGround && number == 1 ? nil : .vendor
                    )
                )
            }
        }
        return rows
    }

    private mutating func addOwnUnits(
        station: Int,
        weight: Int,
        supply: inout SyntheticWorld.Supply
    ) {
        let number = StationTable.stations[station].number
        var serial = 0
        func name() -> String {
            serial += 1
            return "VA\(number)-" + (serial < 10 ? "0" : "") + String(serial)
        }
        for index in 0..<(3 + weight / 25) {
            // The first two units have no dates, so that a station always has a vehicle.
            var validity = SyntheticWorld.Validity()
            if index >= 2, random.chance(20_000) {
                validity.from = SyntheticWorld.day("2019-01-01") + Int32(random.below(2000))
            } else if index >= 2, random.chance(8_000) {
                validity.to = SyntheticWorld.day("2024-06-30") + Int32(random.below(900))
            }
            let crew: SyntheticWorld.Owner? = random.chance(52_000) ? .veteransAffairs : nil
            supply.ownUnits.append(add(name(), validity, .veteransAffairs, station, crew: crew))
        }
        if station % 14 == 3 {
            // From fiscal year 2026 on a contractor's crew drives this VA vehicle.
            let unit = name()
            supply.ownUnits.append(
                add(
                    unit,
                    SyntheticWorld.Validity(to: SyntheticWorld.day("2025-09-30")),
                    .veteransAffairs,
                    station,
                    crew: .veteransAffairs
                )
            )
            supply.vendorCrewUnits.append(
                add(
                    unit,
                    SyntheticWorld.Validity(from: SyntheticWorld.day("2025-10-01")),
                    .veteransAffairs,
                    station,
                    crew: .vendor
                )
            )
        }
        if station % 24 == 7 {
            // Sold to a vendor in the middle of fiscal year 2026.
            let unit = name()
            supply.ownUnits.append(
                add(
                    unit,
                    SyntheticWorld.Validity(to: SyntheticWorld.day("2026-03-31")),
                    .veteransAffairs,
                    station,
                    crew: .veteransAffairs
                )
            )
            _ = add(
                unit,
                SyntheticWorld.Validity(from: SyntheticWorld.day("2026-04-01")),
                .vendor,
                station,
                crew: .vendor
            )
        }
        if station % 18 == 5 {
            supply.leasedUnits.append(
                add(name(), SyntheticWorld.Validity(), .vendor, station, crew: .veteransAffairs)
            )
        }
    }

    private mutating func add(
        _ name: String,
        _ validity: SyntheticWorld.Validity,
        _ owner: SyntheticWorld.Owner,
        _ station: Int,
        crew: SyntheticWorld.Owner?
    ) -> Int {
        units.append(
            SyntheticWorld.Unit(
                name: name,
                validity: validity,
                owner: owner,
                stationIndex: station,
                crew: crew
            )
        )
        return units.count - 1
    }
}
