import TripDomain

/// Draws the providers: 60 of VA, 840 vendors of four kinds.
///
/// All are organisations without a person's name, and all numbers begin with 2, which no real
/// provider has been given.
struct ProviderBuilder {
    private static let medicalCenterCount = 60
    private static let groundCount = 620
    private static let airCount = 36
    private static let wheelchairCount = 108
    private static let communityCount = 76

    private(set) var regionalVendors: [SyntheticWorld.ProviderKind: [[Int]]] = [:]
    private let regionCount: Int
    private var random: SeededRandom
    private var providers: [SyntheticWorld.Provider] = []
    private var usedNumbers: Set<Int> = []

    init(seed: UInt64, regionCount: Int) {
        random = SeededRandom(seed: seed, stream: 2, index: 0)
        self.regionCount = regionCount
    }

    mutating func build(
        stations: [Station],
        supplies: inout [SyntheticWorld.Supply]
    ) -> [SyntheticWorld.Provider] {
        addMedicalCenters(stations, &supplies)
        for number in 1...Self.groundCount {
            // Every station has four vendors based at it, some five.
            let stationIndex = (number - 1) % stations.count
            supplies[stationIndex].groundVendors.append(providers.count)
            add(.ground, groundName(number, at: stations[stationIndex]))
        }
        addRegional(.air, count: Self.airCount) { "Vendor \($0) Air Ambulance" }
        addRegional(.wheelchair, count: Self.wheelchairCount) { "Vendor \($0) Wheelchair Van" }
        addRegional(.community, count: Self.communityCount) { "Community Hospital \($0) EMS" }
        rename()
        return providers
    }

    /// Neighbouring stations share a VA provider number, as facilities of one health system do.
    private mutating func addMedicalCenters(
        _ stations: [Station],
        _ supplies: inout [SyntheticWorld.Supply]
    ) {
        for index in 0..<Self.medicalCenterCount {
            let first =
                (index * stations.count + Self.medicalCenterCount - 1)
                / Self.medicalCenterCount
            let end =
                ((index + 1) * stations.count + Self.medicalCenterCount - 1)
                / Self.medicalCenterCount
            for station in first..<end { supplies[station].medicalCenter = providers.count }
            add(.medicalCenter, "VAMC \(stations[first].city) Transport")
        }
    }

    private mutating func addRegional(
        _ kind: SyntheticWorld.ProviderKind,
        count: Int,
        name: (String) -> String
    ) {
        var byRegion = [[Int]](repeating: [], count: regionCount)
        for index in 0..<count {
            byRegion[index % regionCount].append(providers.count)
            add(kind, name(fourDigits(providers.count)))
        }
        regionalVendors[kind] = byRegion
    }

    private mutating func add(_ kind: SyntheticWorld.ProviderKind, _ name: String) {
        providers.append(
            SyntheticWorld.Provider(
                identifier: nextIdentifier(),
                owner: kind == .medicalCenter ? .veteransAffairs : .vendor,
                kind: kind,
                name: name
            )
        )
    }

    /// Names that mislead parsers of free text: with commas, quotes, letters outside ASCII, and the
    /// state of Virginia.
    private func groundName(_ number: Int, at station: Station) -> String {
        let vendor = "Vendor " + fourDigits(number)
        if station.number == "672" { return "\(vendor) Ambulancias Bayamón" }
        if station.name.hasSuffix(" VA") {
            return number % 2 == 0
                ? "VA Beach \(vendor) EMS" : "\(vendor) Ambulance of Northern VA"
        }
        return switch number % 13 {
        case 3: "\(vendor) Medical Transport, Inc."
        case 7: "\(vendor) Ambulance, \(station.name)"
        case 10 where number % 2 == 0: "\(vendor) \"Rescue\" Ambulance"
        default: "\(vendor) Ambulance"
        }
    }

    /// A dozen vendors changed their name, so that a number can have two dated rows.
    private mutating func rename() {
        for index in stride(from: 75, to: Self.groundCount, by: 50) {
            providers[index].earlierName = providers[index].name + " of old"
            let years = ["2024-12-31", "2025-06-30", "2025-12-31", "2026-05-31"]
            providers[index].lastDayOfEarlierName =
                SyntheticWorld.day(years[random.below(years.count)])
        }
    }

    /// Ten digits: 2, eight drawn ones, and the check digit.
    private mutating func nextIdentifier() -> String {
        var drawn = 0
        repeat {
            drawn = random.below(100_000_000)
        } while !usedNumbers.insert(drawn).inserted
        return Self.identifier(number: drawn)
    }

    /// The valid identifier of a 2, eight given digits and the check digit.
    static func identifier(number: Int) -> String {
        let digits = "2" + String(repeating: "0", count: 8 - String(number).count) + String(number)
        var sum = ProviderIdentifier.prefixSum
        for (index, byte) in digits.utf8.enumerated() {
            let digit = Int(byte - 0x30)
            let weighted = index % 2 == 0 ? digit * 2 : digit
            sum += weighted > 9 ? weighted - 9 : weighted
        }
        return digits + String((10 - sum % 10) % 10)
    }

    private func fourDigits(_ number: Int) -> String {
        String(repeating: "0", count: 4 - String(number).count) + String(number)
    }
}
