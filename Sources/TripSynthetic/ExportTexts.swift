/// The texts of exports, each stored once as the bytes of a CSV field.
struct ExportTexts: Sendable {
    /// Origin and destination pairs: scheduled trips, emergencies, transfers.
    static let journeyWords = [
        ["RH", "HR", "RJ", "JR", "NH", "HN", "HH", "RD", "DR", "NJ", "JN", "EH", "HE", "PH"],
        ["SH", "RH", "NH", "EH", "PH", "SI"],
        ["HH", "HI", "IH", "SH"],
    ]
    /// Further modifiers.
    static let qualifierWords = ["QN", "QM", "GY", "GM", "QL", "TQ"]
    static let statusWords = ["completed", "cancelled", "dry_run", "no_show", "other"]
    static let legacyStatusWords = ["C", "X", "D", "N", "O"]
    /// The number of provider numbers that are on no roster.
    static let unlistedCount = 24
    /// The number of vehicle names that are on no roster.
    static let unlistedUnitCount = 60

    let stations: TextBank
    let lowerCaseStations: TextBank
    let regions: TextBank
    /// Providers in their order, then unlisted numbers.
    let identifiers: TextBank
    /// Providers' names in their order, then names of unlisted vendors, names of carriers without
    /// any hint to their kind, and one generic text that is no name.
    let names: TextBank
    /// Per provider, whether its name alone shows that it is an ambulance company.
    let tellingNames: [Bool]
    /// Roster rows in their order, then names on no roster.
    let units: TextBank
    let contracts: TextBank
    let codes: TextBank
    let journeys: TextBank
    let qualifiers: TextBank
    /// The range of each group of journeys.
    let journeyRanges: [Range<Int>]

    let firstUnlistedIdentifier: Int
    let firstUnlistedName: Int
    let firstSilentName: Int
    let namelessName: Int
    let firstUnlistedUnit: Int

    init(world: SyntheticWorld) {
        stations = TextBank(world.stations.map(\.number))
        lowerCaseStations = TextBank(world.stations.map { $0.number.lowercased() })
        regions = TextBank(StationTable.regions.map(\.region))
        let listed = Set(world.providers.map(\.identifier))
        // A large step between numbers, so that they do not look related.
        let unlisted = (1...(Self.unlistedCount * 2))
            .map { ProviderBuilder.identifier(number: $0 * 3_141_593 % 100_000_000) }
            .filter { !listed.contains($0) }
            .prefix(Self.unlistedCount)
        identifiers = TextBank(world.providers.map(\.identifier) + unlisted)
        firstUnlistedIdentifier = world.providers.count
        names = TextBank(
            world.providers.map(\.name)
                + (0..<Self.unlistedCount).map { "Vendor \(9000 + $0) Ambulance" }
                + (0..<Self.unlistedCount).map { "Carrier \(9000 + $0)" } + ["Transport service"]
        )
        tellingNames = world.providers.map { provider in
            provider.name.contains("Ambulance") || provider.name.hasSuffix(" EMS")
        }
        firstUnlistedName = world.providers.count
        firstSilentName = world.providers.count + Self.unlistedCount
        namelessName = world.providers.count + 2 * Self.unlistedCount
        units = TextBank(
            world.units.map(\.name) + (1...Self.unlistedUnitCount).map { "MEDIC \($0)" }
        )
        firstUnlistedUnit = world.units.count
        contracts = TextBank(world.contracts.map(\.number))
        codes = TextBank(ServiceTable.codes.map(\.code))
        journeys = TextBank(Self.journeyWords.flatMap { $0 })
        qualifiers = TextBank(Self.qualifierWords)
        var start = 0
        journeyRanges = Self.journeyWords.map { group in
            defer { start += group.count }
            return start..<(start + group.count)
        }
    }
}

/// Many short texts in one buffer, each in the form of a CSV field.
struct TextBank: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var offsets: [Int32] = [0]

    init(_ texts: [String]) {
        for text in texts {
            bytes += CSVText.quoted(text)
            offsets.append(Int32(bytes.count))
        }
    }
}
