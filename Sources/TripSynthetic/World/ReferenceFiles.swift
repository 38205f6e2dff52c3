import TripDomain

/// The reference folder of generated exports, which is committed as `data/reference`.
public enum ReferenceFiles {
    /// One file: its name and its bytes.
    public typealias File = (name: String, bytes: [UInt8])

    /// All files of the folder.
    ///
    /// - Parameter worldSeed: The seed of stations' supplies, providers, contracts and vehicles.
    /// - Returns: Seven CSV files, in order of their names; always the same bytes for one seed.
    public static func files(
        worldSeed: UInt64 = SyntheticOptions.defaultWorldSeed
    ) -> [File] {
        files(of: SyntheticWorld(seed: worldSeed))
    }

    static func files(of world: SyntheticWorld) -> [File] {
        [
            ("contracts.csv", contracts(world)),
            ("hcpcs.csv", codes()),
            ("providers.csv", providers(world)),
            ("stations.csv", stations(world)),
            ("trip_types.csv", tripTypes()),
            ("vehicles.csv", vehicles(world)),
            ("visns.csv", regions()),
        ]
    }

    private static func stations(_ world: SyntheticWorld) -> [UInt8] {
        var table = CSVText(["station", "from", "to", "region", "time_zone", "name", "parent"])
        for (index, station) in world.stations.enumerated() {
            func add(_ from: String, _ to: String, _ region: String) {
                table.add([
                    station.number, from, to, region, station.zone.name, station.name,
                    station.parent,
                ])
            }
            if let move = StationTable.moves.first(where: { $0.stationIndex == index }) {
                add("", move.lastDay, station.region)
                add(move.firstDay, "", move.newRegion)
            } else {
                add("", "", station.region)
            }
        }
        return table.bytes
    }

    private static func providers(_ world: SyntheticWorld) -> [UInt8] {
        var table = CSVText(["npi", "from", "to", "owner", "kind", "name"])
        for provider in world.providers {
            func add(_ from: String, _ to: String, _ name: String) {
                table.add([
                    provider.identifier, from, to, provider.owner.rawValue, provider.kind.rawValue,
                    name,
                ])
            }
            if let earlier = provider.earlierName, let last = provider.lastDayOfEarlierName {
                add("", date(last), earlier)
                add(date(last + 1), "", provider.name)
            } else {
                add("", "", provider.name)
            }
        }
        return table.bytes
    }

    private static func contracts(_ world: SyntheticWorld) -> [UInt8] {
        var table = CSVText(["contract_no", "station", "from", "to", "npi", "option_year"])
        for contract in world.contracts {
            let starts = contract.periodStarts
            for station in contract.stationIndexes {
                for (period, start) in starts.enumerated() {
                    let isLast = period + 1 == starts.count
                    table.add([
                        contract.number, world.stations[station].number, date(start),
                        date(isLast ? contract.lastDay : starts[period + 1] - 1),
                        world.providers[contract.providerIndex].identifier,
                        starts.count == 1 ? "" : String(period),
                    ])
                }
            }
        }
        return table.bytes
    }

    private static func vehicles(_ world: SyntheticWorld) -> [UInt8] {
        var table = CSVText(["unit", "from", "to", "owner", "station", "crew_employer"])
        for unit in world.units {
            table.add([
                unit.name, unit.validity.from.map(date) ?? "", unit.validity.to.map(date) ?? "",
                unit.owner.rawValue, world.stations[unit.stationIndex].number,
                unit.crew?.rawValue ?? "",
            ])
        }
        return table.bytes
    }

    private static func codes() -> [UInt8] {
        var table = CSVText(["code", "trip_type", "is_ambulance", "emergency", "description"])
        for code in ServiceTable.codes.sorted(by: { $0.code < $1.code }) {
            table.add([
                code.code, code.tripType, code.isAmbulance ? "1" : "0",
                code.isEmergency.map { $0 ? "1" : "0" } ?? "", code.description,
            ])
        }
        return table.bytes
    }

    private static func regions() -> [UInt8] {
        var table = CSVText(["region", "name"])
        for (region, name) in StationTable.regions { table.add([region, name]) }
        table.add(["UNKNOWN", "Station blank or not in the station table"])
        return table.bytes
    }

    private static func tripTypes() -> [UInt8] {
        var table = CSVText(["trip_type", "label"])
        for (type, label) in ServiceTable.tripTypes { table.add([type, label]) }
        return table.bytes
    }

    private static func date(_ day: Int32) -> String {
        CivilDate(dayNumber: day).text
    }
}

/// Builds a small CSV text; quotes only the fields that need it.
struct CSVText {
    private(set) var bytes: [UInt8] = []

    init(_ header: [String]) {
        add(header)
    }

    mutating func add(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            bytes += Self.quoted(field)
        }
        bytes.append(0x0A)
    }

    /// One field for a file: in quotes where it has a comma, a quote or a line end.
    static func quoted(_ field: String) -> [UInt8] {
        let text = Array(field.utf8)
        guard text.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
            return text
        }
        return [0x22] + text.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22]
    }
}
